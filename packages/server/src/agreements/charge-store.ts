import { date, int4, int8, jsonb, listOf, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** A penal charge of an instalment, paise. */
export interface NewCharge {
  charge_id: string;
  agreement_id: string;
  instalment_no: number;
  amount_paise: number;
  charged_on: string;
  made_by: 'rule' | 'hand';
  /** Who charged it by hand. */
  charged_by: string | null;
}

export const insertCharges = statement({
  name: 'agreements.insert_charges',
  takes: { charges: jsonb<readonly NewCharge[]>() },
  text: `
    insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by, charged_by)
    select $1, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by, charged_by from jsonb_to_recordset($charges)
      as g(charge_id uuid, agreement_id uuid, instalment_no int, amount_paise bigint, charged_on date, made_by text, charged_by uuid)`,
});

/** Whose a charge is. */
export const ofCharge = statement({
  name: 'agreements.of_charge',
  takes: { charge_id: uuid },
  gives: { agreement_id: uuid, customer_id: uuid },
  text: `
    select c.agreement_id, a.customer_id from charges c join agreements a using (org_id, agreement_id)
    where c.org_id = $1 and c.charge_id = $charge_id`,
});

/** How many charges of an instalment were made by hand on a day, those that were taken back among them. */
export const madeByHand = statement({
  name: 'agreements.charges_made_by_hand',
  takes: { agreement_id: uuid, instalment_no: int4, on: date },
  gives: { n: int4 },
  text: `
    select count(*)::int as n from charges
    where org_id = $1 and agreement_id = $agreement_id and instalment_no = $instalment_no and charged_on = $on and made_by = 'hand'`,
});

export const waiveCharge = statement({
  name: 'agreements.waive_charge',
  takes: { charge_id: uuid, amount_paise: int8 },
  text: 'update charges set waived_paise = waived_paise + $amount_paise where org_id = $1 and charge_id = $charge_id',
});

/** Nothing is paid into a charge that is taken back. */
export const takeChargesBack = statement({
  name: 'agreements.take_charges_back',
  takes: { charge_ids: listOf(uuid), payment_id: uuid },
  text: `
    update charges set taken_back_at = kist_now(), taken_back_for = $payment_id, paid_paise = 0
    where org_id = $1 and charge_id = any($charge_ids)`,
});
