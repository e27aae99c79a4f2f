import { randomUUID } from 'node:crypto';
import type { GuardBooks, WaitingEvent } from './books.ts';
import type { GuardEvent, GuardFaults } from './protocol.ts';
import { signWebhook } from './signing.ts';
import { Timers } from './timers.ts';

export interface WebhookTarget {
  id: string;
  webhook_url: string;
  webhook_secret: string;
}

export interface WebhookOptions {
  books: GuardBooks;
  tenants: readonly WebhookTarget[];
  nowMs: () => number;
  faults: () => GuardFaults;
  changed: () => void;
  /** The first pause before a repeat; each next one is twice as long. */
  retryAfterMs?: number;
  /** How long webhooks are gathered on a day on which they come in reversed order. */
  gatherMs?: number;
}

const RETRY_AFTER_MS = 1000;
const MOST_DOUBLINGS = 8;
const GATHER_MS = 300;
const TWICE_AFTER_MS = 30;
const TIMEOUT_MS = 10_000;

/** Tells tenants what happened, each webhook until it is taken; waiting ones are kept over restarts. Their order is nobody's promise. */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #timers = new Timers();
  #gathered: WaitingEvent[] = [];

  constructor(options: WebhookOptions) {
    this.#options = options;
    for (const waiting of options.books.kept.events) this.#timers.later(0, () => void this.#push(waiting, 0));
  }

  /** @param said without id and time */
  tell(tenant: string, said: Omit<GuardEvent, 'event_id' | 'at'>): void {
    const { books, nowMs, faults } = this.#options;
    const event = { event_id: randomUUID(), at: new Date(nowMs()).toISOString(), ...said };
    const waiting = { tenant, event };
    books.kept.events.push(waiting);
    if (faults().reverses_webhooks) this.#gather(waiting);
    else this.#timers.later(0, () => void this.#push(waiting, 0));
  }

  stop(): void {
    this.#timers.stop();
  }

  #gather(waiting: WaitingEvent): void {
    this.#gathered.push(waiting);
    if (this.#gathered.length === 1)
      this.#timers.later(this.#options.gatherMs ?? GATHER_MS, () => void this.#sendGathered());
  }

  async #sendGathered(): Promise<void> {
    const newestFirst = this.#gathered.toReversed();
    this.#gathered = [];
    for (const waiting of newestFirst) await this.#push(waiting, 0);
  }

  async #push(waiting: WaitingEvent, tries: number): Promise<void> {
    const { books, faults, changed, retryAfterMs = RETRY_AFTER_MS } = this.#options;
    if (faults().sends_twice) this.#timers.later(TWICE_AFTER_MS, () => void this.#send(waiting).catch(() => undefined));
    const isTaken = await this.#send(waiting).catch(() => false);
    if (isTaken) {
      if (books.endEvent(waiting)) changed();
      return;
    }
    const pauseMs = retryAfterMs * 2 ** Math.min(tries, MOST_DOUBLINGS);
    this.#timers.later(pauseMs, () => void this.#push(waiting, tries + 1));
  }

  async #send({ tenant, event }: WaitingEvent): Promise<boolean> {
    const to = this.#options.tenants.find(({ id }) => id === tenant);
    // A tenant that was taken out of the configuration hears nothing more.
    if (!to) return true;
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json',
      // When it is sent by this machine's clock, not the world's: who is called judges by its own how fresh the call is.
      'x-guard-signature': signWebhook(to.webhook_secret, Date.now(), body),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(to.webhook_url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.ok;
  }
}
