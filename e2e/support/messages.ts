import { demoCall } from './base-url.ts';

export interface TextMessage {
  message_id: string;
  to: string;
  body: string;
  template: string;
  at: string;
  delivered_at: string | null;
}

/** Text messages to a mobile, newest first. */
export const messagesTo = (mobile: string): Promise<TextMessage[]> =>
  demoCall('GET', `/demo/outbox?mobile=${encodeURIComponent(mobile)}`);

/** The code of the newest message that came after `after` (ISO), waiting for it a little. */
export async function codeFor(mobile: string, known: readonly TextMessage[]): Promise<string> {
  const seen = new Set(known.map((message) => message.message_id));
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const fresh = (await messagesTo(mobile)).find((message) => !seen.has(message.message_id));
    const code = fresh && /\b(\d{6})\b/.exec(fresh.body)?.[1];
    if (code) return code;
    await new Promise((resolve) => void setTimeout(resolve, 150));
  }
  throw new Error(`no code came to ${mobile}`);
}

/** A number as the app shows it: enough to recognise. */
export const maskMobile = (mobile: string): string => `${mobile.slice(0, 2)}••• ••${mobile.slice(-3)}`;
