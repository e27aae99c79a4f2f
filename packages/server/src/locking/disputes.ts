import { businessDate } from '@kist/contract/dates';
import type { DisputeParty, DisputeState } from '@kist/contract/dispute-states';
import type { DisputeView } from '@kist/contract/disputes';
import { KistError } from '@kist/contract/errors';
import type { Agreement } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LockingDeps } from './deps.ts';
import * as store from './dispute-store.ts';
import { factsChanged } from './dues.ts';
import { assertMayAnswerForOrganisation, assertMayCloseDispute } from './policy.ts';
import { type SaidBy, heardAs, mayEscalate, stopsUntilMs } from './rules/disputes.ts';
import { notifyUsers } from './store.ts';
import { lockedFor, upheld } from './wrongful.ts';

/** What became of an objection. */
export interface Moved {
  dispute_id: string;
  state: DisputeState;
}

const partyOf = ({ userType }: Actor): DisputeParty => {
  if (userType === 'customer') return 'customer';
  return userType === 'admin' || userType === 'system' ? 'organisation' : 'shop';
};

const saidBy = (channel: Opening['channel'], by: DisputeParty): SaidBy => {
  if (by !== 'customer') return 'shop';
  return channel === 'link' ? 'link' : 'customer';
};

interface Opening {
  agreement: Agreement;
  instalmentNo: number;
  text: string;
  channel: 'phone' | 'app' | 'shop' | 'link';
  by: DisputeParty;
}

/**
 * The customer says that an instalment is wrong. Nothing rises from here on, on the server and in a new lease; the level in force stays, and paying still
 * opens at once.
 * @returns what there was already, where nothing was written
 * @throws KistError DISPUTE_DECIDED
 */
export async function open(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { agreement, instalmentNo, text, channel, by }: Opening,
): Promise<{ moved: Moved } | { already: Extract<ReturnType<typeof heardAs>, { to: 'already' }>['earlier'] }> {
  const { agreement_id, device_id } = agreement;
  const rows = await store.aboutInstalment.all(tx, { agreement_id, instalment_no: instalmentNo });
  const earlier = rows.map((row) => ({
    disputeId: row.dispute_id,
    state: row.state,
    sinceMs: row.state_since.getTime(),
    saidBy: row.said_by,
  }));
  const heard = heardAs(earlier, saidBy(channel, by), (await now(tx)).getTime());
  if (heard.to === 'already') return { already: heard.earlier };
  if (heard.to === 'decided') throw new KistError('DISPUTE_DECIDED');
  const dispute_id = newId();
  await store.insertDispute.run(tx, {
    dispute_id,
    agreement_id,
    instalment_no: instalmentNo,
    text,
    channel,
    state: heard.to,
    moved_as: by,
    moved_by: actor.userId,
  });
  const data = { dispute_id, channel, instalment_no: instalmentNo, state: heard.to };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'dispute_opened', data });
  await factsChanged(tx, deps, [device_id]);
  await ring(tx, agreement, 'dispute_opened', data);
  return { moved: { dispute_id, state: heard.to } };
}

/** The shop of the agreement, about its customer: once that is over, its phone may be another customer's. */
const ring = (
  tx: Tx,
  { owner_user_id: user_id, customer_id }: Pick<Agreement, 'owner_user_id' | 'customer_id'>,
  kind: string,
  data: Record<string, string | number>,
): Promise<void> => notifyUsers(tx, [{ user_id, notification_id: newId(), kind, data, customer_id }], 'no');

/** Complaints are heard as long as an agreement runs, and after its last payment: what was held for money may have been wrong. */
export const isHeard = ({ state }: Pick<Agreement, 'state'>): boolean => state === 'active' || state === 'completed';

/** Whether there is something to complain of: an EMI that is not paid yet, or one that the phone was ever locked for. */
export async function mayBeWrong(
  tx: Tx,
  { agreement_id, state }: Pick<Agreement, 'agreement_id' | 'state'>,
  no: number,
): Promise<boolean> {
  const named = await store.namedInstalment.first(tx, { agreement_id, no });
  if (!named) return false;
  return (state === 'active' && named.is_unpaid) || (await lockedFor(tx, agreement_id)).has(named.due_on);
}

/** The one that is named, of this very agreement; of none that is named, the oldest unpaid. @throws KistError NOT_FOUND, STATE_CONFLICT (there is nothing to complain of) */
async function instalmentOf(tx: Tx, agreement: Agreement, instalmentId: string | undefined): Promise<number> {
  const { agreement_id } = agreement;
  if (instalmentId !== undefined) {
    const named = await agreements.ofInstalment(tx, { instalment_id: instalmentId });
    if (named?.agreement_id !== agreement_id) throw new KistError('NOT_FOUND');
    if (!(await mayBeWrong(tx, agreement, named.no))) throw new KistError('STATE_CONFLICT');
    return named.no;
  }
  const oldest = await store.oldestUnpaid.first(tx, { agreement_id });
  if (!oldest) throw new KistError('STATE_CONFLICT');
  return oldest.no;
}

/**
 * The customer, or the shop in the customer's name, says that an instalment is wrong: one that is not paid yet, or one that the phone was locked for.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (there is no agreement), DISPUTE_ALREADY_OPEN, DISPUTE_DECIDED
 */
export async function openDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { customerId: string; instalmentId?: string | undefined; text: string },
): Promise<Moved> {
  const customer = await customers.authorize(tx, actor, { customer_id: given.customerId });
  const agreement = await agreements.theirsToChange(tx, actor, { customer_id: customer.customer_id });
  if (!agreement || !isHeard(agreement)) throw new KistError('STATE_CONFLICT');
  const instalmentNo = await instalmentOf(tx, agreement, given.instalmentId);
  const isOwn = actor.userType === 'customer';
  const said = await open(tx, deps, actor, {
    agreement,
    instalmentNo,
    text: given.text,
    channel: isOwn ? 'app' : 'shop',
    by: isOwn ? 'customer' : 'shop',
  });
  if ('already' in said) throw new KistError('DISPUTE_ALREADY_OPEN');
  return said.moved;
}

/** `at`: when its holder said it, of words that the phone kept for its next report; they may have come by a call of their own already. */
export interface SaidOnPhone {
  deviceId: string;
  text: string;
  at?: Date;
}

/** In place of words where the button alone was pressed. */
const WORDLESS = '—';

/**
 * From the phone itself, about the instalment that it is restricted for. Pressing the button twice is one dispute; pressing it when the shop has answered
 * takes the answer further. Where the organisation has decided, the phone says it in vain.
 */
export async function openFromPhone(tx: Tx, deps: LockingDeps, said: SaidOnPhone): Promise<void> {
  const { deviceId, at } = said;
  const text = said.text.trim() || WORDLESS;
  const found = await agreements.ofDevice(tx, { device_id: deviceId });
  const agreement = found && (await agreements.ofCustomerToChange(tx, { customer_id: found.customer_id }));
  if (agreement?.state !== 'active' || agreement.device_id !== deviceId) return;
  const { agreement_id } = agreement;
  const oldest = await store.oldestUnpaid.first(tx, { agreement_id });
  if (!oldest || (at && (await store.wasSaid.one(tx, { agreement_id, text, said_at: at })).was_said)) return;
  const actor = SYSTEM(tx.orgId ?? 0);
  try {
    const opening = { agreement, instalmentNo: oldest.no, text, channel: 'phone', by: 'customer' } as const;
    const heard = await open(tx, deps, actor, opening);
    if (!('already' in heard) || heard.already.state !== 'answered') return;
    await move(tx, deps, actor, heard.already.disputeId, { from: 'answered', to: 'escalated', by: 'customer', text });
  } catch (error) {
    if (!(error instanceof KistError) || error.code !== 'DISPUTE_DECIDED') throw error;
  }
}

/** What was found, its agreement taken for this transaction. @throws KistError NOT_FOUND */
async function take(tx: Tx, actor: Actor, disputeId: string) {
  const found = await store.findDispute.first(tx, { dispute_id: disputeId });
  if (!found) throw new KistError('NOT_FOUND');
  const { customer_id } = found;
  // An administrator answers for all shops.
  const by = actor.userType === 'admin' ? SYSTEM(actor.orgId) : actor;
  await customers.authorize(tx, by, { customer_id });
  // The agreement first, as everywhere; then the dispute as it stands under it.
  const agreement = await agreements.theirsToChange(tx, by, { customer_id });
  const isOver = agreement?.agreement_id !== found.agreement_id || !isHeard(agreement);
  return { ...(await store.findDispute.one(tx, { dispute_id: disputeId })), isOver };
}

interface Move {
  from: DisputeState;
  to: DisputeState;
  by: DisputeParty;
  text: string;
  channel?: Opening['channel'];
  /** The answer is that the customer was right. */
  isUpheld?: boolean;
}
type Found = NonNullable<Awaited<ReturnType<typeof store.findDispute.first>>>;
/** What the customer is told of an answer, by the state that it leads to. */
const ANSWERS = { answered: 'dispute_answered', closed: 'dispute_closed', rejected: 'dispute_rejected' } as const;
const UPHELD = { is_upheld: true } as const;
/** What the shop is told, where it is not its own doing. */
const RINGS: Partial<Record<DisputeState, string>> = { escalated: 'dispute_escalated', closed: 'dispute_decided' };

/** One step of its life, by who is asking (`channel`: where that was said, if not in the app); the agreement is taken. @throws KistError STATE_CONFLICT where it stands elsewhere by now */
export async function move(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  disputeId: string,
  { from, to, by, text, channel, isUpheld = false }: Move,
): Promise<Moved> {
  const found = await store.findDispute.first(tx, { dispute_id: disputeId });
  if (!found) throw new KistError('NOT_FOUND');
  const { agreement_id, device_id } = found;
  const done = await store.moveDispute.first(tx, {
    dispute_id: disputeId,
    from_state: from,
    to_state: to,
    moved_as: by,
    moved_by: actor.userId,
    reason: text,
    is_upheld: isUpheld,
  });
  if (!done) throw new KistError('STATE_CONFLICT');
  const data = { dispute_id: disputeId, from, state: to, as: by, ...(channel && { channel }), ...(isUpheld && UPHELD) };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'dispute_moved', data });
  await factsChanged(tx, deps, [device_id]);
  if (isUpheld) await upheld(tx, deps, actor, found);
  if (to === 'answered' || to === 'closed' || to === 'rejected')
    await tellCustomer(tx, deps, found, { state: to, sinceMs: done.state_since.getTime() });
  const bell = from === 'undecided' ? 'dispute_decided' : RINGS[to];
  if (bell) await ring(tx, found, bell, { dispute_id: disputeId, state: to });
  return { dispute_id: disputeId, state: to };
}

/** A shop's answer can be taken further after the last payment too, until another agreement follows; nothing rises any more. */
const textOf = (agreement: Found['agreement_is'], to: keyof typeof ANSWERS) => {
  if (agreement === 'running') return ANSWERS[to];
  return agreement === 'paid' && to === 'answered' ? 'dispute_over_answered' : 'dispute_over';
};

/** The answer's words stand in the app; the message is the house's own, with the instalment and until when nothing rises or it can be taken further. */
async function tellCustomer(
  tx: Tx,
  { notices }: LockingDeps,
  found: Found,
  standing: { state: keyof typeof ANSWERS; sinceMs: number },
): Promise<void> {
  const { agreement_id: agreementId, customer_id: customerId } = found;
  const { moves } = await store.countMoves.one(tx, { agreement_id: agreementId });
  const dueOn = found.due_on ?? businessDate(standing.sinceMs);
  const untilMs = stopsUntilMs(standing);
  await notices.send(tx, [
    {
      agreementId,
      customerId,
      kind: 'dispute',
      template: textOf(found.agreement_is, standing.state),
      no: moves,
      dueOn,
      channels: ['sms'],
      params: { dueOn, ...(typeof untilMs === 'number' && { untilOn: businessDate(untilMs - 1) }) },
    },
  ]);
}

/** Answers whatever waits for the shop with the reason of a cancellation, each as `closeDispute` would. The agreement is taken. @returns how many waited */
export async function answerAll(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { agreement_id, text }: { agreement_id: string; text: string },
): Promise<number> {
  const waiting = await store.openOf.all(tx, { agreement_id });
  for (const { dispute_id } of waiting)
    await move(tx, deps, actor, dispute_id, { from: 'open', to: 'answered', by: partyOf(actor), text });
  return waiting.length;
}

/**
 * Answers a dispute: for seven days it can be taken further, and nothing rises meanwhile. What was taken further is the organisation's to answer. Where the
 * customer was right, the lock for that instalment comes off and was wrong from its first moment.
 * @throws KistError NOT_FOUND, FORBIDDEN (a mini-retailer; the shop, of one taken further), FEATURE_NOT_ALLOWED, STATE_CONFLICT (nothing waits for an answer)
 */
export async function closeDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  {
    disputeId,
    outcome: text,
    isUpheld = false,
  }: { disputeId: string; outcome: string; isUpheld?: boolean | undefined },
): Promise<Moved> {
  const { state } = await take(tx, actor, disputeId);
  assertMayCloseDispute(actor);
  const by = partyOf(actor);
  if (state === 'open') return move(tx, deps, actor, disputeId, { from: state, to: 'answered', by, text, isUpheld });
  if (state !== 'escalated') throw new KistError('STATE_CONFLICT');
  assertMayAnswerForOrganisation(actor);
  return move(tx, deps, actor, disputeId, { from: state, to: 'closed', by, text, isUpheld });
}

/**
 * The customer (or the shop in the customer's name) takes an answer further, within seven days.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (not answered, too long ago, or of an agreement that was cancelled)
 */
export async function escalateDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { disputeId, text }: { disputeId: string; text: string },
): Promise<Moved> {
  if (partyOf(actor) === 'organisation') throw new KistError('NOT_FOUND');
  const { state, state_since, isOver } = await take(tx, actor, disputeId);
  if (isOver || !mayEscalate({ state, sinceMs: state_since.getTime() }, (await now(tx)).getTime()))
    throw new KistError('STATE_CONFLICT');
  return move(tx, deps, actor, disputeId, { from: state, to: 'escalated', by: partyOf(actor), text });
}

/**
 * The organisation says whether a third dispute about the same instalment holds. Until it does, nothing rises.
 * @throws KistError NOT_FOUND, FORBIDDEN, STATE_CONFLICT (there is nothing to decide)
 */
export async function decideDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { disputeId, holds, reason }: { disputeId: string; holds: boolean; reason: string },
): Promise<Moved> {
  assertMayAnswerForOrganisation(actor);
  const { state } = await take(tx, actor, disputeId);
  if (state !== 'undecided') throw new KistError('STATE_CONFLICT');
  const to = holds ? 'open' : 'rejected';
  return move(tx, deps, actor, disputeId, { from: state, to, by: 'organisation', text: reason });
}

type Told = Awaited<ReturnType<typeof store.ofAgreement.all>>[number];
const viewOf = ({ state_since, ...told }: Told): DisputeView => {
  const untilMs = stopsUntilMs({ state: told.state, sinceMs: state_since.getTime() });
  const stops_until = typeof untilMs === 'number' ? new Date(untilMs).toISOString() : null;
  return { ...told, stops_until };
};

/** What was disputed of an agreement, the newest first, with everything that was said. */
export const disputesOf = async (tx: Tx, agreementId: string): Promise<DisputeView[]> =>
  (await store.ofAgreement.all(tx, { agreement_id: agreementId })).map(viewOf);

/** What waits for the organisation's word, the oldest first. @throws KistError FORBIDDEN */
export async function disputesToDecide(
  tx: Tx,
  actor: Actor,
): Promise<(DisputeView & { customer_id: string; agreement_no: string })[]> {
  assertMayAnswerForOrganisation(actor);
  const rows = await store.forOrganisation.all(tx, {});
  return rows.map((row) => ({ ...viewOf(row), customer_id: row.customer_id, agreement_no: row.agreement_no }));
}
