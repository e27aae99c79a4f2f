import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { type ProvisioningName, planName, provisioningName } from '@kist/contract/codes';
import type { LockCause } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import { statusInMatrix } from '@kist/contract/features';
import type { LockLevel, LockPolicy, LockReason, LockTrigger } from '@kist/contract/lock-policy';
import { LOCK_REASONS } from '@kist/contract/lock-policy';
import type { Place } from '#server/commands/offered.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import {
  type FactRow,
  type HeldRow,
  type OrganisationFacts,
  type TakenRow,
  closeFacts,
  nextFacts,
  openFacts,
  readFacts,
  readOrganisationFacts,
  readPolicies,
  takeAgreements,
} from './facts-store.ts';
import { policyInForce } from './policies.ts';
import { stopsUntilMs } from './rules/disputes.ts';
import type { AgreementFacts, DeviceFacts, EvidenceFacts, GateFacts } from './rules/facts.ts';

/** What is asked of the gate. */
export interface Ask {
  reason: LockReason;
  level: LockLevel;
  trigger: LockTrigger;
  note?: string | undefined;
  /** Of an override: another person has asked for it too. */
  hasSecond?: boolean | undefined;
}

/** One phone with all the facts about it; `facts(ask)` is what the gate is given. */
export interface Phone {
  row: FactRow;
  nowMs: number;
  policy: LockPolicy;
  /** Where it stands in the feature matrix. */
  place: Place;
  facts(ask: Ask): GateFacts;
}

export const heldBy = ({ locks }: FactRow, cause: LockCause): HeldRow | undefined =>
  locks?.find((lock) => lock.cause === cause);
export const levelOf = (row: FactRow, cause: LockCause): LockLevel => heldBy(row, cause)?.level ?? 0;
/** What a cause has taken from the holder besides the level. */
export const takenBy = ({ restrictions }: FactRow, cause: LockCause): TakenRow[] =>
  (restrictions ?? []).filter((one) => one.cause === cause);
/** Whether a cause holds anything of this phone. */
export const isHeldBy = (row: FactRow, cause: LockCause): boolean =>
  levelOf(row, cause) > 0 || takenBy(row, cause).length > 0;
export const causeOf = (reason: LockReason): LockCause => LOCK_REASONS[reason].cause;

const ms = (text: string): number => Date.parse(text);
const present = (values: readonly (string | null)[]): string[] =>
  values.filter((value) => value !== null && value !== '') as string[];

/**
 * Takes these phones for this transaction (agreement first, then desired state) and reads their facts afterwards: whatever a payment committed
 * before is seen, and a payment that comes later waits and sees this decision.
 * @param skipBusy leaves out phones whose agreement is just being paid for; the next run sees them
 * @returns phones of this organisation, in the order of their ids
 */
export async function takePhones(tx: Tx, deviceIds: readonly string[], skipBusy = false): Promise<Phone[]> {
  return lookAtPhones(tx, await seizePhones(tx, deviceIds, skipBusy));
}

/**
 * The phone of a customer whom the caller was found to see, taken for this transaction. What held it may have been a transfer, so who answers for the customer
 * is looked at again.
 * @throws KistError NOT_FOUND where that is another shop by now
 */
export async function takePhoneOf(tx: Tx, actor: Actor, deviceId: string): Promise<Phone> {
  const [phone] = await takePhones(tx, [deviceId]);
  return stillTheirs(actor, phone);
}

/** The same question of a phone that this transaction has seized. @throws KistError NOT_FOUND */
export function stillTheirs(actor: Actor, phone: Phone | undefined): Phone {
  const { customerId: customer_id, ownerUserId: owner_user_id } = phone?.row ?? {};
  if (!phone || !customer_id || !owner_user_id) throw new KistError('NOT_FOUND');
  customers.mustStillSee(actor, { customer_id, owner_user_id });
  return phone;
}

/** The taking alone, for whoever writes something that the facts must show, or looks at very many in parts. @returns what was taken */
export async function seizePhones(tx: Tx, deviceIds: readonly string[], skipBusy = false): Promise<string[]> {
  const free = await takeAgreements(tx, deviceIds, skipBusy);
  await devices.takeDesired(tx, free);
  return free;
}

/** The same facts without taking anything: for previews, and for who holds the phones already. */
export async function lookAtPhones(tx: Tx, deviceIds: readonly string[]): Promise<Phone[]> {
  if (deviceIds.length === 0) return [];
  const [organisation, found] = await Promise.all([readOrganisationFacts(tx), readFacts(tx, deviceIds)]);
  const rows = new Map(found.map((row) => [row.deviceId, row]));
  const inOrder = deviceIds.map((id) => rows.get(id)).filter((row) => row !== undefined);
  return phonesOf(tx, organisation, inOrder);
}

/** As lookAtPhones, for very many: all as of one moment, handed out `size` at a time, in no order. */
export async function* lookInParts(tx: Tx, deviceIds: readonly string[], size: number): AsyncGenerator<Phone[]> {
  if (deviceIds.length === 0) return;
  const organisation = await readOrganisationFacts(tx);
  await openFacts(tx, deviceIds);
  try {
    for (let rows = await nextFacts(tx, size); rows.length > 0; rows = await nextFacts(tx, size))
      yield await phonesOf(tx, organisation, rows);
  } finally {
    // Also in a transaction that has failed; why it failed is told elsewhere.
    await closeFacts(tx).catch(() => undefined);
  }
}

async function phonesOf(tx: Tx, organisation: OrganisationFacts, rows: readonly FactRow[]): Promise<Phone[]> {
  const policies = await readPolicies(tx, rows);
  const withHolidays = new Map<string, LockPolicy>();
  const unsold = rows.some((row) => row.policyKey === null) ? await policyInForce(tx) : null;
  return mapInSlices(
    rows,
    (row) => {
      const key = row.policyKey ?? '';
      const stamped = policies.get(key) ?? unsold;
      if (!stamped) throw new Error('a phone without a lock policy');
      const policy = withHolidays.get(key) ?? { ...stamped, holidays: [...stamped.holidays, ...organisation.holidays] };
      withHolidays.set(key, policy);
      return phoneOf(row, organisation, policy);
    },
    'ahead',
  );
}

function phoneOf(row: FactRow, organisation: OrganisationFacts, policy: LockPolicy): Phone {
  const nowMs = organisation.now.getTime();
  const shared = sharedFacts(row, organisation, policy);
  const device = deviceFacts(row);
  const debt = heldBy(row, 'debt');
  const override = heldBy(row, 'override');
  return {
    row,
    nowMs,
    policy,
    place: placeOf(row, organisation),
    facts: ({ reason, level, trigger, note, hasSecond }) => {
      const higher = reason === 'ORG_OVERRIDE' && (override?.level ?? 0) > (debt?.level ?? 0) ? override : debt;
      return {
        ...shared,
        request: {
          reason,
          level,
          trigger,
          ...(note === undefined ? {} : { noteText: note }),
          ...(hasSecond === true && { hasSecond }),
        },
        device: {
          ...device,
          currentDebtLevel: higher?.level ?? 0,
          levelSinceMs: higher && higher.level > 0 ? ms(higher.level_since) : null,
          ...(reason === 'ORG_OVERRIDE' && { overrideLevel: override?.level ?? 0 }),
        },
      };
    },
  };
}

const typeOf = (row: FactRow): ProvisioningName => provisioningName(row.provisioningType) ?? 'DPC';

/** What does not hang on what is asked of the gate. */
function sharedFacts(
  row: FactRow,
  organisation: OrganisationFacts,
  policy: LockPolicy,
): Omit<GateFacts, 'request' | 'device'> {
  const approval = organisation.vendorApprovals[typeOf(row)];
  return {
    agreement: agreementFacts(row),
    policy,
    notices: (row.notices ?? []).map((notice) => ({
      no: notice.no,
      dueOn: notice.due_on,
      deliveredAtMs: ms(notice.at),
      proof: notice.channel,
    })),
    disputes: (row.disputes ?? []).flatMap(({ at, state, since }) => {
      const untilMs = stopsUntilMs({ state, sinceMs: ms(since) });
      return untilMs === undefined ? [] : [{ openedAtMs: ms(at), untilMs }];
    }),
    holds: (row.holds ?? []).map((hold) => ({ kind: hold.kind, untilOn: hold.until_on })),
    consents: (row.consents ?? []).map(({ version, hash, at }) => ({
      textVersion: version,
      hash,
      acceptedAtMs: ms(at),
    })),
    evidence: evidenceOf(row),
    vendorApproval: approval ? { reference: approval.reference, recordedAtMs: ms(approval.recorded_at) } : null,
    nowMs: organisation.now.getTime(),
  };
}

/** The customer's own word before anybody else's. */
function evidenceOf(row: FactRow): EvidenceFacts {
  const said = (kind: 'theft' | 'request', by: 'customer' | 'customer_code' | 'shop') =>
    row.reports?.find((report) => report.kind === kind && report.by === by);
  const theft = said('theft', 'customer') ?? said('theft', 'customer_code') ?? said('theft', 'shop');
  const request = said('request', 'customer') ?? said('request', 'shop');
  return {
    theftReport: theft ? { deviceId: row.deviceId, reportedBy: theft.by, reportedAtMs: ms(theft.at) } : null,
    customerRequest: request
      ? {
          deviceId: row.deviceId,
          requestedBy: request.by === 'customer' ? 'customer' : 'shop',
          requestedAtMs: ms(request.at),
        }
      : null,
  };
}

const deviceFacts = (row: FactRow): Omit<DeviceFacts, 'currentDebtLevel' | 'levelSinceMs'> => ({
  deviceId: row.deviceId,
  imeis: present([row.imei1, row.imei2]),
  serial: row.serial,
  provisioning: typeOf(row),
  enrolledAtMs: row.enrolledAt?.getTime() ?? null,
  test: {
    firstEnrolledAtMs: row.firstEnrolledAt?.getTime() ?? null,
    startedAtMs: row.testedAt?.getTime() ?? null,
    isOn: levelOf(row, 'enrolment_test') > 0,
  },
});

function placeOf(row: FactRow, { allowedFeatures }: OrganisationFacts): Place {
  const provisioning = typeOf(row);
  return {
    cell: {
      provisioning,
      lockState: row.isStrong && row.reportedLevel >= LOCKED_FROM_LEVEL ? 'locked' : 'unlocked',
      status: statusInMatrix(row.customerStatus ?? 0, row.state),
      plan: planName(row.planType ?? 0) ?? 'DPC',
    },
    allowed: allowedFeatures[provisioning],
  };
}

/** A released phone belongs to no agreement any more, whatever a later reversal does to the books. */
export function agreementFacts(row: FactRow): AgreementFacts | null {
  if (!row.agreementId || !row.state || row.releasedAt) return null;
  return {
    agreementId: row.agreementId,
    deviceId: row.agreementDeviceId ?? '',
    state: row.state,
    financedImeis: present([row.financedImei1, row.financedImei2]),
    financedSerial: row.financedSerial,
    oldestUnpaidDueOn: row.oldestDueOn,
    oldestUnpaidPaise: row.oldestDuePaise ?? 0,
    laterUnpaid: (row.laterUnpaid ?? []).map(({ due_on: dueOn, paise }) => ({ dueOn, paise })),
    emiPaise: row.emiPaise ?? 0,
    noticesFromMs: row.toldAnewFrom?.getTime() ?? null,
  };
}
