import type { SmsProvider } from './provider.ts';

/** The gateway takes nothing from us whatever the message: a wrong secret, an account that ended, an address that is none, nobody who answers. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
}

/** The way out for text messages, and whether it is one. */
export interface Gateway {
  /** Undefined until one is configured. */
  provider: SmsProvider | undefined;
  /** Known without any message: so who asks for a code can be told, and learns nothing about whom the code is for. */
  canSend(): boolean;
}

/**
 * After a refusal somebody mends something, and the next message finds out: one every minute is let through to try. Until it is taken nobody else waits
 * for a code that does not come.
 */
const RETRY_MS = 60_000;

/** @param provider undefined: nothing can be sent */
export function createGateway(
  provider: SmsProvider | undefined,
  nowMs: () => number = () => performance.now(),
): Gateway {
  /** When the last message was refused, or let through to try. */
  let triedAtMs: number | undefined;
  return {
    provider: provider && {
      async send(message, signal) {
        try {
          const sent = await provider.send(message, signal);
          triedAtMs = undefined;
          return sent;
        } catch (error) {
          if (error instanceof GatewayRefusal) triedAtMs = nowMs();
          throw error;
        }
      },
    },
    canSend() {
      if (provider === undefined) return false;
      if (triedAtMs === undefined) return true;
      if (nowMs() - triedAtMs < RETRY_MS) return false;
      triedAtMs = nowMs();
      return true;
    },
  };
}
