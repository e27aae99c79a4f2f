import { stored } from '#web/state/storage.ts';

declare global {
  interface Window {
    /** What was asked before any code of the app had come (early.ts); nothing in a browser without cryptography, and in development. */
    early?: EarlyAnswers;
  }
}

export interface EarlyAnswers {
  /** Of the session that asked. */
  token: string;
  atMs: number;
  /** By `keyOf`; undefined: it was not asked after all. */
  answers: Map<string, Promise<Response | undefined>>;
}

/** A screen that is gone to later asks of its own. */
const LONGEST_MS = 30_000;

/** @param body as it is sent; '' of a GET */
export const keyOf = (method: string, url: string, body: string): string => [method, url, body].join(' ');

/**
 * The answer to what was asked before any code of the app had come, for the request that asks the same; each once.
 * @returns undefined: nobody asked it, it was another's session, it was long ago, or nobody answered: then this request is sent
 * @throws what ended the request meanwhile (its time is over, the session ended)
 */
export async function takeEarly(request: Request): Promise<Response | undefined> {
  const { early } = window;
  if (!early) return undefined;
  if (early.token !== stored('token') || Date.now() - early.atMs > LONGEST_MS || early.answers.size === 0) {
    delete window.early;
    return undefined;
  }
  const body = request.method === 'GET' ? '' : await request.clone().text();
  const key = keyOf(request.method, request.url, body);
  const answer = early.answers.get(key);
  early.answers.delete(key);
  if (!answer) return undefined;
  const { signal } = request;
  const isEnded = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  return Promise.race([answer.catch(() => undefined), isEnded]);
}
