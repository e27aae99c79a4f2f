import { bytea, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export const insertConfirmation = statement({
  name: 'customers.insert_confirmation',
  takes: {
    confirmation_id: uuid,
    customer_id: uuid,
    mobile: text,
    text_version: text,
    text_hash: bytea,
    /** SHA-256 of what is sold and on which terms; null: of an agreement that runs. */
    deal_hash: nullable(bytea),
    /** The code that was used up for it in this transaction. */
    otp_id: nullable(uuid),
    language: text,
    confirmed_by: uuid,
  },
  text: `
    insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, deal_hash, language, otp_id, confirmed_at, confirmed_by)
    values ($1, $confirmation_id, $customer_id, $mobile, $text_version, $text_hash, $deal_hash, $language, $otp_id, kist_now(), $confirmed_by)`,
});

/** The newest for exactly this text and number: of a sale, for exactly this deal; of what runs, told since it does, for what was told before may have been for another. */
export const confirmationOf = statement({
  name: 'customers.confirmation_of',
  takes: {
    customer_id: uuid,
    mobile: text,
    text_hash: bytea,
    deal_hash: nullable(bytea),
    since: nullable(timestamptz),
  },
  gives: { confirmation_id: uuid },
  text: `
    select confirmation_id from consent_confirmations
    where org_id = $1 and customer_id = $customer_id and mobile = $mobile and text_hash = $text_hash
      and deal_hash is not distinct from $deal_hash
      and ($since::timestamptz is null or confirmed_at >= $since)
    order by confirmed_at desc, confirmation_id desc limit 1`,
});
