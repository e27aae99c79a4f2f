/** Timeouts that end together; afterwards none begins. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();
  #isStopped = false;

  later(ms: number, run: () => void): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      run();
    }, ms);
    this.#running.add(timer);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
