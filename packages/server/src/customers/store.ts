import {
  type RowOf,
  bool,
  date,
  int2,
  int4,
  jsonb,
  known,
  listOf,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const CUSTOMER = {
  customer_id: uuid,
  owner_user_id: uuid,
  status: int2,
  is_draft: bool,
  plan_type: int4,
  plan_id: nullable(int4),
  first_name: text,
  last_name: text,
  mobile: text,
  alternate_mobile: nullable(text),
  email: nullable(text),
  address: jsonb<{ line1: string; city: string; state: string; pincode: string }>(),
  birth_on: nullable(date),
  aadhaar_last4: nullable(text),
  pan_masked: nullable(text),
  photo_document_id: nullable(uuid),
  language: text,
  draft: jsonb<Record<string, unknown>>(),
  created_at: timestamptz,
  version: int4,
};
const COLUMNS = Object.keys(CUSTOMER).join(', ');
const FIND = `select ${COLUMNS} from customers where org_id = $1 and customer_id = $customer_id`;

export type CustomerRow = RowOf<typeof CUSTOMER>;

/** What is written of a customer after the first step; `search` is what the list's search looks in. */
export type CustomerFields = Partial<Omit<CustomerRow, 'customer_id' | 'created_at' | 'version'>> & { search?: string };

export const find = statement({
  name: 'customers.find',
  takes: { customer_id: uuid },
  gives: CUSTOMER,
  text: FIND,
});

/** Takes the row for this transaction, so that two changes of one customer queue up. */
export const findToChange = statement({
  name: 'customers.find_to_change',
  takes: { customer_id: uuid },
  gives: CUSTOMER,
  text: `${FIND} for update`,
});

export const insertCustomer = statement({
  name: 'customers.insert_customer',
  takes: { customer_id: uuid, owner_user_id: uuid, plan_type: int4, plan_id: int4 },
  text: `
    insert into customers (org_id, customer_id, owner_user_id, plan_type, plan_id, created_at, updated_at)
    values ($1, $customer_id, $owner_user_id, $plan_type, $plan_id, kist_now(), kist_now())`,
});

/** Tells a change of status, which follows it in the same transaction. */
export const insertMove = statement({
  name: 'customers.insert_move',
  takes: { customer_id: uuid, from_status: int2, to_status: int2, moved_by: uuid, reason: text },
  text: `
    insert into customer_moves (org_id, customer_id, no, from_status, to_status, moved_by, moved_at, reason)
    select $1, $customer_id, coalesce(max(m.no), 0) + 1, $from_status, $to_status, $moved_by, kist_now(), $reason
    from customer_moves m where m.org_id = $1 and m.customer_id = $customer_id`,
});

/** Writes the fields given and no others. */
export const updateCustomer = statement({
  name: 'customers.update_customer',
  takes: { customer_id: uuid, fields: jsonb<CustomerFields>() },
  text: `
    update customers c set (status, is_draft, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address, birth_on,
        aadhaar_last4, pan_masked, photo_document_id, language, draft, search, updated_at, version) =
      (select n.status, n.is_draft, n.plan_type, n.plan_id, n.first_name, n.last_name, n.mobile, n.alternate_mobile, n.email, n.address, n.birth_on,
         n.aadhaar_last4, n.pan_masked, n.photo_document_id, n.language, n.draft, n.search, kist_now(), c.version + 1
       from jsonb_populate_record(c, $fields) n)
    where org_id = $1 and customer_id = $customer_id`,
});

export const deleteCustomer = statement({
  name: 'customers.delete_customer',
  takes: { customer_id: uuid },
  text: 'delete from customers where org_id = $1 and customer_id = $customer_id',
});

export const untouchedDrafts = statement({
  name: 'customers.untouched_drafts',
  takes: { days: int4, slice: int4 },
  gives: { customer_id: uuid },
  text: `
    select customer_id from customers where org_id = $1 and is_draft and updated_at <= kist_now() - make_interval(days => $days)
    order by updated_at, customer_id limit $slice for update skip locked`,
});

/** Whole customers, as they come in from a shop's book: not drafts, their phones not enrolled. */
export const insertMany = statement({
  name: 'customers.insert_many',
  takes: {
    rows: jsonb<
      readonly (CustomerFields & { customer_id: string; owner_user_id: string; plan_type: number; plan_id: number })[]
    >(),
  },
  text: `
    insert into customers (org_id, customer_id, owner_user_id, is_draft, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address,
      birth_on, aadhaar_last4, pan_masked, language, search, created_at, updated_at)
    select $1, customer_id, owner_user_id, false, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address,
      birth_on, aadhaar_last4, pan_masked, language, search, kist_now(), kist_now()
    from jsonb_populate_recordset(null::customers, $rows)`,
});

/** Those of one shop, of whom a few or all are meant, held until the transaction ends; the first of them by their ids. */
export const holdOfOwner = statement({
  name: 'customers.hold_of_owner',
  takes: { from_user_id: uuid, only: nullable(listOf(uuid)), limit: int4 },
  gives: { customer_id: uuid },
  text: `
    select customer_id from customers
    where org_id = $1 and owner_user_id = $from_user_id and ($only is null or customer_id = any($only))
    order by customer_id limit $limit for no key update`,
});

export const insertTransfers = statement({
  name: 'customers.insert_transfers',
  takes: {
    transfer_id: uuid,
    customer_ids: listOf(uuid),
    from_user_id: uuid,
    to_user_id: uuid,
    reason: text,
    made_by: uuid,
  },
  text: `
    insert into customer_transfers (org_id, transfer_id, customer_id, from_user_id, to_user_id, reason, made_by, made_at)
    select $1, $transfer_id, c.customer_id, $from_user_id, $to_user_id, $reason, $made_by, kist_now() from unnest($customer_ids) as c(customer_id)`,
});

export const changeOwner = statement({
  name: 'customers.change_owner',
  takes: { customer_ids: listOf(uuid), to_user_id: uuid },
  text: `
    update customers set owner_user_id = $to_user_id, updated_at = kist_now(), version = version + 1
    where org_id = $1 and customer_id = any($customer_ids)`,
});

/**
 * Who had a customer at a moment, where it passed on from there since, no longer ago than so many days. A moment of the world's clock is told by where the
 * installation's was at the transfer: a demonstration's is moved on between two payments. `at`: the moment by the installation's clock, which is never to come.
 */
export const ownerAt = statement({
  name: 'customers.owner_at',
  takes: { customer_id: uuid, at: timestamptz, is_real_time: bool, days: int4 },
  gives: { owner_user_id: uuid, at: known(timestamptz) },
  text: `
    select t.from_user_id as owner_user_id, least(t.at, kist_now()) as at from (
      select c.from_user_id, c.made_at, m.at
      from customer_transfers c, lateral (select $at + case when $is_real_time then c.clock_shift else interval '0' end as at) m
      where c.org_id = $1 and c.customer_id = $customer_id and c.made_at >= m.at order by c.made_at limit 1) t
    where t.made_at > kist_now() - make_interval(days => $days)`,
});

/** How many a shop has. */
export const countOfOwner = statement({
  name: 'customers.count_of_owner',
  takes: { user_id: uuid },
  gives: { count: int4 },
  text: 'select count(*)::int as count from customers where org_id = $1 and owner_user_id = $user_id',
});

/** What these are called, as lists show them. */
export const namesOf = statement({
  name: 'customers.names_of',
  takes: { customer_ids: listOf(uuid) },
  gives: { customer_id: uuid, name: known(text) },
  text: `
    select customer_id, trim(first_name || ' ' || last_name) as name from customers where org_id = $1 and customer_id = any($customer_ids)`,
});

/**
 * Changes of a customer's number in 24 hours to which no code of the one before agreed, until the oldest of them is a day old, and whether this number is the
 * one that spoke last, with none speaking since.
 */
export const unagreedNumbers = statement({
  name: 'customers.unagreed_numbers',
  takes: { customer_id: uuid, to: text },
  gives: { changes: int4, waits_s: int4, comes_back: bool },
  text: `
    select count(*)::int as changes, coalesce(ceil(extract(epoch from min(changed_at) + interval '24 hours' - kist_now())), 0)::int as waits_s,
      kist_number_speaks_at($1, $customer_id) is not null
        and coalesce((array_agg(spoke_hash order by change_no desc))[1] = kist_number_hash($customer_id, $to), false) as comes_back
    from number_changes where org_id = $1 and customer_id = $customer_id and otp_id is null and changed_at > kist_now() - interval '24 hours'`,
});

/** Who signed in with the number that has just come back, having been the customer's word all the time; no row of any other number. */
export const loginThatCameBack = statement({
  name: 'customers.login_that_came_back',
  takes: { customer_id: uuid },
  gives: { user_id: known(uuid) },
  text: `
    select n.login_user_id as user_id from (
      select is_back, login_user_id from number_changes where org_id = $1 and customer_id = $customer_id order by change_no desc limit 1) n
    where n.is_back and n.login_user_id is not null`,
});

/** By what numbers of before are known again. */
export const forgetNumbers = statement({
  name: 'customers.forget_numbers',
  takes: { customer_id: uuid },
  text: 'update number_changes set spoke_hash = null where org_id = $1 and customer_id = $customer_id and spoke_hash is not null',
});
