const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

export interface ReconnectPorts {
  /** Reads again what is on the screen; the answers say whether the server is there. */
  askAgain: () => void;
  /** false: the phone has no network, or nobody looks; nothing is sent. */
  isWorthAsking: () => boolean;
}

/**
 * Asks again, at growing intervals, while the server was not reached. The browser's own 'online' tells of the phone's network only: a request that was
 * under way when it came, a gateway that is down or a captive portal end without any event.
 */
export class Reconnect {
  readonly #ports: ReconnectPorts;
  #waitMs = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ports: ReconnectPorts) {
    this.#ports = ports;
  }

  /** The server was not reached. Further calls change nothing until `stop`. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#ports.isWorthAsking()) {
        this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
        this.#ports.askAgain();
      }
      this.start();
    }, this.#waitMs);
  }

  /** The server answered. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitMs = FIRST_WAIT_MS;
  }
}
