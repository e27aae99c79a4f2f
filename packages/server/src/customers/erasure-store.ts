import { as, date, int4, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export const insertErasure = statement({
  name: 'customers.insert_erasure',
  takes: {
    customer_id: uuid,
    asked_by: uuid,
    asked_as: as<'customer' | 'shop' | 'operator'>()(text),
    evidence_until: date,
    books_until: date,
  },
  text: `
    insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until)
    values ($1, $customer_id, kist_now(), $asked_by, $asked_as, $evidence_until, $books_until)`,
});

export const findErasure = statement({
  name: 'customers.find_erasure',
  takes: { customer_id: uuid },
  gives: { erased_at: timestamptz, evidence_until: date, books_until: date, evidence_gone_at: nullable(timestamptz) },
  text: `
    select erased_at, evidence_until, books_until, evidence_gone_at from erasures where org_id = $1 and customer_id = $customer_id`,
});

/** Those whose evidence nobody needs any more. */
export const evidenceOver = statement({
  name: 'customers.evidence_over',
  takes: { slice: int4 },
  gives: { customer_id: uuid },
  text: `
    select customer_id from erasures where org_id = $1 and evidence_gone_at is null and evidence_until <= kist_today()
    order by evidence_until limit $slice for update skip locked`,
});

export const dropEvidence = statement({
  name: 'customers.drop_evidence',
  takes: { customer_ids: listOf(uuid) },
  text: `
    with numbers as (update consent_confirmations set mobile = 'erased' where org_id = $1 and customer_id = any($customer_ids) and mobile <> 'erased')
    update erasures set evidence_gone_at = kist_now() where org_id = $1 and customer_id = any($customer_ids)`,
});
