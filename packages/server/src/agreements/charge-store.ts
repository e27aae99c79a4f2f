import { date, int4, int8, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** A penal charge of an instalment; its journal is posted by who makes it. */
export const insertCharge = statement({
  name: 'agreements.insert_charge',
  takes: { charge_id: uuid, agreement_id: uuid, instalment_no: int4, amount_paise: int8, charged_on: date },
  text: `
    insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on)
    values ($1, $charge_id, $agreement_id, $instalment_no, $amount_paise, $charged_on)`,
});
