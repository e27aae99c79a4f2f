import { date, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** The ladder rests until a day, once for each instalment. No row where it rested for this one before. */
export const insertClaimHold = statement({
  name: 'locking.insert_claim_hold',
  takes: { hold_id: uuid, agreement_id: uuid, due_on: date, until_on: date, created_by: uuid },
  text: `
    insert into holds (org_id, hold_id, agreement_id, kind, due_on, until_on, note, created_by, created_at)
    values ($1, $hold_id, $agreement_id, 'claim', $due_on, $until_on, '', $created_by, kist_now())
    on conflict (org_id, agreement_id, due_on) where kind = 'claim' do nothing`,
});
