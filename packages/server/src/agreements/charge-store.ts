import { jsonb } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** A penal charge of an instalment, paise. */
export interface NewCharge {
  charge_id: string;
  agreement_id: string;
  instalment_no: number;
  amount_paise: number;
  charged_on: string;
}

export const insertCharges = statement({
  name: 'agreements.insert_charges',
  takes: { charges: jsonb<readonly NewCharge[]>() },
  text: `
    insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on)
    select $1, charge_id, agreement_id, instalment_no, amount_paise, charged_on from jsonb_to_recordset($charges)
      as g(charge_id uuid, agreement_id uuid, instalment_no int, amount_paise bigint, charged_on date)`,
});
