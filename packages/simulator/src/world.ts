import { z } from 'zod';

/** `GET /demo/clock` of the server: its time and how far the demo moved it. */
const demoClockSchema = z.object({ now: z.iso.datetime({ offset: true }), shift_ms: z.number().nonnegative() });
const enveloped = z.object({ data: demoClockSchema });

/**
 * The world's time, the same for every phone whether it has a network or not: real time plus the demo clock's shift. It only grows. Phones
 * get its growth as elapsed time; none of them reads it.
 */
export interface World {
  /** Unix milliseconds. */
  nowMs: () => number;
  /** Resolves at the first answer of the server's clock (a server without one has shift 0). */
  ready: Promise<void>;
  isConnected: () => boolean;
  /** Hands the real time since the last growth to the listeners, now. */
  flush: () => void;
  /**
   * Asks the server's clock and hands on what it grew. A phone that got an answer calls this before it believes the time in it: else the
   * same jump would count twice, once in the answer and once as elapsed time.
   * @throws Error when the server does not answer
   */
  sync: () => Promise<void>;
  /** @returns a function that ends it. Negative growth never happens. */
  onGrowth: (listener: (ms: number) => void) => () => void;
  stop: () => void;
}

const POLL_MS = 1000;
const TIMEOUT_MS = 5000;

/**
 * @param serverUrl without a trailing slash
 * @param pollMs how often the server's clock is asked, and at least how often time grows
 */
export function createWorld(serverUrl: string, pollMs = POLL_MS): World {
  const listeners = new Set<(ms: number) => void>();
  let shiftMs = 0;
  let isKnown = false;
  let isConnected = false;
  let handedOverAt = performance.now();
  let asking: Promise<void> | undefined;
  let becomeReady = () => {};
  const ready = new Promise<void>((resolve) => (becomeReady = resolve));

  const grow = (ms: number) => {
    if (ms > 0) for (const listener of listeners) listener(ms);
  };
  const flush = () => {
    const now = performance.now();
    const ms = now - handedOverAt;
    handedOverAt = now;
    grow(ms);
  };
  const learn = (shift: number) => {
    const by = isKnown ? Math.max(0, shift - shiftMs) : 0;
    shiftMs = isKnown ? shiftMs + by : shift;
    isKnown = true;
    flush();
    grow(by);
    becomeReady();
  };
  const ask = async () => {
    try {
      const response = await fetch(`${serverUrl}/demo/clock`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body: unknown = response.ok ? await response.json() : undefined;
      if (!response.ok && response.status !== 404) throw new Error(`demo clock: ${response.status}`);
      learn(body === undefined ? 0 : readShift(body));
      isConnected = true;
    } catch (error) {
      isConnected = false;
      flush();
      throw error;
    }
  };
  const sync = async () => {
    // An answer asked for before this call may be older than what the caller knows.
    await asking?.catch(() => undefined);
    asking ??= ask().finally(() => (asking = undefined));
    await asking;
  };
  const timer = setInterval(() => void sync().catch(() => undefined), pollMs);
  void sync().catch(() => undefined);

  return {
    nowMs: () => Date.now() + shiftMs,
    ready,
    isConnected: () => isConnected,
    flush,
    sync,
    onGrowth: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => clearInterval(timer),
  };
}

function readShift(body: unknown): number {
  const plain = demoClockSchema.safeParse(body);
  return plain.success ? plain.data.shift_ms : enveloped.parse(body).data.shift_ms;
}
