import { z } from 'zod';

/** `GET /demo/clock` of the server: its time and how far the demo moved it. */
const demoClockSchema = z.object({ now: z.iso.datetime({ offset: true }), shift_ms: z.number().nonnegative() });
const enveloped = z.object({ data: demoClockSchema });

const POLL_MS = 1000;
const TIMEOUT_MS = 5000;

/**
 * The world's time, the same for every phone whether it has a network or not: real time plus the demo clock's shift. It only grows. Phones
 * get its growth as elapsed time; none of them reads it.
 */
export class World {
  /** Resolves at the first answer of the server's clock (a server without one has shift 0). */
  readonly ready: Promise<void>;
  readonly #serverUrl: string;
  readonly #listeners = new Set<(ms: number) => void>();
  readonly #timer: NodeJS.Timeout;
  #becomeReady = () => {};
  #shiftMs = 0;
  #isKnown = false;
  #isConnected = false;
  #handedOverAt = performance.now();
  #asking: Promise<void> | undefined;

  /**
   * @param serverUrl without a trailing slash
   * @param pollMs how often the server's clock is asked, and at least how often time grows
   */
  constructor(serverUrl: string, pollMs = POLL_MS) {
    this.#serverUrl = serverUrl;
    this.ready = new Promise<void>((resolve) => (this.#becomeReady = resolve));
    const sync = () => void this.sync().catch(() => undefined);
    this.#timer = setInterval(sync, pollMs);
    sync();
  }

  /** Unix milliseconds. */
  nowMs(): number {
    return Date.now() + this.#shiftMs;
  }
  isConnected(): boolean {
    return this.#isConnected;
  }

  /** Hands the real time since the last growth to the listeners, now. */
  flush(): void {
    const now = performance.now();
    const ms = now - this.#handedOverAt;
    this.#handedOverAt = now;
    this.#grow(ms);
  }

  /**
   * Asks the server's clock and hands on what it grew. A phone that got an answer calls this before it believes the time in it: else the
   * same jump would count twice, once in the answer and once as elapsed time.
   * @throws Error when the server does not answer
   */
  async sync(): Promise<void> {
    // An answer asked for before this call may be older than what the caller knows.
    await this.#asking?.catch(() => undefined);
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  /** @returns a function that ends it. Negative growth never happens. */
  onGrowth(listener: (ms: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #grow(ms: number): void {
    if (ms > 0) for (const listener of this.#listeners) listener(ms);
  }

  #learn(shiftMs: number): void {
    const by = this.#isKnown ? Math.max(0, shiftMs - this.#shiftMs) : 0;
    this.#shiftMs = this.#isKnown ? this.#shiftMs + by : shiftMs;
    this.#isKnown = true;
    this.flush();
    this.#grow(by);
    this.#becomeReady();
  }

  async #ask(): Promise<void> {
    try {
      const response = await fetch(`${this.#serverUrl}/demo/clock`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body: unknown = response.ok ? await response.json() : undefined;
      if (!response.ok && response.status !== 404) throw new Error(`demo clock: ${response.status}`);
      this.#learn(body === undefined ? 0 : readShift(body));
      this.#isConnected = true;
    } catch (error) {
      this.#isConnected = false;
      this.flush();
      throw error;
    }
  }
}

function readShift(body: unknown): number {
  const plain = demoClockSchema.safeParse(body);
  return plain.success ? plain.data.shift_ms : enveloped.parse(body).data.shift_ms;
}
