import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, sum } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Notices } from '#server/notices/notices.ts';
import { byAgreement } from '#server/platform/by-agreement.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { inLanes, inParts } from '#server/platform/lanes.ts';
import { toCharge } from './by-hand.ts';
import * as store from './penal-store.ts';
import { penalCharge } from './rules/penal.ts';

/** Agreements of one transaction: long enough that the statements count for little, short enough that no payment waits for it. */
const SLICE = 1_000;
/** Agreements that one look finds. */
const LOOK = 20_000;

/** A charge that has come up today. */
interface Due {
  charge_id: string;
  agreement_id: string;
  customer_id: string;
  instalment_no: number;
  due_on: IsoDate;
  amount_paise: Paise;
}

/**
 * Makes the penal charges that have come up by a business day, slice by slice, each a transaction of a few
 * statements. Each charge has its journal under `penal:<agreement>:<no>:<day>`, so a day runs any number of times with the same effect. The customer is
 * told; a charge never makes a phone overdue.
 * @returns how many charges were made
 */
export async function chargePenalties(
  db: Pick<Database, 'transaction'>,
  notices: Pick<Notices, 'send'>,
  orgId: number,
  on: IsoDate,
  atOnce = SLICE,
): Promise<number> {
  let made = 0;
  const look = async (after: string | undefined, limit: number) => {
    const found = await db.transaction(orgId, (tx) => store.chargeable.all(tx, { on, after: after ?? null, limit }));
    return found.map(({ agreement_id }) => agreement_id);
  };
  await inLanes(inParts(look, { found: LOOK, part: atOnce }), async (agreement_ids) => {
    const charged = await db.transaction(orgId, (tx) => chargeSlice(tx, notices, { on, agreement_ids }));
    made += charged;
  });
  return made;
}

/**
 * Makes a penal charge by hand, within the rule that the agreement was signed under; the customer is told as of any other.
 * @throws KistError NOT_FOUND, PENALTY_REFUSED (`details.reason` says why), AMOUNT_TOO_LARGE
 */
export async function chargeByHand(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  actor: Actor,
  given: { customer_id: string; instalment_id?: string | undefined; amount?: number | undefined },
) {
  const { opened, on, due: chosen } = await toCharge(tx, actor, given);
  const { agreement_id, customer_id } = opened.agreement;
  const due: Due = { ...chosen, charge_id: newId(), agreement_id, customer_id };
  const before = await agreements.chargesByHand(tx, { agreement_id, instalment_no: due.instalment_no, on });
  await ledger.post(tx, posting(due, on, `penal:hand:${due.charge_id}`));
  await agreements.insertCharges(tx, [chargeOf(due, on, actor.userId)]);
  await note(tx, actor, [due], on);
  await notices.send(tx, [message(due, on, before + 1)]);
  const { charge_id, instalment_no, amount_paise } = due;
  const penal_left_paise = add(sum(opened.charges.map(agreements.chargeLeft)), amount_paise);
  return { charge_id, instalment_no, amount_paise, charged_on: on, penal_left_paise };
}

/** @returns how many charges came up of these agreements */
async function chargeSlice(
  tx: Tx,
  notices: Pick<Notices, 'send'>,
  slice: { on: IsoDate; agreement_ids: readonly string[] },
): Promise<number> {
  const overdue = await store.takeChargeable.all(tx, slice);
  if (overdue.length === 0) return 0;
  const dues = await duesOf(tx, overdue, slice.on);
  // What another run of the day posted before is not made again.
  const posted = await ledger.postMany(
    tx,
    dues.map((due) => posting(due, slice.on, `penal:${due.agreement_id}:${due.instalment_no}:${slice.on}`)),
  );
  const charged = dues.filter((_due, index) => posted[index]);
  await agreements.insertCharges(
    tx,
    charged.map((due) => chargeOf(due, slice.on, null)),
  );
  await note(tx, SYSTEM(tx.orgId ?? 0), charged, slice.on);
  await notices.send(
    tx,
    charged.map((due) => message(due, slice.on)),
  );
  return charged.length;
}

/** What has come up of the agreements of a slice, each by the rule it was signed under. */
async function duesOf(
  tx: Tx,
  overdue: readonly { agreement_id: string; customer_id: string; penal: agreements.StampedPenal }[],
  on: IsoDate,
): Promise<Due[]> {
  const agreement_ids = overdue.map(({ agreement_id }) => agreement_id);
  const charges = byAgreement(await store.chargesOf.all(tx, { agreement_ids }));
  const instalments = byAgreement(await store.overdueInstalments.all(tx, { agreement_ids, on }));
  return overdue.flatMap(({ agreement_id, customer_id, penal }) => {
    return (instalments.get(agreement_id) ?? []).flatMap((instalment): Due[] => {
      const { amount_paise, reason } = penalCharge(instalment, charges.get(agreement_id) ?? [], on, penal);
      if (reason !== null) return [];
      const { no: instalment_no, due_on } = instalment;
      return [{ charge_id: newId(), agreement_id, customer_id, instalment_no, due_on, amount_paise }];
    });
  });
}

const chargeOf = (
  { charge_id, agreement_id, instalment_no, amount_paise }: Due,
  on: IsoDate,
  charged_by: string | null,
) => ({
  charge_id,
  agreement_id,
  instalment_no,
  amount_paise,
  charged_on: on,
  made_by: charged_by === null ? ('rule' as const) : ('hand' as const),
  charged_by,
});

function posting(
  { charge_id, agreement_id, instalment_no, amount_paise }: Due,
  on: IsoDate,
  effectKey: string,
): ledger.Posting {
  const of = { agreement_id, instalment_no };
  return {
    effectKey,
    kind: 'penal_charged',
    refKind: 'agreement',
    refId: agreement_id,
    businessOn: on,
    lines: [
      { ...of, code: 'receivable_penal', charge_id, side: 'debit', amount: amount_paise },
      { ...of, code: 'income_penal', side: 'credit', amount: amount_paise },
    ],
  };
}

/** One line of each agreement's audit, whatever came up in it. */
function note(tx: Tx, actor: Actor, charged: readonly Due[], on: IsoDate): Promise<void> {
  const groups = byAgreement(charged);
  const datas = [...groups.values()].map((charges) => ({
    charged_on: on,
    charges: charges.map(({ instalment_no, amount_paise }) => ({ instalment_no, amount_paise })),
  }));
  return audit.appendMany(tx, 'agreement', [...groups.keys()], actor, 'penal_charged', datas);
}

/** Above the number of any instalment. */
const BY_HAND = 10_000;

/**
 * Numbered by the instalment and the day: `dueOn` of the message is the day of the charge, so that each charge is told once. The daily run makes one of an
 * instalment a day; by hand it may be several, each with a number of its own.
 * @param byHand the how manieth by hand of that instalment and day; 0: by the daily run
 */
const message = ({ agreement_id, customer_id, instalment_no, due_on, amount_paise }: Due, on: IsoDate, byHand = 0) => ({
  agreementId: agreement_id,
  customerId: customer_id,
  kind: 'penal' as const,
  template: 'penal' as const,
  no: instalment_no + byHand * BY_HAND,
  dueOn: on,
  channels: ['sms'] as const,
  params: { amountPaise: amount_paise, dueOn: due_on },
});
