/**
 * Lets at most so many works run at one time. Whoever waits is served in turns, one work of each owner after the other: a thousand works of one owner delay
 * the first of another by one.
 */
export function createFairTurns(maxAtOnce: number): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  /** In the order of their turns. */
  const queues = new Map<string, (() => Promise<void>)[]>();
  let running = 0;

  function next(): void {
    for (const [owner, queue] of queues) {
      if (running >= maxAtOnce) return;
      const start = queue.shift()!;
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      running += 1;
      void start().finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(owner) ?? [];
      queue.push(() => work().then(resolve, reject));
      queues.set(owner, queue);
      next();
    });
}
