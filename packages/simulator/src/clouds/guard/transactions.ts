import type { GuardBooks, GuardTransaction, Item } from './books.ts';
import { carryOut } from './items.ts';
import type { GuardFaults } from './protocol.ts';
import { Timers } from './timers.ts';

export interface TransactionOptions {
  books: GuardBooks;
  nowMs: () => number;
  faults: () => GuardFaults;
  /** A transaction is over. */
  done: (transaction: GuardTransaction) => void;
  changed: () => void;
  /** How long a transaction takes. */
  completeAfterMs: number;
  slowMs: number;
}

/** Bulk calls are taken at once and carried out later; what a restart cut off is begun again. */
export class Transactions {
  readonly #options: TransactionOptions;
  readonly #timers = new Timers();

  constructor(options: TransactionOptions) {
    this.#options = options;
    for (const one of options.books.kept.transactions) if (one.open.length > 0) this.#carryOutLater(one);
  }

  /** One request id is one transaction for ever. @param items asked for only when the request is new */
  take(tenant: string, requestId: string, items: () => Item[]): { transaction_id: string } {
    const { books, changed } = this.#options;
    const known = books.transactionOf(tenant, requestId);
    if (known) return { transaction_id: known.transaction_id };
    const made = books.addTransaction(tenant, requestId, items());
    changed();
    this.#carryOutLater(made);
    return { transaction_id: made.transaction_id };
  }

  stop(): void {
    this.#timers.stop();
  }

  #carryOutLater(one: GuardTransaction): void {
    const { faults, completeAfterMs, slowMs } = this.#options;
    this.#timers.later(faults().is_slow ? slowMs : completeAfterMs, () => this.#carryOut(one));
  }

  #carryOut(one: GuardTransaction): void {
    const { books, nowMs, faults, done, changed } = this.#options;
    const isPartial = faults().completes_partially;
    const half = one.results.length > 0 ? 0 : Math.floor(one.open.length / 2);
    const items = one.open.splice(0, isPartial ? half : one.open.length);
    for (const item of items) one.results.push(carryOut(books, one.tenant, item, nowMs()));
    if (one.open.length > 0) this.#carryOutLater(one);
    else done(one);
    if (items.length > 0) changed();
  }
}
