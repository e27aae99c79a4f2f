import type { Agreement } from '#server/agreements/agreements.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { append } from '#server/platform/outbox.ts';
import { findAddressees } from './store.ts';

/** Promises the word to the number that a customer had until now. It stands in no row: whoever has that number is told once, whatever the customer's is. */
export async function tellOldNumber(
  tx: Tx,
  { agreement_id }: Pick<Agreement, 'agreement_id'>,
  { from: mobile, sealer }: { from: string; sealer: Sealer | undefined },
): Promise<void> {
  const to = (await findAddressees(tx, [agreement_id])).get(agreement_id);
  if (!to) throw new Error('an agreement without customer');
  const { shop, shopPhone: phone, agreementNo: agreement_no, language } = to;
  const payload = { mobile, template: 'number_changed', params: { shop, phone, agreement_no }, language };
  await append(tx, { topic: 'sms', payload, ...(sealer && { sealer }) });
}
