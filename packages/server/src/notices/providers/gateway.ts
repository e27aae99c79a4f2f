import type { SmsProvider } from './provider.ts';

/** The gateway takes nothing from us whatever the message: a wrong secret, an account that ended, an address that is none. */
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

/** After a refusal somebody mends something; the next message finds out. Until then nobody waits for a code that does not come. */
const REFUSED_FOR_MS = 60_000;

/** @param provider undefined: nothing can be sent */
export function createGateway(
  provider: SmsProvider | undefined,
  nowMs: () => number = () => performance.now(),
): Gateway {
  let refusedAtMs: number | undefined;
  return {
    provider: provider && {
      async send(message, signal) {
        try {
          const sent = await provider.send(message, signal);
          refusedAtMs = undefined;
          return sent;
        } catch (error) {
          if (error instanceof GatewayRefusal) refusedAtMs = nowMs();
          throw error;
        }
      },
    },
    canSend: () => provider !== undefined && (refusedAtMs === undefined || nowMs() - refusedAtMs >= REFUSED_FOR_MS),
  };
}
