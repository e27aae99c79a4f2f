import type { ErasureRefusal } from '@kist/contract/privacy';
import { as, nullable, text, uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';

type OpenOfLocks = Extract<ErasureRefusal, 'DISPUTE_OPEN' | 'UNLOCK_OPEN' | 'COMPENSATION_OPEN'>;

const openOf = statement({
  name: 'locking.open_of_locks',
  takes: { customer_id: uuid },
  gives: { refused: nullable(as<OpenOfLocks>()(text)) },
  text: 'select kist_open_of_locks($1, $customer_id) as refused',
});

const forgetDisputes = statement({
  name: 'locking.forget_disputes',
  takes: { customer_id: uuid },
  text: `
    with theirs as (
      update disputes d set text = '—' from agreements_view a
      where d.org_id = $1 and a.org_id = $1 and a.customer_id = $customer_id and d.agreement_id = a.agreement_id returning d.dispute_id
    )
    update dispute_moves m set reason = '—' from theirs where m.org_id = $1 and m.dispute_id = theirs.dispute_id`,
});

const forgetHolds = statement({
  name: 'locking.forget_holds',
  takes: { customer_id: uuid },
  text: `
    update holds h set note = '', lifted_note = '' from agreements_view a
    where h.org_id = $1 and a.org_id = $1 and a.customer_id = $customer_id and h.agreement_id = a.agreement_id and (h.note, h.lifted_note) <> ('', '')`,
});

const forgetReports = statement({
  name: 'locking.forget_reports',
  takes: { customer_id: uuid },
  text: `
    update protection_reports p set note = '', closed_reason = case when p.closed_reason = '' then '' else '—' end,
      code_mobile = case when p.code_mobile is not null then 'erased' end
    from devices_view d where p.org_id = $1 and d.org_id = $1 and d.customer_id = $customer_id and p.device_id = d.device_id`,
});

const forgetOverrides = statement({
  name: 'locking.forget_overrides',
  takes: { customer_id: uuid },
  text: `
    update override_asks o set note = '—', refusal_note = case when o.refusal_note is not null then '—' end from agreements_view a
    where o.org_id = $1 and a.org_id = $1 and a.customer_id = $customer_id and o.agreement_id = a.agreement_id`,
});

const forgetPhoneClaims = statement({
  name: 'locking.forget_phone_claims',
  takes: { customer_id: uuid },
  text: `update phone_claims set reason = '—' where org_id = $1 and customer_id = $customer_id and reason is not null`,
});

/**
 * What an erased customer and the shop said in complaints, rests and of a stolen phone: people write names there; and the number that a code went to. That
 * there was one, of when and how it ended, stays.
 */
export async function forgetWordsAbout(tx: Tx, of: { customer_id: string }): Promise<void> {
  await forgetDisputes.run(tx, of);
  await forgetHolds.run(tx, of);
  await forgetReports.run(tx, of);
  await forgetOverrides.run(tx, of);
  await forgetPhoneClaims.run(tx, of);
}

/**
 * What locks of a customer's phones have left open, which is ended before the customer is erased: a complaint that waits for an answer or can still be taken
 * further, a phone that has not said that it is free, money that is owed and not paid out. Null: nothing. The database refuses an erasure by the same.
 */
export const openOfLocks = async (tx: Tx, of: { customer_id: string }): Promise<OpenOfLocks | null> =>
  (await openOf.one(tx, of)).refused;
