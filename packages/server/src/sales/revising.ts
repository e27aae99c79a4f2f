import { createHash } from 'node:crypto';
import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import { type IsoDate, formatDate } from '@kist/contract/dates';
import { EMI_LIMITS, type EmiMethod } from '@kist/contract/emi-limits';
import { KistError } from '@kist/contract/errors';
import { add, type Bps, sub, sum } from '@kist/contract/money';
import type { EditPreview, Edited } from '@kist/contract/revising';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';

/** New terms for what is not due yet; what is left out stays. */
export interface Edit {
  customer_id: string;
  tenure: number;
  rate_bps?: Bps | undefined;
  method?: EmiMethod | undefined;
}
/** What a change is told to. */
export interface RevisingDeps {
  locking: Pick<Locking, 'duesChanged'>;
  notices: Pick<notices.Notices, 'send'>;
}

interface Looked {
  customer: customers.AuthorizedCustomer;
  opened: agreements.OpenAccount;
  terms: agreements.NewTerms;
  found: agreements.RevisionPreview;
}

const wrong = (path: string, key: string) => new KistError('INVALID_INPUT', { fields: [{ path, key }] });

/** @throws KistError FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED */
function mayEdit(actor: Actor, customer: customers.AuthorizedCustomer): void {
  identity.requires(actor, NEEDS.terms);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  customers.assertEditOffered(actor, customer, 'EMI_EDIT');
}

/** @throws KistError INVALID_INPUT of a rate without interest */
function termsOf(
  { method: was, rate_bps: rate, rounding }: agreements.Agreement,
  { tenure, method = was, rate_bps = method === 'ZERO' ? (0 as Bps) : rate }: Edit,
): agreements.NewTerms {
  if (method === 'ZERO' && rate_bps !== 0) throw wrong('rate_bps', 'field.rate_zero');
  return { method, rate_bps, tenure, rounding };
}

/** What the terms would make of it. @throws KistError STATE_CONFLICT where nothing runs or nothing is ahead, INVALID_INPUT of too many EMIs */
function look(opened: agreements.OpenAccount, on: IsoDate, edit: Edit): Pick<Looked, 'terms' | 'found'> {
  if (opened.agreement.state !== 'active') throw new KistError('STATE_CONFLICT');
  const terms = termsOf(opened.agreement, edit);
  if (!agreements.previewRevision(opened, on, { ...terms, tenure: 1 })) throw new KistError('STATE_CONFLICT');
  const found = agreements.previewRevision(opened, on, terms);
  if (!found) throw wrong('tenure', 'field.financed_too_small');
  if (found.after.terms.tenure > EMI_LIMITS.tenureMax[opened.agreement.frequency])
    throw wrong('tenure', 'field.tenure');
  return { terms, found };
}

const laid = ({ terms, rows }: agreements.RevisionPreview['before']): EditPreview['before'] => ({
  method: terms.method,
  rate_bps: terms.rate_bps,
  apr_bps: terms.apr_bps,
  tenure: terms.tenure,
  emi_paise: terms.emi_paise,
  total_interest_paise: terms.total_interest_paise,
  total_payable_paise: terms.total_payable_paise,
  last_due_on: terms.last_due_on,
  instalments: rows.map(({ due_on, total_paise }) => ({ due_on, total_paise })),
});

const firstOf = ({ after, made }: agreements.RevisionPreview): IsoDate => after.rows.at(-made)!.due_on;

const told = ({ opened: { agreement }, found }: Pick<Looked, 'opened' | 'found'>) => ({
  agreement_id: agreement.agreement_id,
  agreement_no: agreement.agreement_no,
  before: laid(found.before),
  after: laid(found.after),
  made: found.made,
  from_on: firstOf(found),
});

/** What is still to be paid once the change is made. */
const owedThen = ({ opened: { agreement }, found: { before, after } }: Pick<Looked, 'opened' | 'found'>) =>
  add(
    agreement.outstanding_paise,
    sub(sum(after.rows.map((row) => row.total_paise)), sum(before.rows.map((row) => row.total_paise))),
  );

/** What a code agrees to: these rows, as the next version of this very schedule. */
const hashOf = ({ opened: { agreement }, terms, found }: Looked): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        agreement.agreement_id,
        agreement.schedule_version + 1,
        terms.method,
        terms.rate_bps,
        ...found.after.rows.map(({ due_on, total_paise }) => [due_on, total_paise]),
      ]),
    )
    .digest();

const codeOf = (looked: Looked): identity.CustomerCode => ({
  customer_id: looked.customer.customer_id,
  mobile: looked.customer.mobile,
  purpose: 'TERMS',
  text_hash: hashOf(looked),
});

/** The shop would agree in the customer's place. @throws KistError STAFF_NUMBER */
async function mustBeTheirs(tx: Tx, { mobile }: customers.AuthorizedCustomer): Promise<void> {
  if (await identity.isStaffNumber(tx, mobile)) throw new KistError('STAFF_NUMBER');
}

/** The schedule before and after new terms for what is not due yet; nothing is written. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, STATE_CONFLICT, INVALID_INPUT */
export async function previewEdit(tx: Tx, actor: Actor, edit: Edit): Promise<EditPreview> {
  const customer = await customers.authorize(tx, actor, edit);
  mayEdit(actor, customer);
  const opened = await openOf(tx, await agreements.ofCustomer(tx, edit));
  const { found } = look(opened, await today(tx), edit);
  return {
    ...told({ opened, found }),
    schedule_version: opened.agreement.schedule_version,
    needs_code: found.asks_more,
  };
}

/** @throws KistError STATE_CONFLICT of a customer who agreed to nothing yet */
async function openOf(tx: Tx, agreement: agreements.Agreement | undefined): Promise<agreements.OpenAccount> {
  if (!agreement) throw new KistError('STATE_CONFLICT');
  return agreements.account(tx, { agreement_id: agreement.agreement_id });
}

/**
 * Sends the customer the code with which they agree to these new terms and no others; the message says what they come to.
 * @throws KistError as `previewEdit`, STAFF_NUMBER, OTP_TOO_SOON, OTP_DAILY_LIMIT, OTP_SHOP_LIMIT, SMS_UNAVAILABLE
 */
export async function sendEditCode(tx: Tx, actor: Actor, edit: Edit) {
  const customer = await customers.authorize(tx, actor, edit);
  mayEdit(actor, customer);
  const opened = await openOf(tx, await agreements.ofCustomer(tx, edit));
  const looked = { customer, opened, ...look(opened, await today(tx), edit) };
  await mustBeTheirs(tx, customer);
  const language = customer.language as Language;
  const money = notices.amountText(language);
  const { terms } = looked.found.after;
  const words = {
    amount: money(terms.emi_paise),
    until_on: formatDate(terms.last_due_on),
    outstanding: money(owedThen(looked)),
  };
  return identity.sendCustomerCode(tx, actor, { ...codeOf(looked), language, words });
}

/**
 * New terms for what is not due yet: the next version of the schedule, from today. What is due or paid stays as it is, so nothing is owed sooner by it and no
 * lock rises; a change by which more falls due on some day needs the customer's code. The customer is told. The transaction must commit whatever comes of
 * it: a wrong code is returned, not thrown, because it counts.
 * @throws KistError as `previewEdit`; STATE_CONFLICT when another change came in between, SCHEDULE_UNCHANGED, CUSTOMER_CODE_REQUIRED, STAFF_NUMBER
 */
export async function edit(
  tx: Tx,
  deps: RevisingDeps,
  actor: Actor,
  {
    reason,
    otp,
    schedule_version,
    ...given
  }: Edit & { reason: string; otp?: string | undefined; schedule_version?: number | undefined },
): Promise<Edited | KistError> {
  const customer = await customers.authorizeToChange(tx, actor, given);
  mayEdit(actor, customer);
  const agreement = await agreements.ofCustomerToChange(tx, given);
  const opened = await openOf(tx, agreement);
  if (schedule_version !== undefined && schedule_version !== opened.agreement.schedule_version)
    throw new KistError('STATE_CONFLICT');
  const looked = { customer, opened, ...look(opened, await today(tx), given) };
  if (isSame(looked.found)) throw new KistError('SCHEDULE_UNCHANGED');
  const consent = await agreedTo(tx, actor, looked, otp);
  if (consent instanceof KistError) return consent;
  const { agreement_id } = opened.agreement;
  const { agreement: now } = await agreements.revise(tx, actor, {
    agreement_id,
    cause: 'edit',
    reason,
    terms: looked.terms,
    consent,
  });
  await deps.locking.duesChanged(tx, actor, now, { paymentId: null });
  await tell(tx, deps, customer.customer_id, { now, from_on: firstOf(looked.found) });
  return { ...told(looked), schedule_version: now.schedule_version, outstanding_paise: now.outstanding_paise };
}

/** What falls due day by day: of an EMI that is paid in part, the paid part and the new row are of one day. */
function byDay(rows: agreements.RevisionPreview['before']['rows']): string {
  const days = new Map<IsoDate, number>();
  for (const { due_on, total_paise } of rows) days.set(due_on, (days.get(due_on) ?? 0) + total_paise);
  return JSON.stringify([...days].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const isSame = ({ before, after }: agreements.RevisionPreview): boolean =>
  byDay(before.rows) === byDay(after.rows) &&
  before.terms.method === after.terms.method &&
  before.terms.rate_bps === after.terms.rate_bps;

/** @returns by which code the customer agreed; undefined where none is needed; what was wrong with the code. @throws KistError CUSTOMER_CODE_REQUIRED, STAFF_NUMBER */
async function agreedTo(tx: Tx, actor: Actor, looked: Looked, otp: string | undefined) {
  if (!looked.found.asks_more) return undefined;
  if (otp === undefined) throw new KistError('CUSTOMER_CODE_REQUIRED');
  await mustBeTheirs(tx, looked.customer);
  const { verdict, otp_id } = await identity.presentCustomerCode(tx, actor, codeOf(looked), otp);
  return otp_id === null
    ? new KistError(verdict === 'accepted' ? 'OTP_INVALID' : verdict)
    : { otp_id, hash: hashOf(looked) };
}

async function tell(
  tx: Tx,
  deps: Pick<RevisingDeps, 'notices'>,
  customerId: string,
  { now, from_on }: { now: agreements.Agreement; from_on: IsoDate },
): Promise<void> {
  await deps.notices.send(tx, [
    {
      agreementId: now.agreement_id,
      customerId,
      kind: 'schedule',
      template: 'schedule',
      no: now.schedule_version,
      dueOn: now.schedule_from!,
      channels: ['sms'],
      params: {
        amountPaise: now.emi_paise,
        fromOn: from_on,
        untilOn: now.last_due_on,
        outstandingPaise: now.outstanding_paise,
      },
    },
  ]);
}
