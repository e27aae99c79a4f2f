import { setTimeout as sleep } from 'node:timers/promises';

/** Several changes of one moment are one event. */
const GATHER_MS = 50;
/** Between two readings of one topic, however often it changes. */
const SPACING_MS = 250;

export interface Subscriber {
  send(text: string): void;
  end(): void;
}

export interface TopicSource {
  /** What there is to send now; an error ends every stream of the topic. */
  read(): Promise<unknown>;
  /** Calls back when it may differ. @returns a function that ends the listening */
  listen(changed: () => void): () => void;
}

/** What one person sees of one thing, read once for all their streams: at most one reading at a time, and none that nobody waits for. */
export interface Topic {
  /** @returns a function that leaves again */
  join(subscriber: Subscriber): () => void;
}

/** @param onEmpty called when the last subscriber has left */
export function createTopic({ read, listen }: TopicSource, onEmpty: () => void): Topic {
  const subscribers = new Set<Subscriber>();
  let stopListening: (() => void) | undefined;
  let isRunning = false;
  let isStale = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    while (isStale && subscribers.size > 0) {
      await sleep(Math.max(GATHER_MS, readAtMs + SPACING_MS - performance.now()));
      isStale = false;
      readAtMs = performance.now();
      const text = JSON.stringify(await read());
      for (const subscriber of subscribers) subscriber.send(text);
    }
  };

  const refresh = (): void => {
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    void run()
      .catch(() => {
        for (const subscriber of subscribers) subscriber.end();
      })
      .finally(() => {
        isRunning = false;
      });
  };

  return {
    join(subscriber) {
      subscribers.add(subscriber);
      stopListening ??= listen(refresh);
      // What changed between the newcomer's reading and the listening.
      refresh();
      return () => {
        if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
        stopListening?.();
        stopListening = undefined;
        onEmpty();
      };
    },
  };
}
