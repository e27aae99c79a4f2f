import { NEEDS, missingWord } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { add, paise, type Paise } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import type { Notices } from '#server/notices/notices.ts';
import * as ledger from '#server/ledger/ledger.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { accountOfTheirs } from './taking.ts';
import * as store from './waiver-store.ts';

/** What the shop said of late fees of an erased customer: people write names there. What was waived stays. */
export const forgetWordsAbout = (tx: Tx, of: { customer_id: string }): Promise<unknown> =>
  store.forgetWords.run(tx, of);

/** What became of a waiver, and what is left of the charge. */
export interface Waived {
  waiver_id: string;
  state: 'asked' | 'granted' | 'refused';
  left_paise: number;
}

interface Waiver {
  waiver_id: string;
  agreement_id: string;
  charge: agreements.ChargeState;
  amount: Paise;
}

/** A charge that stands, its agreement taken for this transaction. @throws KistError NOT_FOUND, STATE_CONFLICT when it was taken back, or its agreement cancelled */
async function chargeToChange(
  tx: Tx,
  actor: Actor,
  { charge_id, agreement_id }: { charge_id: string; agreement_id: string },
) {
  const { charges, agreement } = await accountOfTheirs(tx, actor, { agreement_id });
  // With a cancelled agreement its late fees went.
  if (agreement.state === 'cancelled') throw new KistError('STATE_CONFLICT');
  const charge = charges.find((one) => one.charge_id === charge_id);
  if (!charge) throw new KistError('STATE_CONFLICT');
  return { charge, agreement };
}

/** @throws KistError ALREADY_PAID, AMOUNT_TOO_LARGE */
function mustBeLeft(charge: agreements.ChargeState, amount: Paise): void {
  const max = agreements.chargeLeft(charge);
  if (max === 0) throw new KistError('ALREADY_PAID');
  if (amount > max)
    throw new KistError('AMOUNT_TOO_LARGE', {
      fields: [{ path: 'amount', key: 'field.amount_too_large' }],
      params: { max_paise: max },
    });
}

/** Off what the customer owes, and kept apart from what the charges brought in. */
async function post(tx: Tx, { waiver_id, agreement_id, charge, amount }: Waiver): Promise<void> {
  const { charge_id, instalment_no } = charge;
  const of = { agreement_id, instalment_no, charge_id, amount };
  await ledger.post(tx, {
    effectKey: `waiver:${waiver_id}`,
    kind: 'penal_waived',
    refKind: 'agreement',
    refId: agreement_id,
    businessOn: await clock.today(tx),
    lines: [
      { ...of, code: 'waivers', side: 'debit' },
      { ...of, code: 'receivable_penal', side: 'credit' },
    ],
  });
  await agreements.waiveCharge(tx, { charge_id, amount_paise: amount });
}

/** Of each waiver, also of two on one day. */
async function tell(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  { agreement_id, charge, amount }: Waiver,
  customerId: string,
): Promise<void> {
  const { instalments } = await agreements.account(tx, { agreement_id });
  const dueOn = instalments.find(({ no }) => no === charge.instalment_no)?.due_on ?? charge.charged_on;
  const { waivers } = await store.countGranted.one(tx, { agreement_id });
  await notices.send(tx, [
    {
      agreementId: agreement_id,
      customerId,
      kind: 'penal_waived',
      template: 'penal_waived',
      no: waivers,
      dueOn: await clock.today(tx),
      channels: ['sms'],
      params: { amountPaise: amount, dueOn },
    },
  ]);
}

function note(tx: Tx, actor: Actor, action: string, { waiver_id, agreement_id, charge, amount }: Waiver) {
  const data = { waiver_id, charge_id: charge.charge_id, instalment_no: charge.instalment_no, amount_paise: amount };
  return audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action, data });
}

/** Whoever may be the second person hears of it. */
function ringFor(
  tx: Tx,
  actor: Actor,
  { waiver_id, amount }: Waiver,
  { customer_id, owner }: { customer_id: string; owner: string },
): Promise<void> {
  const said = { data: { waiver_id, amount_paise: amount }, customerId: customer_id };
  return locking.ringSecond(tx, actor, { kind: 'waiver_asked', ...said, owner, needs: NEEDS.read });
}

/**
 * Waives a penal charge, in part or whole, with a reason. Beyond the organisation's limit, which counts everything waived of the charge, it is asked for
 * and takes a second person, who hears of it.
 * @throws KistError NOT_FOUND, ALREADY_PAID, AMOUNT_TOO_LARGE, WAIVER_ASKED_ALREADY, STATE_CONFLICT when the charge was taken back
 */
export async function waivePenalty(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  actor: Actor,
  { charge_id, reason, ...given }: { charge_id: string; amount?: number | undefined; reason: string },
): Promise<Waived> {
  identity.requires(actor, NEEDS.read);
  const place = await agreements.ofCharge(tx, { charge_id });
  if (!place) throw new KistError('NOT_FOUND');
  const { agreement_id, customer_id } = place;
  await customers.authorize(tx, actor, { customer_id });
  const { charge, agreement } = await chargeToChange(tx, actor, { charge_id, agreement_id });
  const amount = given.amount === undefined ? agreements.chargeLeft(charge) : paise(given.amount);
  mustBeLeft(charge, amount);
  if (await store.askedWaiver.first(tx, { charge_id })) throw new KistError('WAIVER_ASKED_ALREADY');
  const limit_paise = paise((await agreements.penalRuleInForce(tx))?.waiver_limit_paise ?? 0);
  const isAlone = add(charge.waived_paise, amount) <= limit_paise;
  const waiver = { waiver_id: newId(), agreement_id, charge, amount };
  const state = isAlone ? 'granted' : 'asked';
  await store.insertWaiver.run(tx, {
    waiver_id: waiver.waiver_id,
    agreement_id,
    charge_id,
    amount_paise: amount,
    reason,
    limit_paise,
    state,
    asked_by: actor.userId,
    decided_by: isAlone ? actor.userId : null,
  });
  if (isAlone) {
    await post(tx, waiver);
    await tell(tx, notices, waiver, customer_id);
  }
  await note(tx, actor, isAlone ? 'penal_waived' : 'penal_waiver_asked', waiver);
  if (!isAlone) await ringFor(tx, actor, waiver, { customer_id, owner: agreement.owner_user_id });
  const left = agreements.chargeLeft(charge);
  return { waiver_id: waiver.waiver_id, state, left_paise: isAlone ? left - amount : left };
}

/** Who asked hears what became of it, as long as the customer is theirs to look after. */
async function answerAsker(
  tx: Tx,
  actor: Actor,
  said: {
    waiver_id: string;
    asked_by: string;
    amount_paise: Paise;
    customer_id: string;
    agreement: agreements.Agreement;
    is_granted: boolean;
  },
): Promise<void> {
  const { waiver_id, asked_by, amount_paise, customer_id, agreement, is_granted } = said;
  const asker = await identity.actorOfUser(tx, { userId: asked_by });
  if (!asker.isActive || !customers.canSee(asker.actor, { customer_id, owner_user_id: agreement.owner_user_id }))
    return;
  const data = { waiver_id, amount_paise, is_approved: Number(is_granted) };
  await locking.ringAsker(tx, asked_by, actor, { kind: 'waiver_decided', data, customerId: customer_id });
}

/** Whether who asked could ask for it now: one of two who is there no more leaves one. It goes on waiting for a no. */
async function couldStillAsk(
  tx: Tx,
  { asked_by }: { asked_by: string },
  of: { customer_id: string; owner_user_id: string },
): Promise<boolean> {
  const { actor, isActive } = await identity.actorOfUser(tx, { userId: asked_by });
  return isActive && missingWord(actor, NEEDS.read) === undefined && customers.canSee(actor, of);
}

/**
 * The second person's word on a waiver; no is also who asked for it thinking better of it.
 * @throws KistError NOT_FOUND, SECOND_PERSON_REQUIRED, STATE_CONFLICT when it is decided, who asked could ask for it no more, the charge taken back or its agreement cancelled, ALREADY_PAID, AMOUNT_TOO_LARGE
 */
export async function decideWaiver(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  actor: Actor,
  { waiver_id, is_granted, note: why }: { waiver_id: string; is_granted: boolean; note?: string | undefined },
): Promise<Waived> {
  identity.requires(actor, NEEDS.read);
  const found = await store.findWaiver.first(tx, { waiver_id });
  const place = found && (await agreements.ofCharge(tx, found));
  if (!found || !place) throw new KistError('NOT_FOUND');
  const of = { agreement_id: place.agreement_id };
  // The administrator sees no customer, and answers for the organisation's money.
  if (actor.userType !== 'admin') await customers.authorize(tx, actor, { customer_id: place.customer_id });
  if (is_granted) identity.mustBeSecond(actor, await identity.askedOfAnother(tx, found.asked_by), NEEDS.read);
  const open = actor.userType === 'admin' ? agreements.accountToChange(tx, of) : accountOfTheirs(tx, actor, of);
  const { charges, agreement } = await open;
  // Read again under the agreement's lock: two people at once must not both decide.
  const { state, amount_paise: amount } = await store.findWaiver.one(tx, { waiver_id });
  if (state !== 'asked' || (is_granted && !(await couldStillAsk(tx, found, agreement))))
    throw new KistError('STATE_CONFLICT');
  const charge = charges.find(({ charge_id }) => charge_id === found.charge_id);
  const left = charge ? agreements.chargeLeft(charge) : 0;
  const decided = is_granted ? 'granted' : 'refused';
  await store.decideWaiver.run(tx, { waiver_id, state: decided, decided_by: actor.userId, refusal_note: why ?? null });
  if (is_granted) {
    if (!charge || agreement.state === 'cancelled') throw new KistError('STATE_CONFLICT');
    mustBeLeft(charge, amount);
    const waiver = { waiver_id, agreement_id: place.agreement_id, charge, amount };
    await post(tx, waiver);
    await tell(tx, notices, waiver, place.customer_id);
  }
  await audit.append(tx, {
    kind: 'agreement',
    id: place.agreement_id,
    actor,
    action: is_granted ? 'penal_waived' : 'penal_waiver_refused',
    data: {
      waiver_id,
      charge_id: found.charge_id,
      amount_paise: amount,
      asked_by: found.asked_by,
      ...(why !== undefined && { has_note: true }),
    },
  });
  await answerAsker(tx, actor, { ...found, customer_id: place.customer_id, agreement, is_granted });
  return { waiver_id, state: decided, left_paise: is_granted ? left - amount : left };
}
