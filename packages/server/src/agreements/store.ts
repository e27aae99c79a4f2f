import type { IsoDate } from '@kist/contract/dates';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { Bps, Paise } from '@kist/contract/money';
import type { Tx } from '#server/platform/database.ts';

export interface AgreementRecord {
  agreement_id: string;
  agreement_no: string;
  customer_id: string;
  device_id: string;
  owner_user_id: string;
  plan_type: number;
  state: 'active' | 'completed' | 'cancelled';
  method: string;
  frequency: string;
  rounding: string;
  cash_price_paise: Paise;
  down_payment_paise: Paise;
  fee_paise: Paise;
  rate_bps: Bps;
  tenure: number;
  delivered_on: IsoDate;
  anchor_day: number | null;
  financed_paise: Paise;
  emi_paise: Paise;
  total_interest_paise: Paise;
  total_payable_paise: Paise;
  apr_bps: Bps;
  is_regulated: boolean;
  policy_version: number;
  policy: LockPolicy;
  oldest_due_on: IsoDate | null;
  oldest_due_paise: Paise;
  last_due_on: IsoDate;
  outstanding_paise: Paise;
  paid_count: number;
  advance_paise: Paise;
  completed_at: Date | null;
  created_at: Date;
  version: number;
}

const COLUMNS = `agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, state, method, frequency, rounding, cash_price_paise,
  down_payment_paise, fee_paise, rate_bps, tenure, delivered_on, anchor_day, financed_paise, emi_paise, total_interest_paise, total_payable_paise, apr_bps,
  is_regulated, policy_version, policy, oldest_due_on, oldest_due_paise, last_due_on, outstanding_paise, paid_count, advance_paise, completed_at, created_at, version`;

export type NewAgreement = Omit<
  AgreementRecord,
  | 'state'
  | 'oldest_due_on'
  | 'oldest_due_paise'
  | 'outstanding_paise'
  | 'paid_count'
  | 'advance_paise'
  | 'completed_at'
  | 'created_at'
  | 'version'
>;

export interface InstalmentRecord {
  no: number;
  instalment_id: string;
  due_on: IsoDate;
  principal_paise: Paise;
  interest_paise: Paise;
  fee_paise: Paise;
  balance_paise: Paise;
  paid_principal_paise: Paise;
  paid_interest_paise: Paise;
  paid_fee_paise: Paise;
  paid_on: IsoDate | null;
}
export interface ChargeRecord {
  charge_id: string;
  instalment_no: number;
  amount_paise: Paise;
  paid_paise: Paise;
  charged_on: IsoDate;
}

/** @param lock takes the agreement for this transaction: everything that moves its money queues here. */
export async function findAgreement(
  tx: Tx,
  by: { agreementId: string } | { customerId: string },
  lock = false,
): Promise<AgreementRecord | null> {
  const [column, value] = 'agreementId' in by ? ['agreement_id', by.agreementId] : ['customer_id', by.customerId];
  const { rows } = await tx.query<AgreementRecord>(
    `select ${COLUMNS} from agreements where ${column} = $1 order by (state = 'cancelled'), created_at desc limit 1${lock ? ' for update' : ''}`,
    [value],
  );
  return rows[0] ?? null;
}

export async function agreementOfDevice(tx: Tx, deviceId: string): Promise<AgreementRecord | null> {
  const { rows } = await tx.query<AgreementRecord>(
    `select ${COLUMNS} from agreements where device_id = $1 and state <> 'cancelled' order by created_at desc limit 1`,
    [deviceId],
  );
  return rows[0] ?? null;
}

export async function insertAgreement(
  tx: Tx,
  row: NewAgreement & { oldest_due_on: IsoDate; oldest_due_paise: number },
): Promise<void> {
  const values: Record<string, unknown> = { ...row, outstanding_paise: row.total_payable_paise };
  const names = Object.keys(values);
  await tx.query(
    `insert into agreements (org_id, created_at, ${names.join(', ')})
     select kist_org(), kist_now(), ${names.map((name) => `n.${name}`).join(', ')} from jsonb_populate_record(null::agreements, $1::jsonb) n`,
    [JSON.stringify(values)],
  );
}

export async function insertInstalments(
  tx: Tx,
  agreementId: string,
  rows: readonly Omit<
    InstalmentRecord,
    'paid_principal_paise' | 'paid_interest_paise' | 'paid_fee_paise' | 'paid_on'
  >[],
): Promise<void> {
  await tx.query(
    `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise)
     select kist_org(), $1, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise
     from jsonb_to_recordset($2::jsonb) as r(no int, instalment_id uuid, due_on date, principal_paise bigint, interest_paise bigint, fee_paise bigint, balance_paise bigint)`,
    [agreementId, JSON.stringify(rows)],
  );
}

export async function instalmentsOf(tx: Tx, agreementId: string): Promise<InstalmentRecord[]> {
  const { rows } = await tx.query<InstalmentRecord>(
    `select no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise, paid_principal_paise, paid_interest_paise, paid_fee_paise, paid_on
     from instalments where agreement_id = $1 order by no`,
    [agreementId],
  );
  return rows;
}

export async function chargesOf(tx: Tx, agreementId: string): Promise<ChargeRecord[]> {
  const { rows } = await tx.query<ChargeRecord>(
    'select charge_id, instalment_no, amount_paise, paid_paise, charged_on from charges where agreement_id = $1 order by charged_on, charge_id',
    [agreementId],
  );
  return rows;
}

export async function agreementOfInstalment(
  tx: Tx,
  instalmentId: string,
): Promise<{ agreement_id: string; customer_id: string; no: number } | null> {
  const { rows } = await tx.query<{ agreement_id: string; customer_id: string; no: number }>(
    `select i.agreement_id, a.customer_id, i.no from instalments i join agreements a using (org_id, agreement_id) where i.instalment_id = $1`,
    [instalmentId],
  );
  return rows[0] ?? null;
}

/** Writes how much of each bucket is paid, and the snapshot, of one agreement. */
export async function writeAccount(
  tx: Tx,
  agreementId: string,
  paid: readonly { no: number; principal: number; interest: number; fee: number; paidOn: IsoDate | null }[],
  charges: readonly { chargeId: string; paid: number }[],
  snapshot: {
    oldestDueOn: IsoDate | null;
    oldestDuePaise: number;
    outstandingPaise: number;
    paidCount: number;
    advancePaise: number;
    state: AgreementRecord['state'];
  },
): Promise<void> {
  await tx.query(
    `update instalments i set paid_principal_paise = n.principal, paid_interest_paise = n.interest, paid_fee_paise = n.fee, paid_on = n.paid_on
     from jsonb_to_recordset($2::jsonb) as n(no int, principal bigint, interest bigint, fee bigint, paid_on date)
     where i.agreement_id = $1 and i.no = n.no
       and (i.paid_principal_paise, i.paid_interest_paise, i.paid_fee_paise, i.paid_on) is distinct from (n.principal, n.interest, n.fee, n.paid_on)`,
    [agreementId, JSON.stringify(paid.map(({ paidOn, ...row }) => ({ ...row, paid_on: paidOn })))],
  );
  if (charges.length > 0)
    await tx.query(
      `update charges c set paid_paise = n.paid from unnest($2::uuid[], $3::bigint[]) as n(charge_id, paid)
       where c.agreement_id = $1 and c.charge_id = n.charge_id and c.paid_paise <> n.paid`,
      [agreementId, charges.map((charge) => charge.chargeId), charges.map((charge) => charge.paid)],
    );
  await tx.query(
    `update agreements set oldest_due_on = $2, oldest_due_paise = $3, outstanding_paise = $4, paid_count = $5, advance_paise = $6, state = $7,
       completed_at = case when $7 = 'completed' then coalesce(completed_at, kist_now()) end, version = version + 1
     where agreement_id = $1`,
    [
      agreementId,
      snapshot.oldestDueOn,
      snapshot.oldestDuePaise,
      snapshot.outstandingPaise,
      snapshot.paidCount,
      snapshot.advancePaise,
      snapshot.state,
    ],
  );
}

/** Next number of a gap-free series; the row stays locked until commit, so a rollback leaves no gap. */
export async function nextNumber(tx: Tx, name: string): Promise<number> {
  const { rows } = await tx.query<{ last: number }>(
    `insert into counters (org_id, name, last) values (kist_org(), $1, 1)
     on conflict (org_id, name) do update set last = counters.last + 1 returning last`,
    [name],
  );
  return rows[0]!.last;
}

/** A counter that stands where it was put; null when it was never set. */
export async function readNumber(tx: Tx, name: string): Promise<number | null> {
  const { rows } = await tx.query<{ last: number }>('select last from counters where name = $1', [name]);
  return rows[0]?.last ?? null;
}

/** Sets a counter that nobody set before. @returns what it stands at: another transaction may have been first. */
export async function writeNumber(tx: Tx, name: string, value: number): Promise<number> {
  const { rows } = await tx.query<{ last: number }>(
    `insert into counters (org_id, name, last) values (kist_org(), $1, $2)
     on conflict (org_id, name) do update set last = counters.last returning last`,
    [name, value],
  );
  return rows[0]!.last;
}

export async function insertConsent(
  tx: Tx,
  row: {
    consentId: string;
    agreementId: string;
    textVersion: string;
    textHash: Buffer;
    language: string;
    method: string;
    documentId: string | null;
  },
): Promise<void> {
  await tx.query(
    `insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id)
     values (kist_org(), $1, $2, $3, $4, $5, $6, kist_now(), $7)`,
    [row.consentId, row.agreementId, row.textVersion, row.textHash, row.language, row.method, row.documentId],
  );
}
