import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HttpError, readBody, sendJson } from '#simulator/http/http-server.ts';
import type { Asked, Route } from '#simulator/http/http-server.ts';

/**
 * A text-message provider as India's are: HTTP in, a signed delivery receipt out some time later, never in order, sometimes twice,
 * sometimes never.
 *
 *   POST /sms/v1/messages   bearer secret; {to, body, template, reference, callback_url} → 202 {message_id}; one reference is one message
 *   GET  /sms/outbox        ?mobile= newest first: [{message_id, to, body, template, at, delivered_at}]
 *
 * Receipt: POST callback_url {message_id, reference, status: 'delivered', delivered_at}, header
 * `x-sms-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>" under the secret>`; repeated with growing pauses until 2xx.
 */
const sendSchema = z.strictObject({
  to: z.string().regex(/^\+?\d{10,15}$/),
  body: z.string().min(1).max(1000),
  template: z.string().max(80),
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

export interface SmsGateway {
  routes: Route[];
  /** @param mobile its last ten digits count; all when absent. Newest first. */
  outbox: (mobile?: string) => SmsMessage[];
  faults: () => SmsFaults;
  setFaults: (faults: Partial<SmsFaults>) => void;
  stop: () => void;
}

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
const SLOW_MS = 8000;
const RECEIPT_TRIES = 12;
const RECEIPT_TIMEOUT_MS = 10_000;
const tenDigits = (mobile: string) => mobile.replaceAll(/\D/g, '').slice(-10);

/** @returns the value of `x-sms-signature`. */
const signReceipt = (secret: string, atMs: number, body: string): string => {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

export function createSmsGateway(options: SmsGatewayOptions): SmsGateway {
  const { secret, nowMs, kept = [], onChange = () => {}, deliverAfterMs = 400, retryAfterMs = 1000 } = options;
  const messages: SmsMessage[] = [...kept];
  const timers = new Set<NodeJS.Timeout>();
  let faults = { ...NO_FAULTS };

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };

  const sendReceipt = async (message: SmsMessage): Promise<boolean> => {
    const { message_id, reference, delivered_at } = message;
    const body = JSON.stringify({ message_id, reference, status: 'delivered', delivered_at });
    const headers = { 'content-type': 'application/json', 'x-sms-signature': signReceipt(secret, nowMs(), body) };
    const response = await fetch(message.callback_url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(RECEIPT_TIMEOUT_MS),
    });
    return response.ok;
  };

  const pushReceipt = async (message: SmsMessage, tries: number): Promise<void> => {
    const isTaken = await sendReceipt(message).catch(() => false);
    if (isTaken && !message.isReceiptTaken) {
      message.isReceiptTaken = true;
      onChange(messages);
    }
    if (!isTaken && tries < RECEIPT_TRIES) {
      later(retryAfterMs * 2 ** Math.min(tries, 8), () => void pushReceipt(message, tries + 1));
    }
  };

  const deliver = (message: SmsMessage) => {
    message.delivered_at ??= new Date(nowMs()).toISOString();
    onChange(messages);
    void pushReceipt(message, 0);
    if (faults.duplicates) later(50, () => void pushReceipt(message, 0));
  };

  const take = async (asked: Asked) => {
    if (!hasSecret(asked, secret)) throw new HttpError(401, 'Wrong secret.');
    if (faults.is_slow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (faults.is_down) throw new HttpError(503, 'The provider is down.');
    const sent = readBody(asked, sendSchema);
    let message = messages.find((one) => one.reference === sent.reference);
    if (!message) {
      const at = new Date(nowMs()).toISOString();
      message = { message_id: randomUUID(), ...sent, at, delivered_at: null, isReceiptTaken: false };
      messages.push(message);
      messages.splice(0, Math.max(0, messages.length - KEEP));
      onChange(messages);
      const taken = message;
      if (!faults.never_delivers) later(faults.is_slow ? SLOW_MS : deliverAfterMs, () => deliver(taken));
    }
    sendJson(asked.response, 202, { message_id: message.message_id });
  };

  const outbox = (mobile?: string) => {
    const all = messages.toReversed();
    return mobile ? all.filter((message) => tenDigits(message.to) === tenDigits(mobile)) : all;
  };

  for (const message of messages) if (!message.isReceiptTaken) later(deliverAfterMs, () => deliver(message));

  return {
    routes: [
      { method: 'POST', path: '/sms/v1/messages', handle: take },
      {
        method: 'GET',
        path: '/sms/outbox',
        handle: ({ url }) =>
          outbox(url.searchParams.get('mobile') ?? undefined)
            .slice(0, 200)
            .map(publicMessage),
      },
    ],
    outbox,
    faults: () => faults,
    setFaults: (change) => {
      faults = { ...faults, ...change };
      onChange(messages);
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** What anyone may see of a message. */
export const publicMessage = ({ message_id, to, body, template, at, delivered_at }: SmsMessage) => ({
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
