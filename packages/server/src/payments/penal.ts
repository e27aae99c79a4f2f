import type { IsoDate } from '@kist/contract/dates';
import { bps, paise } from '@kist/contract/money';
import {
  accountToChange,
  insertCharge,
  type InstalmentState,
  type OpenAccount,
} from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { post } from '#server/ledger/ledger.ts';
import type { Notices } from '#server/notices/notices.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type PenalSetting, overdueAgreements, readPenalSetting } from './penal-store.ts';
import { penalCharge } from './rules/penal.ts';

const CHUNK = 500;

/**
 * Makes the penal charges that have come up by a business day, one agreement a transaction. Each has its journal under `penal:<agreement>:<no>:<day>`,
 * so a day runs any number of times with the same effect. The customer is told; a charge never makes a phone overdue.
 * @returns how many charges were made
 */
export async function chargePenalties(
  db: Pick<Database, 'transaction'>,
  notices: Pick<Notices, 'send'>,
  orgId: number,
  on: IsoDate,
): Promise<number> {
  const { penal: setting } = await db.transaction(orgId, (tx) => readPenalSetting.one(tx, {}));
  if (!setting || setting.charge_paise <= 0) return 0;
  let made = 0;
  for (let after: string | null = null; ;) {
    const rows: { agreement_id: string }[] = await db.transaction(orgId, (tx) =>
      overdueAgreements.all(tx, { on, since_on: setting.since_on, after, limit: CHUNK }),
    );
    for (const { agreement_id } of rows)
      made += await db.transaction(orgId, (tx) => chargeAgreement(tx, notices, agreement_id, on, setting));
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return made;
    after = last.agreement_id;
  }
}

async function chargeAgreement(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  agreementId: string,
  on: IsoDate,
  setting: PenalSetting,
): Promise<number> {
  const opened = await accountToChange(tx, { agreement_id: agreementId });
  const policy = {
    chargePaise: paise(setting.charge_paise),
    graceDays: setting.grace_days,
    everyDays: setting.every_days,
    capBps: bps(opened.agreement.policy.penalCapBps),
  };
  let made = 0;
  for (const instalment of opened.instalments) {
    const { amount_paise, reason } = penalCharge(instalment, opened.charges, on, policy);
    if (reason === null && (await charge(tx, notices, opened, instalment, amount_paise, on))) made += 1;
  }
  return made;
}

async function charge(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  { agreement }: OpenAccount,
  { no, due_on: dueOn }: InstalmentState,
  amountPaise: number,
  on: IsoDate,
): Promise<boolean> {
  const { agreement_id: agreementId, customer_id: customerId } = agreement;
  const chargeId = newId();
  const of = { agreement_id: agreementId, instalment_no: no };
  const journalId = await post(tx, {
    effectKey: `penal:${agreementId}:${no}:${on}`,
    kind: 'penal_charged',
    refKind: 'agreement',
    refId: agreementId,
    businessOn: on,
    lines: [
      { ...of, code: 'receivable_penal', charge_id: chargeId, side: 'debit', amount: amountPaise },
      { ...of, code: 'income_penal', side: 'credit', amount: amountPaise },
    ],
  });
  if (!journalId) return false;
  await insertCharge.run(tx, {
    charge_id: chargeId,
    agreement_id: agreementId,
    instalment_no: no,
    amount_paise: amountPaise,
    charged_on: on,
  });
  await audit.append(tx, {
    kind: 'agreement',
    id: agreementId,
    actor: SYSTEM(tx.orgId ?? 0),
    action: 'penal_charged',
    data: { instalment_no: no, amount_paise: amountPaise, charged_on: on },
  });
  // Numbered by the instalment and the day: `due_on` of the message is the day of the charge, so that each charge is told once.
  await notices.send(tx, [
    {
      agreementId,
      customerId,
      kind: 'penal',
      template: 'penal',
      no,
      dueOn: on,
      channels: ['sms'],
      params: { amountPaise, dueOn },
    },
  ]);
  return true;
}
