import { z } from 'zod';
import { machineTextSchema } from '@kist/contract/fields';
import { GatewayRefusal } from './gateway.ts';
import type { SmsProvider } from './provider.ts';

export interface HttpGatewayOptions {
  url: string;
  secret: string;
  /** Where the gateway tells us what became of a message. */
  callbackUrl: string;
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 8000;
/** Answers about us or the gateway itself, not about one message. */
const REFUSALS: readonly number[] = [401, 402, 403, 404, 405, 410, 502, 503, 504];
const replySchema = z.object({ message_id: machineTextSchema(200).min(1) });

/** Any gateway that takes JSON: POST {to, body, template, template_id, reference, callback_url} with a bearer secret, answered by 2xx {message_id}. */
export function createHttpGateway({ url, secret, callbackUrl, timeoutMs }: HttpGatewayOptions): SmsProvider {
  return {
    async send({ to, body, template, template_id, reference }, signal) {
      const asked = fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': reference,
        },
        body: JSON.stringify({ to, body, template, template_id, reference, callback_url: callbackUrl }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs ?? DEFAULT_TIMEOUT_MS)]),
      });
      const reply = await asked.catch((error: unknown) => {
        // We are stopping: that says nothing of the gateway.
        if (signal.aborted) throw error;
        throw new GatewayRefusal('the SMS gateway does not answer', { cause: error });
      });
      const text = await reply.text();
      if (REFUSALS.includes(reply.status)) throw new GatewayRefusal(`the SMS gateway refuses with ${reply.status}`);
      if (!reply.ok) throw new Error(`the SMS gateway answered ${reply.status}`);
      return { id: replySchema.parse(JSON.parse(text)).message_id };
    },
  };
}
