import type { IsoDate } from '@kist/contract/dates';
import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { Bps, Paise } from '@kist/contract/money';
import {
  type RowOf,
  as,
  bool,
  bytea,
  date,
  int4,
  int8,
  jsonb,
  known,
  listOf,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { StampedPenal } from './penal-rules.ts';

const isoDate = as<IsoDate>()(date);
const paise = as<Paise>()(int8);
const bps = as<Bps>()(int4);
/** Nothing leads to the states that no service makes yet. */
const state = as<'active' | 'completed' | 'cancelled'>()(text);

/** As it is signed. */
const SIGNED = {
  agreement_id: uuid,
  agreement_no: text,
  customer_id: uuid,
  device_id: uuid,
  owner_user_id: uuid,
  plan_type: int4,
  method: as<EmiMethod>()(text),
  frequency: as<EmiFrequency>()(text),
  rounding: as<EmiRounding>()(text),
  cash_price_paise: paise,
  down_payment_paise: paise,
  fee_paise: paise,
  rate_bps: bps,
  tenure: int4,
  delivered_on: isoDate,
  anchor_day: nullable(int4),
  financed_paise: paise,
  emi_paise: paise,
  total_interest_paise: paise,
  total_payable_paise: paise,
  apr_bps: bps,
  is_regulated: bool,
  policy_version: int4,
  policy: jsonb<LockPolicy>(),
  penal: nullable(jsonb<StampedPenal>()),
  oldest_due_on: nullable(isoDate),
  oldest_due_paise: paise,
  last_due_on: isoDate,
};
const AGREEMENT = {
  ...SIGNED,
  state,
  outstanding_paise: paise,
  paid_count: int4,
  advance_paise: paise,
  completed_at: nullable(timestamptz),
  created_at: timestamptz,
  version: int4,
  /** Of the schedule: 1 as it was signed. */
  schedule_version: int4,
  /** From when the version in force counts; null: from the start. */
  schedule_from: nullable(isoDate),
  /** When its phone took the place of one that was set up; null: never. Consents and notices of before spoke of that one. */
  exchanged_at: nullable(timestamptz),
};
const COLUMNS = Object.keys(AGREEMENT).join(', ');
export type AgreementRow = RowOf<typeof AGREEMENT>;

const FIND = `select ${COLUMNS} from agreements where org_id = $1 and agreement_id = $agreement_id`;
/** A cancelled agreement only where there is no other. */
const OF_CUSTOMER = `
  select ${COLUMNS} from agreements where org_id = $1 and customer_id = $customer_id
  order by (state = 'cancelled'), created_at desc limit 1`;

export const find = statement({
  name: 'agreements.find',
  takes: { agreement_id: uuid },
  gives: AGREEMENT,
  text: FIND,
});

/** Takes the agreement for this transaction: everything that moves its money queues here. */
export const findToChange = statement({
  name: 'agreements.find_to_change',
  takes: { agreement_id: uuid },
  gives: AGREEMENT,
  text: `${FIND} for update`,
});

/** So many of a shop's newest agreements tell what it usually agrees. */
const RECENT = 200;

/** What a shop's newest agreement of each type of plan agreed beside its price. Ids of agreements grow with time. */
export const lastTerms = statement({
  name: 'agreements.last_terms',
  takes: { owner_user_id: uuid },
  gives: {
    plan_type: int4,
    method: as<EmiMethod>()(text),
    frequency: as<EmiFrequency>()(text),
    rate_bps: int4,
    tenure: int4,
    fee_paise: paise,
    anchor_day: nullable(int4),
    created_at: timestamptz,
  },
  text: `
    select distinct on (plan_type) plan_type, method, frequency, rate_bps, tenure, fee_paise, anchor_day, created_at from (
      select * from agreements where org_id = $1 and owner_user_id = $owner_user_id order by agreement_id desc limit ${RECENT}
    ) recent order by plan_type, agreement_id desc`,
});

/** The live (or last) agreement of a customer. */
export const ofCustomer = statement({
  name: 'agreements.of_customer',
  takes: { customer_id: uuid },
  gives: AGREEMENT,
  text: OF_CUSTOMER,
});

/** The same, taken for this transaction as `findToChange` does. */
export const ofCustomerToChange = statement({
  name: 'agreements.of_customer_to_change',
  takes: { customer_id: uuid },
  gives: AGREEMENT,
  text: `${OF_CUSTOMER} for update`,
});

/** The live (or last) agreement of a phone. */
export const ofDevice = statement({
  name: 'agreements.of_device',
  takes: { device_id: uuid },
  gives: AGREEMENT,
  text: `
    select ${COLUMNS} from agreements where org_id = $1 and device_id = $device_id and state <> 'cancelled'
    order by created_at desc limit 1`,
});

export const insertAgreement = statement({
  name: 'agreements.insert_agreement',
  takes: { ...SIGNED, moved_by: uuid },
  gives: AGREEMENT,
  text: `
    with move as (
      insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
      values ($1, $agreement_id, 1, '', 'active', $moved_by, kist_now(), 'signed')
    )
    insert into agreements (org_id, created_at, outstanding_paise, ${Object.keys(SIGNED).join(', ')})
    values ($1, kist_now(), $total_payable_paise, ${Object.keys(SIGNED)
      .map((column) => `$${column}`)
      .join(', ')})
    returning ${COLUMNS}`,
});

/** What a payment of an agreement left it at: the columns that lists read. Where its state changes by that, the move is told. */
export const writeSnapshot = statement({
  name: 'agreements.write_snapshot',
  takes: {
    agreement_id: uuid,
    oldest_due_on: nullable(isoDate),
    oldest_due_paise: paise,
    outstanding_paise: paise,
    paid_count: int4,
    advance_paise: paise,
    state,
    moved_by: uuid,
    reason: text,
  },
  gives: AGREEMENT,
  text: `
    with move as (
      insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, a.agreement_id, (select max(m.no) + 1 from agreement_moves m where m.org_id = $1 and m.agreement_id = a.agreement_id), a.state, $state,
        $moved_by, kist_now(), $reason
      from agreements a where a.org_id = $1 and a.agreement_id = $agreement_id and a.state <> $state
    )
    update agreements set oldest_due_on = $oldest_due_on, oldest_due_paise = $oldest_due_paise, outstanding_paise = $outstanding_paise,
      paid_count = $paid_count, advance_paise = $advance_paise, state = $state,
      completed_at = case when $state = 'completed' then coalesce(completed_at, kist_now()) end, version = version + 1
    where org_id = $1 and agreement_id = $agreement_id
    returning ${COLUMNS}`,
});

/** Told with its move. What was in advance is owed back by its payments. */
export const writeCancelled = statement({
  name: 'agreements.write_cancelled',
  takes: { agreement_id: uuid, moved_by: uuid, reason: text },
  gives: AGREEMENT,
  text: `
    with move as (
      insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, $agreement_id, max(m.no) + 1, 'active', 'cancelled', $moved_by, kist_now(), $reason
      from agreement_moves m where m.org_id = $1 and m.agreement_id = $agreement_id
    )
    update agreements set state = 'cancelled', advance_paise = 0, version = version + 1 where org_id = $1 and agreement_id = $agreement_id
    returning ${COLUMNS}`,
});

/** Whose agreement a number is. */
export const ofNumber = statement({
  name: 'agreements.of_number',
  takes: { agreement_no: text },
  gives: { customer_id: uuid },
  text: 'select customer_id from agreements where org_id = $1 and agreement_no = $agreement_no',
});

/** As the schedule has it, nothing paid. */
const SCHEDULED = {
  no: int4,
  due_on: isoDate,
  principal_paise: paise,
  interest_paise: paise,
  fee_paise: paise,
  balance_paise: paise,
};
const INSTALMENT = {
  ...SCHEDULED,
  instalment_id: uuid,
  paid_principal_paise: paise,
  paid_interest_paise: paise,
  paid_fee_paise: paise,
  paid_on: nullable(isoDate),
};
export type InstalmentRow = RowOf<typeof INSTALMENT>;

export const insertInstalments = statement({
  name: 'agreements.insert_instalments',
  takes: {
    agreement_id: uuid,
    version: int4,
    rows: jsonb<readonly (RowOf<typeof SCHEDULED> & { instalment_id: string })[]>(),
  },
  text: `
    insert into instalments (org_id, agreement_id, version, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise)
    select $1, $agreement_id, $version, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise
    from jsonb_to_recordset($rows) as r(no int, instalment_id uuid, due_on date, principal_paise bigint, interest_paise bigint, fee_paise bigint, balance_paise bigint)`,
});

/** Something of a row stands: it is of the version in force, or was paid before it was superseded. */
const STANDS = `(i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise
      < i.principal_paise + i.interest_paise + i.fee_paise)`;

/** Rows that stand, with what stands of them. */
export const instalmentsOf = statement({
  name: 'agreements.instalments_of',
  takes: { agreement_id: uuid },
  gives: INSTALMENT,
  text: `
    select no, due_on, principal_paise - dropped_principal_paise as principal_paise, interest_paise - dropped_interest_paise as interest_paise,
      fee_paise - dropped_fee_paise as fee_paise, balance_paise, instalment_id, paid_principal_paise, paid_interest_paise, paid_fee_paise, paid_on
    from instalments i where org_id = $1 and agreement_id = $agreement_id and ${STANDS} order by no`,
});

/** Where an instalment belongs, one of a schedule that was put aside too. */
export const ofInstalment = statement({
  name: 'agreements.of_instalment',
  takes: { instalment_id: uuid },
  gives: { agreement_id: uuid, customer_id: uuid, no: int4 },
  text: `
    select i.agreement_id, a.customer_id, i.no from instalments i join agreements a using (org_id, agreement_id)
    where i.org_id = $1 and i.instalment_id = $instalment_id`,
});

/** How much of each bucket is paid. */
export const writePaid = statement({
  name: 'agreements.write_paid',
  takes: {
    agreement_id: uuid,
    rows: jsonb<
      readonly Pick<
        InstalmentRow,
        'no' | 'paid_principal_paise' | 'paid_interest_paise' | 'paid_fee_paise' | 'paid_on'
      >[]
    >(),
  },
  text: `
    update instalments i set paid_principal_paise = n.paid_principal_paise, paid_interest_paise = n.paid_interest_paise,
      paid_fee_paise = n.paid_fee_paise, paid_on = n.paid_on
    from jsonb_to_recordset($rows) as n(no int, paid_principal_paise bigint, paid_interest_paise bigint, paid_fee_paise bigint, paid_on date)
    where i.org_id = $1 and i.agreement_id = $agreement_id and i.no = n.no
      and (i.paid_principal_paise, i.paid_interest_paise, i.paid_fee_paise, i.paid_on)
        is distinct from (n.paid_principal_paise, n.paid_interest_paise, n.paid_fee_paise, n.paid_on)`,
});

/** One that stands. */
const CHARGE = {
  charge_id: uuid,
  instalment_no: int4,
  amount_paise: paise,
  paid_paise: paise,
  waived_paise: paise,
  charged_on: isoDate,
};

export const chargesOf = statement({
  name: 'agreements.charges_of',
  takes: { agreement_id: uuid },
  gives: CHARGE,
  text: `
    select ${Object.keys(CHARGE).join(', ')} from charges
    where org_id = $1 and agreement_id = $agreement_id and taken_back_at is null order by charged_on, charge_id`,
});

/** How much of each penal charge is paid. */
export const writeChargesPaid = statement({
  name: 'agreements.write_charges_paid',
  takes: { agreement_id: uuid, charge_ids: listOf(uuid), paid_paise: listOf(paise) },
  text: `
    update charges c set paid_paise = n.paid from unnest($charge_ids::uuid[], $paid_paise::bigint[]) as n(charge_id, paid)
    where c.org_id = $1 and c.agreement_id = $agreement_id and c.charge_id = n.charge_id and c.paid_paise <> n.paid`,
});

export const insertConsent = statement({
  name: 'agreements.insert_consent',
  takes: {
    consent_id: uuid,
    agreement_id: uuid,
    text_version: text,
    text_hash: bytea,
    language: text,
    method: as<'signature' | 'typed'>()(text),
    document_id: nullable(uuid),
    confirmation_id: nullable(uuid),
  },
  text: `
    insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id, confirmation_id)
    values ($1, $consent_id, $agreement_id, $text_version, $text_hash, $language, $method, kist_now(), $document_id, $confirmation_id)`,
});

/** The picture that the newest consent with one names. */
export const signedWith = statement({
  name: 'agreements.signed_with',
  takes: { agreement_id: uuid },
  gives: { document_id: known(uuid) },
  text: `
    select document_id from consents where org_id = $1 and agreement_id = $agreement_id and document_id is not null
    order by accepted_at desc limit 1`,
});

export const wholeConsent = statement({
  name: 'agreements.whole_consent',
  takes: { agreement_id: uuid },
  gives: { consent_id: uuid },
  text: `
    select c.consent_id from consents c join agreements a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
    where c.org_id = $1 and c.agreement_id = $agreement_id
      and kist_consent_counts(c.document_id, c.confirmation_id, kist_needs_consent_code(a.policy), c.accepted_at, a.exchanged_at) limit 1`,
});

/** Agreements of a shop's customers: of those named, or of all. */
export const countOfOwner = statement({
  name: 'agreements.count_of_owner',
  takes: { user_id: uuid, only: nullable(listOf(uuid)) },
  gives: { count: int4 },
  text: `
    select count(*)::int as count from agreements
    where org_id = $1 and owner_user_id = $user_id and ($only::uuid[] is null or customer_id = any($only))`,
});

/** Agreements of customers that passed to another shop; finished ones too: their books are read where the customer is. */
export const changeOwner = statement({
  name: 'agreements.change_owner',
  takes: { customer_ids: listOf(uuid), to_user_id: uuid },
  gives: { agreement_id: uuid },
  text: `
    update agreements set owner_user_id = $to_user_id, version = version + 1
    where org_id = $1 and customer_id = any($customer_ids) and owner_user_id <> $to_user_id returning agreement_id`,
});
