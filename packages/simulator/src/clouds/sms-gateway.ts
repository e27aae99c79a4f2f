import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HttpError, readBody, sendJson } from '#simulator/http/http-server.ts';
import type { Asked, Route } from '#simulator/http/http-server.ts';

/**
 * A text-message provider as India's are: HTTP in, a signed delivery receipt out some time later, never in order, sometimes twice,
 * sometimes never.
 *
 *   POST /sms/v1/messages   bearer secret; {to, body, template, template_id, reference, callback_url} → 202 {message_id}; one reference is one message
 *   GET  /sms/outbox        ?mobile= newest first: [{message_id, to, body, template, at, delivered_at}]
 *
 * Receipt: POST callback_url {message_id, reference, status: 'delivered', delivered_at}, header
 * `x-sms-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>" under the secret>`; repeated with growing pauses until 2xx.
 */
const sendSchema = z.strictObject({
  to: z.string().regex(/^\+?\d{10,15}$/),
  body: z.string().min(1).max(1000),
  template: z.string().max(80),
  template_id: z.string().max(80),
  reference: z.string().min(1).max(80),
  callback_url: z.url({ protocol: /^https?$/ }),
});

export interface SmsMessage {
  message_id: string;
  to: string;
  body: string;
  template: string;
  reference: string;
  callback_url: string;
  at: string;
  delivered_at: string | null;
  isReceiptTaken: boolean;
}

/** What a provider's bad day looks like. */
export interface SmsFaults {
  /** Refuses everything with 503. */
  is_down: boolean;
  /** Answers and delivers after 8 s instead of at once. */
  is_slow: boolean;
  /** Takes messages and never delivers them. */
  never_delivers: boolean;
  /** Sends each receipt twice. */
  duplicates: boolean;
}
const NO_FAULTS: SmsFaults = { is_down: false, is_slow: false, never_delivers: false, duplicates: false };

export interface SmsGatewayOptions {
  secret: string;
  /** The world's time: messages carry the date that the shop sees. */
  nowMs: () => number;
  /** Messages kept from an earlier run. */
  kept?: SmsMessage[];
  onChange?: (messages: readonly SmsMessage[]) => void;
  deliverAfterMs?: number;
  retryAfterMs?: number;
}

const KEEP = 2000;
const SHOWN = 200;
const DELIVER_AFTER_MS = 400;
const RETRY_AFTER_MS = 1000;
const SLOW_MS = 8000;
const RECEIPT_TRIES = 12;
const RECEIPT_TIMEOUT_MS = 10_000;
const tenDigits = (mobile: string) => mobile.replaceAll(/\D/g, '').slice(-10);

/** @returns the value of `x-sms-signature`. */
const signReceipt = (secret: string, atMs: number, body: string): string => {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

export class SmsGateway {
  readonly #options: SmsGatewayOptions;
  readonly #messages: SmsMessage[];
  readonly #timers = new Set<NodeJS.Timeout>();
  #faults = NO_FAULTS;

  constructor(options: SmsGatewayOptions) {
    this.#options = options;
    this.#messages = [...(options.kept ?? [])];
    for (const message of this.#messages) if (!message.isReceiptTaken) this.#deliverLater(message);
  }

  routes(): Route[] {
    return [
      { method: 'POST', path: '/sms/v1/messages', handle: (asked) => this.#take(asked) },
      {
        method: 'GET',
        path: '/sms/outbox',
        handle: ({ url }) => this.shown(url.searchParams.get('mobile') ?? undefined),
      },
    ];
  }

  /** @param mobile its last ten digits count; all when absent. Newest first. */
  outbox(mobile?: string): SmsMessage[] {
    const all = this.#messages.toReversed();
    return mobile ? all.filter((message) => tenDigits(message.to) === tenDigits(mobile)) : all;
  }

  /** The newest of the outbox, as anyone may see them. */
  shown(mobile?: string) {
    return this.outbox(mobile).slice(0, SHOWN).map(publicMessage);
  }

  faults(): SmsFaults {
    return this.#faults;
  }
  setFaults(change: Partial<SmsFaults>): void {
    this.#faults = { ...this.#faults, ...change };
    this.#changed();
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #changed(): void {
    this.#options.onChange?.(this.#messages);
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  async #take(asked: Asked): Promise<void> {
    if (!hasSecret(asked, this.#options.secret)) throw new HttpError(401, 'Wrong secret.');
    if (this.#faults.is_slow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (this.#faults.is_down) throw new HttpError(503, 'The provider is down.');
    const sent = readBody(asked, sendSchema);
    const message = this.#messages.find((one) => one.reference === sent.reference) ?? this.#keep(sent);
    sendJson(asked.response, 202, { message_id: message.message_id });
  }

  #keep(sent: z.infer<typeof sendSchema>): SmsMessage {
    const at = new Date(this.#options.nowMs()).toISOString();
    const message = { message_id: randomUUID(), ...sent, at, delivered_at: null, isReceiptTaken: false };
    this.#messages.push(message);
    this.#messages.splice(0, Math.max(0, this.#messages.length - KEEP));
    this.#changed();
    if (!this.#faults.never_delivers) this.#deliverLater(message);
    return message;
  }

  #deliverLater(message: SmsMessage): void {
    const { deliverAfterMs = DELIVER_AFTER_MS } = this.#options;
    this.#later(this.#faults.is_slow ? SLOW_MS : deliverAfterMs, () => {
      message.delivered_at ??= new Date(this.#options.nowMs()).toISOString();
      this.#changed();
      void this.#pushReceipt(message, 0);
      if (this.#faults.duplicates) this.#later(50, () => void this.#pushReceipt(message, 0));
    });
  }

  async #pushReceipt(message: SmsMessage, tries: number): Promise<void> {
    const isTaken = await this.#sendReceipt(message).catch(() => false);
    if (isTaken && !message.isReceiptTaken) {
      message.isReceiptTaken = true;
      this.#changed();
    }
    if (isTaken || tries >= RECEIPT_TRIES) return;
    const { retryAfterMs = RETRY_AFTER_MS } = this.#options;
    this.#later(retryAfterMs * 2 ** Math.min(tries, 8), () => void this.#pushReceipt(message, tries + 1));
  }

  async #sendReceipt({ message_id, reference, delivered_at, callback_url }: SmsMessage): Promise<boolean> {
    const { secret, nowMs } = this.#options;
    const body = JSON.stringify({ message_id, reference, status: 'delivered', delivered_at });
    const headers = { 'content-type': 'application/json', 'x-sms-signature': signReceipt(secret, nowMs(), body) };
    const signal = AbortSignal.timeout(RECEIPT_TIMEOUT_MS);
    const response = await fetch(callback_url, { method: 'POST', headers, body, signal });
    return response.ok;
  }
}

/** What anyone may see of a message. */
const publicMessage = ({ message_id, to, body, template, at, delivered_at }: SmsMessage) => ({
  message_id,
  to,
  body,
  template,
  at,
  delivered_at,
});

function hasSecret(asked: Asked, secret: string): boolean {
  const given = Buffer.from(asked.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${secret}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
