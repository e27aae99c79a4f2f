import { DEVICE_EVENTS_PATH } from '@kist/contract/paths';
import { authSession } from './auth-session.ts';
import { setHeaders } from './base-query.ts';
import { serverConfig } from './server-config.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export interface Live {
  /** Something was ordered or reported, or may have been while nobody listened. */
  onChange: () => void;
  /** Whether changes are heard at once. */
  onLive: (isLive: boolean) => void;
}

/**
 * Hears of every change of one phone as the server tells it (`DEVICE_EVENTS_PATH`); opened again when it ends, after a pause that grows while it cannot be
 * had, and closed while nobody looks. @returns a function that ends it
 */
export function listenToPhone(deviceId: string, { onChange, onLive }: Live): () => void {
  let line = new AbortController();
  let isOver = false;
  let isFirst = true;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    if (isOver || document.visibilityState !== 'visible') return;
    line = new AbortController();
    const { signal } = line;
    try {
      await hear(deviceId, signal, () => {
        pauseMs = FIRST_PAUSE_MS;
        onLive(true);
        // The page has just read what the first one says.
        if (!isFirst) onChange();
        isFirst = false;
      });
    } catch {
      // Whatever it was, the pause comes first; meanwhile the page asks by itself.
    }
    if (isOver || signal.aborted) return;
    onLive(false);
    timer = setTimeout(() => void run(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };
  const close = () => {
    clearTimeout(timer);
    line.abort();
    if (!isOver) onLive(false);
  };
  const look = () => {
    close();
    void run();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  void run();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
    close();
  };
}

/** @param onState after each whole event. Resolves when the server ends the stream. @throws whatever keeps it from being heard */
async function hear(deviceId: string, signal: AbortSignal, onState: () => void): Promise<void> {
  const { baseUrl } = await serverConfig();
  const path = DEVICE_EVENTS_PATH.replace(':device_id', deviceId);
  const headers = setHeaders(new Headers({ accept: 'text/event-stream' }));
  headers.set('x-emm-auth-session', await authSession(path));
  const answer = await fetch((baseUrl || window.location.origin) + path, { headers, signal });
  if (!answer.ok || !answer.body) throw new Error(`no stream: ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) if (/^event: ?state$/m.test(event)) onState();
  }
}
