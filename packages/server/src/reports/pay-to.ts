import { NEEDS } from '@kist/contract/access';
import type { PayTo } from '@kist/contract/pay-to';
import { cleanMachineText } from '@kist/contract/text';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

const SHOP_LENGTH = 120;

/**
 * Whom a customer pays and how much is asked for: the shop that looks after the agreement, as the phone's own screen names it.
 * @throws KistError NOT_FOUND for somebody else's customer and for one without an agreement
 */
export async function payTo(tx: Tx, actor: Actor, { customer_id }: { customer_id: string }): Promise<PayTo> {
  identity.requires(actor, NEEDS.read);
  await customers.authorize(tx, actor, { customer_id });
  const opened = await agreements.account(tx, { customer_id });
  const { agreement_id, agreement_no, owner_user_id, state } = opened.agreement;
  const { overdue_paise, oldestUnpaid } = agreements.dues(opened, await today(tx));
  const contact = await store.shopContact.first(tx, { user_id: owner_user_id });
  const isRunning = state === 'active';
  return {
    agreement_no,
    shop: cleanMachineText(contact?.shop ?? '', SHOP_LENGTH),
    shop_phone: contact?.shop_phone ?? '',
    upi_id: contact?.upi_id ?? null,
    amount_paise: isRunning ? overdue_paise || (oldestUnpaid?.left_paise ?? 0) : 0,
    rests_until_on: isRunning ? await locking.restsForClaim(tx, agreement_id) : null,
  };
}
