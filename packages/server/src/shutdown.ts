/** Everything is being stopped; what was started meanwhile is stopped again. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** What was started so far, to be stopped the other way round. */
export interface Shutdown {
  /** @throws StoppedError after `run` was called: then this part has been stopped at once */
  add(stop: () => Promise<void>): Promise<void>;
  /** Stops everything, once, also past a part that fails to stop. @throws what the first of those failed with */
  run(): Promise<void>;
}

/** A signal may come in the middle of a start, which takes most of a minute the first time: nothing may be left behind. */
export function createShutdown(): Shutdown {
  const stops: (() => Promise<void>)[] = [];
  let ended: Promise<void> | undefined;
  const stopAll = async () => {
    const errors: unknown[] = [];
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  return {
    async add(stop) {
      if (!ended) return void stops.push(stop);
      await stop();
      throw new StoppedError();
    },
    run: () => (ended ??= stopAll()),
  };
}
