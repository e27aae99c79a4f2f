import { bool, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What a customer agreed to by telling a code, and from which number. */
export const confirmationsKept = statement({
  name: 'customers.confirmations_kept',
  takes: { customer_id: uuid },
  gives: { mobile: text, text_version: text, language: text, confirmed_at: timestamptz },
  text: `
    select mobile, text_version, language, confirmed_at from consent_confirmations
    where org_id = $1 and customer_id = $customer_id order by confirmed_at desc, confirmation_id desc`,
});

/** When the number on file became another one, and whether nobody confirmed that from the one before. */
export const numberChangesKept = statement({
  name: 'customers.number_changes_kept',
  takes: { customer_id: uuid },
  gives: { changed_at: timestamptz, waits: bool, is_back: bool },
  text: `
    select changed_at, waits, is_back from number_changes
    where org_id = $1 and customer_id = $customer_id order by changed_at desc, change_no desc`,
});

/** When a customer passed on from one shop to another, and why. */
export const transfersKept = statement({
  name: 'customers.transfers_kept',
  takes: { customer_id: uuid },
  gives: { made_at: timestamptz, reason: text },
  text: `
    select made_at, reason from customer_transfers
    where org_id = $1 and customer_id = $customer_id order by made_at desc, transfer_id desc`,
});
