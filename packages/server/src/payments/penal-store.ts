import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';

/** As an organisation's administrator set it; null: it makes no penal charges. */
export interface PenalSetting {
  charge_paise: number;
  grace_days: number;
  every_days: number;
  /** Only agreements delivered from this day on: a charge is disclosed before signing. */
  since_on: IsoDate;
}

export async function readPenalSetting(tx: Tx): Promise<PenalSetting | null> {
  const { rows } = await tx.query<{ penal: PenalSetting | null }>(
    'select penal from organisations where org_id = kist_org()',
  );
  return rows[0]?.penal ?? null;
}

/** Agreements with something overdue on a day, in the order of their ids. */
export async function overdueAgreements(
  tx: Tx,
  given: { on: IsoDate; sinceOn: IsoDate; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select agreement_id as id from agreements where org_id = kist_org() and state = 'active' and oldest_due_on < $1::date and delivered_on >= $2::date
       and ($3 = '' or agreement_id > nullif($3, '')::uuid) order by agreement_id limit $4`,
    [given.on, given.sinceOn, given.after, given.limit],
  );
  return rows.map((row) => row.id);
}

export async function insertCharge(
  tx: Tx,
  charge: { chargeId: string; agreementId: string; instalmentNo: number; amountPaise: number; on: IsoDate },
): Promise<void> {
  await tx.query(
    `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on) values (kist_org(), $1, $2, $3, $4, $5)`,
    [charge.chargeId, charge.agreementId, charge.instalmentNo, charge.amountPaise, charge.on],
  );
}
