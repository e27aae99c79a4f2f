import { bool, known, text, timestamptz } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** A vendor that says no once may have a bad minute; one that says it for longer has an account that somebody must put right. */
const TOLD_AFTER_S = 60;

/** A vendor refuses the organisation's account, since now or still. @returns whether somebody must be told: once, until it is well again */
export const noteRefusal = statement({
  name: 'commands.note_refusal',
  takes: { vendor: text, why: text },
  gives: { is_to_tell: bool },
  text: `with was as materialized (
       select refused_since, refusal_told_at from vendor_budgets where org_id = $1 and vendor = $vendor for update
     )
     update vendor_budgets b set refused_since = coalesce(b.refused_since, kist_now()), refused_why = $why,
       refusal_told_at = case when was.refused_since <= kist_now() - interval '${TOLD_AFTER_S} seconds' then coalesce(b.refusal_told_at, kist_now()) else b.refusal_told_at end
     from was where b.org_id = $1 and b.vendor = $vendor
     returning was.refusal_told_at is null and b.refusal_told_at is not null as is_to_tell`,
});

/** It is accepted again. @returns whether somebody was told that it was not; nothing where it was not refused */
export const endRefusal = statement({
  name: 'commands.end_refusal',
  takes: { vendor: text },
  gives: { was_told: bool },
  text: `with was as materialized (
       select refusal_told_at from vendor_budgets where org_id = $1 and vendor = $vendor and refused_since is not null for update
     )
     update vendor_budgets b set refused_since = null, refused_why = null, refusal_told_at = null
     from was where b.org_id = $1 and b.vendor = $vendor
     returning was.refusal_told_at is not null as was_told`,
});

/** Accounts of the organisation that their vendors refuse. */
export const refusedAccounts = statement({
  name: 'commands.refused_accounts',
  gives: { vendor: text, refused_since: known(timestamptz), refused_why: known(text) },
  text: `select vendor, refused_since, refused_why from vendor_budgets where org_id = $1 and refused_since is not null order by vendor`,
});
