import type { EmiDetails } from '@kist/contract/emi';
import { api } from '#web/api/api.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { onSessionEnd } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { outbox } from './app-outbox.ts';
import { awayNow, onServerBack } from './sync-state.ts';

/** A row that money may be taken of: all that is overdue of a customer, or one EMI of a day to come. */
interface Due {
  customer_id: string;
  overdue_paise?: number;
  due_on?: string;
  left_paise?: number;
}

/** Customers whose EMIs are brought along: half of what this phone keeps. */
const MOST = 200;
/** As long as what is kept goes without being asked for again, where the row says nothing else. */
const FRESH_MS = 3_600_000;
/** Between two questions: what somebody waits for goes first. */
const PAUSE_MS = 100;

const wanted = new Map<string, Due>();
const brought = new Set<string>();
const callOf = (customer_id: string) => ({ name: 'getEmiDetails', input: { body: { customer_id } } }) as const;

/**
 * Reads, one after the other, the EMIs of customers that stand in a list, so that money can be taken of each of them when the network goes, though none was
 * opened before. What is kept already and says what the row says is left as it is.
 */
export function stockDues(rows: readonly Due[]): void {
  for (const row of rows) {
    if (!brought.has(row.customer_id) && brought.size >= MOST) continue;
    brought.add(row.customer_id);
    wanted.set(row.customer_id, row);
  }
  void bring();
}

let isBringing = false;
/** The next one, while there is somebody to bring it for and a way to the server. */
const next = () => {
  const [due] = wanted.values();
  return due && stored('user_id') && awayNow() === null ? due : undefined;
};

async function bring(): Promise<void> {
  if (isBringing) return;
  isBringing = true;
  for (let due = next(); due; due = next()) {
    await new Promise<void>((resolve) => setTimeout(() => whenIdle(resolve), PAUSE_MS));
    // Whoever it was for is gone, or a newer row came.
    if (wanted.get(due.customer_id) !== due) continue;
    if (!(await isKept(due)))
      await appStore.dispatch(
        api.endpoints.bring.initiate(callOf(due.customer_id), { subscribe: false, forceRefetch: true }),
      );
    // Unanswered it waits for the server; of a newer row it is asked again.
    if (awayNow() === null && wanted.get(due.customer_id) === due) wanted.delete(due.customer_id);
  }
  isBringing = false;
}

async function isKept(due: Due): Promise<boolean> {
  const { name, input } = callOf(due.customer_id);
  const { keptRead } = await import('./kept-reads.ts');
  const kept = await keptRead(name, input);
  return kept !== undefined && Date.now() - kept.atMs < FRESH_MS && says(kept.data as EmiDetails, due);
}

/** Whether money came in between since the one was told and the other. */
const says = ({ agreement, instalments }: EmiDetails, { overdue_paise, due_on, left_paise }: Due): boolean =>
  due_on === undefined
    ? agreement.overdue_paise === overdue_paise
    : instalments.some((row) => row.due_on === due_on && row.left_paise === left_paise);

/** Whose money waits on this phone. */
let waiting = new Set<string>();
// Once it is with the server, what was kept of them says too much.
outbox.subscribe(() => {
  const before = waiting;
  waiting = new Set(outbox.entries().flatMap(({ about }) => about ?? []));
  const sent = [...before].filter((id) => !waiting.has(id) && brought.has(id));
  stockDues(sent.map((customer_id) => ({ customer_id })));
});
onServerBack(() => void bring());
window.addEventListener('online', () => void bring());
onSessionEnd(() => {
  wanted.clear();
  brought.clear();
});
