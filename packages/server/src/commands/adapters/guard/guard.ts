import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Ack } from '@kist/contract/agent';
import { LOCK_LEVELS } from '@kist/contract/lock-policy';
import {
  type Adapter,
  type Delivery,
  type IsUnlockWaiting,
  NOT_BEGUN,
  type Observation,
  type Offer,
  type OfferRequest,
  type Outcome,
  type VendorPorts,
} from '#server/commands/adapter.ts';
import {
  type GuardClient,
  type GuardDevice,
  GuardError,
  type GuardTenant,
  VENDOR,
  begunSchema,
  createGuardClient,
  deviceSchema,
  nothingUnknown,
  recordOf,
  transactionOf,
} from './guard-client.ts';
import { guardRoutes } from './guard-hooks.ts';
import { LET_GO_THERE, observationOf } from './guard-words.ts';

/** The cloud takes so many targets in one call. */
const BATCH_SIZE = 100;
/**
 * Of the 600 calls a minute that the cloud allows a tenant, each with up to a hundred phones, this leaves most to questions and releases. Of the 50,000
 * targets a day half are for unlocks: as many as can be locked on one day can be free again on it.
 */
const BUDGET = { perMinute: 6000, burst: 3000, perDay: 50_000, keptForUnlocks: 25_000 } as const;
/** Questions of a minute, a call each, and how many at once: the rest of the cloud's calls are for what phones shall be, which a hundred share, and for releases. */
const QUESTIONS = { perMinute: 200, burst: 20 } as const;
const SILENCE_MS = 5000;
/** A question that has no room now: a phone that is off is asked about again and again, and answers no sooner for it. */
const ASK_LATER: Outcome = { outcome: 'later', afterMs: 10_000, why: 'TOO_MANY_QUESTIONS', isTrouble: false };

export interface GuardOptions {
  /** Without a trailing slash. */
  url: string;
  tenants: readonly GuardTenant[];
  ports: VendorPorts;
}

/**
 * A phone maker's lock service that holds phones for us: reserved by IMEI or serial, told in bulk what they shall be, heard through signed webhooks. It
 * knows locked and free and nothing between: a phone is locked there at the last level only.
 */
export function createGuard({ url, tenants, ports }: GuardOptions): Adapter {
  const clients = new Map(tenants.map((tenant) => [tenant.orgId, createGuardClient(url, tenant)]));
  const questions = new Map(tenants.map((tenant) => [tenant.orgId, createBucket(QUESTIONS)]));
  const clientOf = (orgId: number): GuardClient => {
    const client = clients.get(orgId);
    if (!client) throw new GuardError(401, 'INVALID_CLIENT');
    return client;
  };
  const seenIn = async (delivery: Delivery, device: GuardDevice | undefined) => {
    const known = delivery.handle && (await ports.channel(delivery.orgId, VENDOR, delivery.handle));
    return device && known ? observationOf(known, device, await ports.nowMs()) : 'unknown';
  };
  const lookup = async (delivery: Delivery): Promise<Observation | 'unknown'> => {
    const seen = await seenIn(delivery, await recordFor(clientOf(delivery.orgId), delivery));
    return seen === 'gone' ? 'unknown' : seen;
  };
  return {
    vendor: VENDOR,
    carries: true,
    batchSize: BATCH_SIZE,
    budget: BUDGET,
    offer: (request) => offer(clientOf(request.orgId), request).catch(notOffered),
    deliver: async (batch, isUnlockWaiting = NEVER) => {
      const [first] = batch;
      if (!first) return [];
      try {
        const client = clientOf(first.orgId);
        const inquire: Inquire = async (one) => {
          if (questions.get(first.orgId)?.take() === false) return undefined;
          const device = await recordFor(client, one);
          const seen = await seenIn(one, device);
          if (seen === 'gone') return GONE;
          if (seen !== 'unknown') await ports.observe(seen);
          if (device === undefined || !isBehind(one, device)) return false;
          return (await isUnlockWaiting()) ? undefined : !(await isUnderWay(client, one));
        };
        return await deliver(client, batch, inquire, isUnlockWaiting);
      } catch (error) {
        return batch.map(() => notNow(error));
      }
    },
    release: (delivery) => release(clientOf, delivery).catch((error: unknown) => refusedOrLater(error, delivery)),
    lookup: (delivery) => lookup(delivery).catch(() => 'unknown' as const),
    routes: guardRoutes(tenants, clientOf, ports),
  };
}

/** @returns whether there is room for one more */
function createBucket({ perMinute, burst }: { perMinute: number; burst: number }): { take: () => boolean } {
  let [left, atMs] = [burst, performance.now()];
  return {
    take: () => {
      const nowMs = performance.now();
      left = Math.min(burst, left + ((nowMs - atMs) * perMinute) / 60_000);
      atMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

const recordFor = (client: GuardClient, { handle }: Delivery) => recordOf(client, handle ?? '').catch(nothingUnknown);

/** Trouble of the cloud's, or of the way there: none of it is about one phone. */
function notNow(error: unknown): Outcome {
  if (!(error instanceof GuardError))
    return { outcome: 'later', afterMs: SILENCE_MS, why: 'an answer that is not the protocol’s' };
  const isAccount = error.status === 401 || error.status === 403;
  return { outcome: 'later', afterMs: error.afterMs ?? SILENCE_MS, why: error.code, ...(isAccount && { isAccount }) };
}
/** Neither an account, nor a limit, nor a bad day: the cloud would say the same of this tomorrow. */
const isOfTheBody = (error: unknown): error is GuardError =>
  error instanceof GuardError && error.status >= 400 && error.status < 500 && !OF_NOW.includes(error.status);
const OF_NOW: readonly number[] = [401, 403, 408, 425, 429];
/** A quarter of an hour of tries: a cloud that refuses everything for a while by a mistake of its own has put it right. */
const REFUSED_AFTER = 10;

/** What one phone's call was refused with: for good once it was refused again and again, so that its order ends and somebody hears of it. */
const refusedOrLater = (error: unknown, { before: { tries } }: Delivery): Outcome =>
  isOfTheBody(error) && tries >= REFUSED_AFTER
    ? { outcome: 'refused', code: error.code, why: error.code }
    : notNow(error);

const notOffered = (error: unknown): Offer => {
  const { why } = notNow(error) as { why: string };
  const isForever = error instanceof GuardError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return isForever ? { offer: 'refused', code: why, why } : { offer: 'later', afterMs: SILENCE_MS, why };
};

/** The cloud has nothing of what it was given for this phone, or what came before. */
const isBehind = ({ desired }: Delivery, { state, target }: GuardDevice): boolean =>
  desired !== null && state === 'enrolled' && (target?.version ?? 0) < desired.revision;

/**
 * The call that carried it is taken and not carried out yet. One that the cloud knows no more never will be, nor is one that stays so waited for without end:
 * its phone is told anew, ever more rarely, for each time costs one of the day's targets.
 */
async function isUnderWay(client: GuardClient, { before: { operation, tries } }: Delivery): Promise<boolean> {
  if (operation === null) return false;
  const call = await transactionOf(client, operation).catch(nothingUnknown);
  return call?.status === 'pending' && !isToldAnewAt(tries);
}

/** What is not confirmed is asked about every five minutes (`ASKED_AFTER_S`): after a quarter of an hour, and then at each doubling. */
const isToldAnewAt = (tries: number): boolean => tries >= 4 && Number.isInteger(Math.log2(tries));

/**
 * Named by what it carries and by the calls that were taken before it: one whose answer was lost is repeated under the same name and is the same transaction.
 * One that stands in for a call that the cloud lost, or could not carry out, is another: under the old name it would be the call that is over, and never done.
 */
const requestIdOf = (kind: 'targets' | 'release', carried: readonly unknown[], batch: readonly Delivery[]): string =>
  `${kind}:${createHash('sha256')
    .update(JSON.stringify([carried, batch.map(({ before: { operation } }) => operation)]))
    .digest('base64url')}`;

/** Whether trouble with one phone is trouble with all: silence, a refusal of the account, a limit. */
const isOfAll = (error: unknown): boolean =>
  error instanceof GuardError &&
  (error.status === 0 || error.status === 401 || error.status === 403 || error.status === 429 || error.status >= 500);

/** Asks the cloud about a phone. @returns whether what it was given is lost there; undefined: there is no room for the question now; or that the cloud holds it no more */
type Inquire = (delivery: Delivery) => Promise<boolean | undefined | typeof GONE>;
const GONE = { outcome: 'gone', why: LET_GO_THERE } as const satisfies Outcome;
const NEVER: IsUnlockWaiting = async () => false;

/**
 * What it was given already and never confirmed: its word was lost, or its phone is off. It is asked, and told again only what it lost; after everything new
 * has left, for a question takes as long as the cloud likes.
 */
async function askAgain(
  client: GuardClient,
  repeats: readonly Delivery[],
  {
    inquire,
    isUnlockWaiting,
    trouble: before,
  }: { inquire: Inquire; isUnlockWaiting: IsUnlockWaiting; trouble: Outcome | undefined },
): Promise<Map<Delivery, Outcome>> {
  const outcomes = new Map<Delivery, Outcome>();
  const lost: Delivery[] = [];
  /** What is everybody's that is still to be asked about. */
  let rest = before;
  for (const one of repeats) {
    if (!rest && (await isUnlockWaiting())) rest = NOT_BEGUN;
    try {
      const answer = rest ? false : await inquire(one);
      if (answer === true) lost.push(one);
      outcomes.set(one, rest ?? (answer === GONE ? GONE : answer === undefined ? ASK_LATER : TOLD));
    } catch (error) {
      const outcome = notNow(error);
      outcomes.set(one, outcome);
      if (isOfAll(error)) rest = outcome;
    }
  }
  const again = await giveTargets(client, lost, isUnlockWaiting);
  return new Map([...outcomes, ...again.outcomes]);
}

const TOLD: Outcome = { outcome: 'told' };
const told = (operation: string): Outcome => ({ outcome: 'told', operation });

/** What became of a delivery, with the level that its document comes to and what can be answered to its orders. */
async function withAnswers(
  client: GuardClient,
  delivery: Delivery,
  outcome: Outcome,
  isUnlockWaiting: IsUnlockWaiting,
): Promise<Outcome> {
  if (outcome.outcome !== 'told') return outcome;
  try {
    if (delivery.orders.length > 0 && (await isUnlockWaiting())) return NOT_BEGUN;
    const answers = delivery.orders.length === 0 ? [] : await answersTo(client, delivery);
    return {
      ...outcome,
      ...(delivery.desired && { level: delivery.desired.policy.lock.level }),
      ...(answers.length > 0 && { answers }),
    };
  } catch (error) {
    return notNow(error);
  }
}

async function deliver(
  client: GuardClient,
  batch: readonly Delivery[],
  inquire: Inquire,
  isUnlockWaiting: IsUnlockWaiting,
): Promise<Outcome[]> {
  const isRepeat = ({ desired, before }: Delivery) => desired === null || before.revision === desired.revision;
  const fresh = batch.filter((one) => !isRepeat(one));
  const { outcomes: carried, trouble } = await giveTargets(client, fresh, isUnlockWaiting);
  const asked = await askAgain(client, batch.filter(isRepeat), { inquire, isUnlockWaiting, trouble });
  const outcomes: Outcome[] = [];
  for (const one of batch)
    outcomes.push(await withAnswers(client, one, asked.get(one) ?? carried.get(one) ?? TOLD, isUnlockWaiting));
  return outcomes;
}

/**
 * Gives the cloud what phones shall be. What it refuses as a whole is tried in halves, down to the one that it cannot take: a bad target holds up itself
 * alone, not the hundred that it was called with.
 * @returns what became of each, and trouble that is everybody's
 */
async function giveTargets(
  client: GuardClient,
  batch: readonly Delivery[],
  isUnlockWaiting: IsUnlockWaiting,
): Promise<{ outcomes: Map<Delivery, Outcome>; trouble: Outcome | undefined }> {
  const outcomes = new Map<Delivery, Outcome>();
  const parts = batch.length > 0 ? [batch] : [];
  let trouble: Outcome | undefined;
  let refused = 0;
  for (let part = parts.pop(); part; part = parts.pop()) {
    let outcome = trouble;
    try {
      if (!outcome && refused > 0 && (await isUnlockWaiting())) outcome = NOT_BEGUN;
      outcome ??= told(await givePart(client, part));
    } catch (error) {
      if (isOfTheBody(error) && part.length > 1 && (refused += 1) <= REFUSED_MOST) {
        const half = Math.ceil(part.length / 2);
        parts.push(part.slice(half), part.slice(0, half));
        continue;
      }
      const [alone, another] = part;
      outcome = alone && !another ? refusedOrLater(error, alone) : notNow(error);
      if (isOfAll(error)) trouble = outcome;
    }
    for (const one of part) outcomes.set(one, outcome);
  }
  return { outcomes, trouble };
}

/** Of a batch in which very much is refused the rest waits: no call of the cloud's minute goes into finding each of them out. */
const REFUSED_MOST = 40;

async function givePart(client: GuardClient, batch: readonly Delivery[]): Promise<string> {
  const items = batch.map(targetOf);
  const body = { request_id: requestIdOf('targets', items, batch), items };
  return (await client.ask(begunSchema, 'POST', '/guard/v1/devices/targets', body)).transaction_id;
}

/** The cloud locks whole phones: below the last level a phone is free there, whatever our own ladder says of it. */
function targetOf({ handle, desired }: Delivery): object {
  const { lock } = desired!.policy;
  const isLocked = lock.level >= LOCK_LEVELS.kiosk;
  return {
    device_id: handle,
    target: {
      version: desired!.revision,
      locked: isLocked,
      title: isLocked ? (lock.screen?.shop ?? '') : '',
      message:
        isLocked && lock.screen ? `${lock.screen.agreement_no} · ₹${(lock.screen.amount_paise / 100).toFixed(2)}` : '',
      phone_number: isLocked ? (lock.screen?.shop_phone ?? '') : '',
    },
  };
}

/** The list of SIMs is in the cloud's record; nothing else can be asked of its phones. */
async function answersTo(client: GuardClient, delivery: Delivery): Promise<Ack[]> {
  const device = delivery.orders.some(({ type }) => type === 'sim_info')
    ? await recordFor(client, delivery)
    : undefined;
  return delivery.orders.map(({ id, seq, type }) =>
    type === 'sim_info' && device
      ? { id, seq, status: 'applied', result: { sims: device.sims } }
      : { id, seq, status: 'failed', code: 'UNSUPPORTED_ON_DEVICE' },
  );
}

async function release(clientOf: (orgId: number) => GuardClient, delivery: Delivery): Promise<Outcome> {
  const { orgId, handle, desired } = delivery;
  const request_id = requestIdOf('release', [handle, desired?.revision ?? 0], [delivery]);
  const body = { request_id, device_ids: [handle] };
  const begun = await clientOf(orgId).ask(begunSchema, 'POST', '/guard/v1/devices/complete', body);
  return { outcome: 'told', operation: begun.transaction_id, level: 0 };
}

/** Uploads and approves; the record stands when its turn in the cloud's queue has come. */
async function offer(client: GuardClient, { deviceId, imei, serial }: OfferRequest): Promise<Offer> {
  const devices = [{ ...(imei && { imei }), ...(serial && { serial }) }];
  const begun = async (call: 'upload' | 'approve') =>
    client.ask(begunSchema, 'POST', `/guard/v1/devices/${call}`, { request_id: `${call}:${deviceId}`, devices });
  const { transaction_id: upload } = await begun('upload');
  await begun('approve');
  const name = imei ? `imei=${imei}` : `serial=${encodeURIComponent(serial ?? '')}`;
  const found = await client.ask(z.unknown(), 'GET', `/guard/v1/devices?${name}`).catch(nothingUnknown);
  const device = deviceSchema.safeParse(found).data;
  if (device && !isSame(device, imei, serial))
    return { offer: 'later', afterMs: SILENCE_MS, why: 'the record of another phone' };
  const code = device ? undefined : await refusalOf(client, upload);
  if (code) return { offer: 'refused', code, why: code };
  if (!device || device.state === 'pending')
    return { offer: 'later', afterMs: SILENCE_MS, why: 'the cloud has it in its queue' };
  return { offer: 'reserved', handle: device.device_id };
}

/** Why the cloud did not take the one phone of this call; undefined while it may. */
async function refusalOf(client: GuardClient, id: string): Promise<string | undefined> {
  const call = await transactionOf(client, id).catch(nothingUnknown);
  return call?.results.find(({ status }) => status === 'error')?.code;
}

/** A phone reserved under another's name would be locked for the other's debt. The cloud may not know both of its numbers yet. */
function isSame(device: GuardDevice, imei: string | null, serial: string | null): boolean {
  const fits = [imei && device.imei && imei === device.imei, serial && device.serial && serial === device.serial];
  return fits.includes(true) && !fits.includes(false);
}
