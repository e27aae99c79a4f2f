import { NEXT_CHECKIN } from '@kist/contract/agent';
import { LOCK_REASONS } from '@kist/contract/lock-policy';

export const INVARIANTS = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11', 'I12'] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** One thing that always holds, and how the database is asked for what breaks it. */
export interface InvariantCheck {
  /** What always holds, as a person says it. */
  name: string;
  /** What a green answer proves, and what it does not. */
  proves: string;
  /**
   * A row `id`, `detail` (ids and numbers only) for each violation, of one organisation (`kist_org()`) and of the part of it whose ids lie above `$1` and
   * not above `$2` (null: open). `phone`: what only a phone says of itself, and which phone that is, by whatever records it is kept under; null: ours.
   */
  sql: string;
}

/** Today in India. */
export const TODAY = '(select kist_today())';
/** Written out, as what is overdue is below: who judges does not ask what is judged. */
export const LEFT =
  'i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise';
/** Ids of agreements, phones, payments and journals all begin with a time: a range of them is a part of each. */
export const within = (id: string) => `($1::uuid is null or ${id} > $1) and ($2::uuid is null or ${id} <= $2)`;
/** Ids of histories are texts, most of them of the same ids. */
export const withinText = (id: string) =>
  `($1::uuid is null or ${id} > $1::text) and ($2::uuid is null or ${id} <= $2::text)`;
/** What belongs to no part is asked once, with the first. */
export const ONCE = '$1::uuid is null and ($2::uuid is null or true)';
/** Two polls of a quiet phone, each at its latest. */
export const TWO_POLLS = `interval '${2 * (NEXT_CHECKIN.afterS + NEXT_CHECKIN.spreadS)} seconds'`;
/**
 * A line of a history, looked up for each row: under row-level security no index is searched for an id that is turned into text on the way (the turning may
 * tell of rows that are hidden), so the text stands ready in what is joined, and the limit keeps the planner from going through all lines for each.
 */
export const firstLine = (of: string) =>
  `select true as is_there from audit_lines x where x.org_id = kist_org() and ${of} limit 1`;
export const RECENT = `kist_now() - interval '2 days'`;
/** What a word of before codes were kept with it names (0276). */
export const BEFORE_CODES = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** Which reasons a cause stands on: one never serves as another. */
export const REASONS = `(values ${Object.entries(LOCK_REASONS)
  .map(([reason, { cause }]) => `('${cause}', '${reason}')`)
  .join(', ')}) as c(cause, reason)`;
/** The owner's own word, open: what a theft lock and one that the owner asked for stand on. */
export const OWN_WORD = (held: string) =>
  `select from protection_reports p where p.org_id = ${held}.org_id and p.device_id = ${held}.device_id and p.closed_at is null and p.reported_by <> 'shop'
      and p.kind = case ${held}.cause when 'theft' then 'theft' else 'request' end`;
/** The end of a day in India: nothing of an instalment is taken before its day is over. */
export const DAY_AFTER = (on: string) => `((${on} + 1)::timestamp at time zone 'Asia/Kolkata')`;

/**
 * One thing in one hand, however often it is on file: rows that share a number are one. Those that were let go are left out, as they are where this is asked:
 * a phone that went and came back would speak twice.
 */
export const ONE_PHONE = `coalesce((select min(s.device_id::text) from devices s where s.org_id = d.org_id and s.released_at is null
      and (s.imei1 in (d.imei1, d.imei2) or s.imei2 in (d.imei1, d.imei2) or s.serial = d.serial)), d.device_id::text)`;
/** What is written down of one moment in one transaction differs by less. */
export const AT_ONCE = `interval '1 minute'`;
