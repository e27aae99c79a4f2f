import * as organisations from '#server/organisations/organisations.ts';
import { provisioningName } from '@kist/contract/codes';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { Database } from '#server/platform/database.ts';
import {
  type Adapter,
  type Delivery,
  type IsUnlockWaiting,
  NOT_BEGUN,
  type Outcome,
  type VendorPorts,
} from './adapter.ts';
import {
  EVERYTHING,
  cargoOf,
  countCarried,
  isUnlockWaiting,
  noteCarried,
  noteOrders,
  organisationsWaiting,
  spendBudget,
  takeBudget,
  takeKnocks,
  takeWaiting,
} from './delivery-store.ts';

/** Between two looks at the queue when nobody says that there is something: what a dead LISTEN costs at most, with the time of one pass. */
const LOOK_EVERY_MS = 1000;
/** What is given back goes before everything else; the rest in its own order. */
const GIVEN_BACK_ONLY = 0;
const ALL_BUT_LOCKS = 1;
/** After an outcome that says nothing of time, and the longest pause that repeated trouble grows to. */
const TROUBLE_MS = 5000;
const TROUBLE_MOST_MS = 15 * 60_000;
/** However long a vendor was away, and whatever time it named: what gives back is tried again after this long at the latest, and anything else. */
const GIVEN_BACK_MOST_MS = 60_000;
const PAUSE_MOST_MS = 60 * 60_000;
const WHY_LENGTH = 200;
const FIRST_PAUSE_MS = 1000;

export interface DispatcherOptions {
  db: Pick<Database, 'device' | 'devicePool' | 'unscoped'>;
  adapters: readonly Adapter[];
  /** Where what vendors say at once comes in. */
  ports: Pick<VendorPorts, 'ended' | 'observe' | 'nowMs' | 'account'>;
  /** An order was moved on, and whoever watches the phone sees it. */
  changed: (deviceIds: readonly string[]) => void;
  onError: (error: unknown) => void;
}

export interface Dispatcher {
  /** There is something: look now. A hint; the queue is looked at every second anyway. */
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
  /** Carries until nothing waits that may go now. */
  drain(): Promise<void>;
}

/**
 * Carries from the queue to the vendors. Any number of processes may run it: what one has taken the others pass over, and what one that died had taken
 * is free again a minute later.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const carriers = options.adapters.map((adapter) => createCarrier(options, adapter));
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;
  const nudge = (): void => {
    if (!isStopped) for (const carrier of carriers) carrier.go();
  };
  return {
    nudge,
    start: () => {
      isStopped = false;
      timer = setInterval(nudge, LOOK_EVERY_MS);
      timer.unref();
      nudge();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await Promise.all(carriers.map((carrier) => carrier.whenIdle()));
    },
    drain: async () => {
      for (const carrier of carriers) {
        carrier.go();
        await carrier.whenIdle();
      }
    },
  };
}

/** A run that, asked to go while it goes, goes once more. @param pass says whether there may be more to carry */
function createRun(pass: () => Promise<boolean>, onError: (error: unknown) => void) {
  let isAsked = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      try {
        if (await pass()) isAsked = true;
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    go: (): void => {
      isAsked = true;
      running ??= run().finally(() => (running = undefined));
    },
    whenIdle: async (): Promise<void> => {
      while (running) await running;
    },
  };
}
type Run = ReturnType<typeof createRun>;

/**
 * One vendor's run through the queue. Phones that only hear that there is something are told in one lane: first all that is given back, of everybody, then one
 * batch of the rest of each organisation. Where something is carried each organisation has a lane of its own: another's account may be slow to answer.
 */
function createCarrier(options: DispatcherOptions, adapter: Adapter): Run {
  const waiting = async () =>
    organisationsWaiting.all(options.db.devicePool, {
      org_ids: await organisations.everyId(options.db),
      vendor: adapter.vendor,
    });
  const each = async (orgIds: readonly number[], go: typeof carryBatch): Promise<boolean> => {
    let isAny = false;
    for (const most of [GIVEN_BACK_ONLY, EVERYTHING])
      for (const orgId of orgIds) if (await go(options, adapter, orgId, most)) isAny = true;
    return isAny;
  };
  const idsOf = (rows: readonly { org_id: number }[]) => rows.map(({ org_id }) => org_id);
  if (!adapter.carries) return createRun(async () => each(idsOf(await waiting()), knock), options.onError);

  const lanes = new Map<number, Run>();
  const laneOf = (orgId: number): Run => {
    const lane = lanes.get(orgId) ?? createRun(() => each([orgId], carryBatch), options.onError);
    lanes.set(orgId, lane);
    return lane;
  };
  const look = createRun(async () => {
    for (const orgId of idsOf(await waiting())) laneOf(orgId).go();
    return false;
  }, options.onError);
  return {
    go: look.go,
    whenIdle: async () => {
      await look.whenIdle();
      await Promise.all([...lanes.values()].map((lane) => lane.whenIdle()));
    },
  };
}

/**
 * Phones that come to us by themselves need only hear that there is something: what they were told of is off the queue with one write. Whoever dies before
 * that, or could not tell them, leaves it there.
 * @returns whether there may be more: less than a batch was all that there was, and whatever comes meanwhile says so itself
 */
async function knock({ db }: DispatcherOptions, adapter: Adapter, orgId: number, most: number): Promise<boolean> {
  const { vendor, batchSize: limit } = adapter;
  return db.device(async (tx) => {
    const taken = await takeKnocks.all(tx, { org_id: orgId, vendor, most, limit });
    if (taken.length > 0) await adapter.deliver(taken.map((one) => bare(orgId, one)));
    return taken.length === limit;
  });
}

async function carryBatch(options: DispatcherOptions, adapter: Adapter, orgId: number, most: number): Promise<boolean> {
  const { devicePool } = options.db;
  const { vendor } = adapter;
  const { given, locks, isRefused } = await budgetOf(options, adapter, orgId);
  if (given === 0) return false;
  const upTo = locks === 0 ? Math.min(most, ALL_BUT_LOCKS) : most;
  const limit = upTo === EVERYTHING ? Math.min(given, locks) : given;
  const taken = await takeWaiting.all(devicePool, { org_id: orgId, vendor, most: upTo, limit });
  if (taken.length === 0) return false;
  if (adapter.budget) await spendBudget.run(devicePool, { org_id: orgId, vendor, spent: taken.length });
  const batch = await load(options, orgId, taken);
  const isWaiting = async () => (await isUnlockWaiting.one(devicePool, { org_id: orgId, vendor })).is_waiting;
  const outcomes: readonly Outcome[] = await carry(adapter, batch, isWaiting).catch((error: unknown) => {
    options.onError(error);
    return batch.map((): Outcome => ({ outcome: 'later', afterMs: TROUBLE_MS, why: 'the adapter failed' }));
  });
  const notBegun = outcomes.filter((one) => one === NOT_BEGUN).length;
  if (adapter.budget && notBegun > 0) await spendBudget.run(devicePool, { org_id: orgId, vendor, spent: -notBegun });
  const carried = outcomes.filter((one) => one.outcome === 'told' && one.operation !== undefined).length;
  if (adapter.budget?.perDay && carried > 0) await countCarried.run(devicePool, { org_id: orgId, vendor, carried });
  await settle(options, orgId, taken, batch, outcomes);
  const refusal = outcomes.find((one): one is Later => one.outcome === 'later' && one.isAccount === true);
  const isTaken = outcomes.some(({ outcome }) => outcome !== 'later');
  if (refusal) await options.ports.account(orgId, vendor, refusal.why);
  else if (isRefused && isTaken) await options.ports.account(orgId, vendor, null);
  return true;
}

const isLetGo = ({ desired }: Delivery): boolean => desired?.policy.released === true;

/**
 * Phones that are let go for good are released; the others are told what they shall be. A release is a call for each phone: none is begun while an unlock
 * waits.
 */
async function carry(
  adapter: Adapter,
  batch: readonly Delivery[],
  isWaiting: IsUnlockWaiting,
): Promise<readonly Outcome[]> {
  if (!batch.some(isLetGo)) return adapter.deliver(batch, isWaiting);
  const others = batch.filter((one) => !isLetGo(one));
  const told = others.length > 0 ? await adapter.deliver(others, isWaiting) : [];
  const outcomes: Outcome[] = [];
  let next = 0;
  let isOver = false;
  for (const one of batch) {
    if (!isLetGo(one)) {
      outcomes.push(told[next++]!);
      continue;
    }
    isOver ||= await isWaiting();
    outcomes.push(isOver ? NOT_BEGUN : await adapter.release(one));
  }
  return outcomes;
}

/** Deliveries that may go now, of the vendor's day what is left for locks, and whether the vendor refused the account when it was last asked. */
async function budgetOf(
  { db }: DispatcherOptions,
  adapter: Adapter,
  orgId: number,
): Promise<{ given: number; locks: number; isRefused: boolean }> {
  const { vendor, budget, batchSize } = adapter;
  if (!budget) return { given: batchSize, locks: batchSize, isRefused: false };
  const {
    given,
    carried_today: carried,
    is_refused: isRefused,
  } = await takeBudget.one(db.devicePool, {
    org_id: orgId,
    vendor,
    wanted: batchSize,
    per_minute: budget.perMinute,
    burst: budget.burst,
  });
  const { perDay = Infinity, keptForUnlocks = 0 } = budget;
  return { given: Math.max(0, given), locks: Math.max(0, perDay - keptForUnlocks - carried), isRefused };
}

type Taken = Awaited<ReturnType<(typeof takeWaiting)['all']>>[number];

const bare = (orgId: number, { enrolment_id, device_id }: Pick<Taken, 'enrolment_id' | 'device_id'>): Delivery => ({
  orgId,
  enrolmentId: enrolment_id,
  deviceId: device_id,
  handle: null,
  provisioning: 'DPC',
  desired: null,
  orders: [],
  before: { revision: null, operation: null, tries: 1 },
});

async function load({ db }: DispatcherOptions, orgId: number, taken: readonly Taken[]): Promise<Delivery[]> {
  const rows = await cargoOf.all(db.devicePool, {
    org_id: orgId,
    enrolment_ids: taken.map((one) => one.enrolment_id),
  });
  const cargo = new Map(rows.map((row) => [row.enrolment_id, row]));
  // A channel that ended meanwhile has no cargo, and its delivery is over.
  return taken.flatMap((one) => {
    const row = cargo.get(one.enrolment_id);
    if (!row) return [];
    const { revision, document: policy } = row;
    return {
      ...bare(orgId, one),
      handle: row.handle,
      provisioning: provisioningName(row.provisioning_type) ?? 'DPC',
      // What the phone is held to is not for a channel beside the one in charge.
      desired: row.in_charge ? { revision, policy } : null,
      orders: row.orders,
      before: { revision: row.carried_revision, operation: row.operation, tries: one.tries },
    };
  });
}

async function settle(
  options: DispatcherOptions,
  orgId: number,
  taken: readonly Taken[],
  batch: readonly Delivery[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const { devicePool } = options.db;
  const known = new Map(batch.map((delivery, index) => [delivery.enrolmentId, { delivery, outcome: outcomes[index] }]));
  const carried = taken.map((one) => carriedOf(one, known.get(one.enrolment_id)));
  await noteCarried.run(devicePool, { org_id: orgId, carried });
  const told = [...known.values()].flatMap(({ delivery, outcome }) => {
    if (outcome?.outcome !== 'told' && outcome?.outcome !== 'refused') return [];
    return {
      enrolment_id: delivery.enrolmentId,
      fail_code: outcome.outcome === 'refused' ? outcome.code : null,
      orders: delivery.orders.map(({ id }) => id),
    };
  });
  if (told.length > 0) {
    await noteOrders.run(devicePool, { org_id: orgId, told });
    options.changed(batch.map(({ deviceId }) => deviceId));
  }
  for (const { delivery, outcome } of known.values()) {
    if (outcome?.outcome === 'gone') await options.ports.ended(delivery, outcome.why);
    if (outcome?.outcome === 'told' && outcome.answers)
      await options.ports.observe({
        channel: delivery,
        moment: { boots: 0, ms: await options.ports.nowMs() },
        acks: outcome.answers,
      });
  }
}

/**
 * Not before the vendor says, up to `mostMs`; repeated trouble waits twice as long each time, with a part by chance, so that a vendor that comes back is not
 * run over.
 * @param troubles in a row before this one
 */
function pauseMs(troubles: number, { afterMs, isTrouble }: Later, mostMs: number): number {
  const grownMs = isTrouble === false ? 0 : FIRST_PAUSE_MS * 2 ** Math.min(troubles, 12);
  return Math.min(mostMs, Math.max(afterMs, Math.min(TROUBLE_MOST_MS, grownMs)) * (1 + Math.random() / 4));
}
type Later = Extract<Outcome, { outcome: 'later' }>;

const isUnlock = ({ priority }: Taken): boolean => priority <= GIVEN_BACK_ONLY;

/** Whether a phone, or a part of it, waits for this to be free: also when it is only asked about, which is not the first priority. */
const isGivenBack = (one: Taken, { desired }: Delivery): boolean =>
  isUnlock(one) ||
  (desired !== null && (desired.policy.released === true || desired.policy.lock.level < LOCKED_FROM_LEVEL));

/** A question or a release: what it shall be the vendor was given, or it shall be let go. */
const takesOwnCall = (delivery: Delivery): boolean =>
  isLetGo(delivery) || delivery.desired === null || delivery.before.revision === delivery.desired.revision;

function carriedOf(one: Taken, known: { delivery: Delivery; outcome: Outcome | undefined } | undefined) {
  const base = { enrolment_id: one.enrolment_id, change_no: one.change_no };
  const nothing = { operation: null, revision: null, level: null, why: null };
  const done = { ...base, again_ms: null, is_tried: true, is_put_aside: false, ...nothing };
  if (!known) return done;
  const { delivery, outcome } = known;
  switch (outcome?.outcome) {
    case 'told':
      return {
        ...done,
        operation: outcome.operation ?? null,
        revision: delivery.desired?.revision ?? null,
        level: outcome.level ?? null,
      };
    case 'refused':
      // Its order has failed, and whoever gave it back hears of that; nobody stays held for it: it is tried on.
      return { ...done, again_ms: isUnlock(one) ? GIVEN_BACK_MOST_MS : null, why: outcome.why.slice(0, WHY_LENGTH) };
    case 'gone':
      return { ...done, why: outcome.why.slice(0, WHY_LENGTH) };
    default: {
      const later: Later = outcome ?? { outcome: 'later', afterMs: TROUBLE_MS, why: 'no outcome' };
      const mostMs = isGivenBack(one, delivery) ? GIVEN_BACK_MOST_MS : PAUSE_MOST_MS;
      return {
        ...done,
        again_ms: Math.round(pauseMs(one.troubles, later, mostMs)),
        is_tried: later.isTrouble !== false,
        is_put_aside: later === NOT_BEGUN && takesOwnCall(delivery),
        why: later.why.slice(0, WHY_LENGTH),
      };
    }
  }
}
