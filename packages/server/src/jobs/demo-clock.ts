import * as organisations from '#server/organisations/organisations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IsoDate, addDays, businessDate, instantOf } from '@kist/contract/dates';
import { clockOffsetSeconds, now, setClockOffset } from '#server/platform/clock.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import { inParallel } from '#server/platform/in-parallel.ts';
import { type OutboxDispatcher, bringForward } from '#server/platform/outbox.ts';
import { type DailyRunDeps, runDay } from './daily-run.ts';
import * as store from './store.ts';

export interface DemoClockDeps extends DailyRunDeps {
  /** Who may move the clock. */
  operator: Operator;
  outbox: Pick<OutboxDispatcher, 'drain'>;
}

/** Half past noon: messages may be sent, and every phone's moment of the day is over, so that a day that passes by is a whole day. */
const NOON_MINUTES = 12 * 60 + 30;
/** A gateway's receipts come a moment after the message; without them the next day would be lived as if nobody had been told. */
const RECEIPTS_WAIT_MS = 4000;
const RECEIPTS_POLL_MS = 100;
/** Organisations know nothing of one another, and most of a day is waiting for the database. */
const AT_ONCE = 4;

/**
 * The product's clock of the demo: it only goes forward, and every day on its way is lived at its noon, whatever the hour it is moved from and to; else
 * a demo at night would never see an automatic lock, which respects quiet hours.
 */
export function createDemoClock(deps: DemoClockDeps): {
  read(): Promise<{ now: Date; businessOn: IsoDate; shiftMs: number }>;
  advance(byMs: number): Promise<void>;
} {
  const { db } = deps;
  const read = () =>
    db.unscoped(async (tx) => {
      const at = await now(tx);
      return { now: at, businessOn: businessDate(at.getTime()), shiftMs: (await clockOffsetSeconds(tx)) * 1000 };
    });
  /** Two who advance at once go one after the other. */
  let turn: Promise<void> = Promise.resolve();
  return {
    read,
    advance(byMs) {
      const mine = turn.then(async () => {
        const fromMs = (await read()).now.getTime();
        for (const atMs of [...noonsBetween(fromMs, fromMs + byMs), fromMs + byMs]) {
          await moveTo(deps, atMs);
          await live(deps);
        }
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** @returns half past noon of each day that lies between, both ends left out. */
export function noonsBetween(fromMs: number, toMs: number): number[] {
  const noons: number[] = [];
  for (let on = businessDate(fromMs); instantOf(on) < toMs; on = addDays(on, 1)) {
    const noonMs = instantOf(on, NOON_MINUTES);
    if (noonMs > fromMs && noonMs < toMs) noons.push(noonMs);
  }
  return noons;
}

/** Moves the clock, and with it what waits for a moment of the day: a message put off to nine o'clock is due when nine has passed. */
async function moveTo({ db, operator }: Pick<DemoClockDeps, 'db' | 'operator'>, atMs: number): Promise<void> {
  const byS = await operator.unscoped(async (tx) => {
    const seconds = Math.max(0, (atMs - (await now(tx)).getTime()) / 1000);
    await setClockOffset(tx, (await clockOffsetSeconds(tx)) + seconds);
    return seconds;
  });
  await bringForward(db.devicePool, byS);
}

/** The daily run of every organisation, its messages and their receipts, and what the ladder makes of them. */
async function live(deps: DemoClockDeps): Promise<void> {
  const orgIds = await organisations.everyId(deps.db);
  await inParallel(orgIds, AT_ONCE, (orgId) => runDay(deps, orgId));
  await deps.outbox.drain();
  await inParallel(orgIds, AT_ONCE, async (orgId) => {
    await receiptsOf(deps.db, orgId);
    await deps.locking.runLadder(deps.db, orgId);
  });
  await deps.outbox.drain();
}

/** Waits, not for ever, until the notices that just left are known to have arrived. */
async function receiptsOf(db: Database, orgId: number): Promise<void> {
  const end = performance.now() + RECEIPTS_WAIT_MS;
  const waiting = async () => (await db.read(orgId, (tx) => store.waitingReceipts.one(tx, {}))).count;
  while ((await waiting()) > 0 && performance.now() < end) await sleep(RECEIPTS_POLL_MS);
}
