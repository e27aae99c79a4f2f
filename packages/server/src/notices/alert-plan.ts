import type { z } from 'zod';
import type { IsoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { ReminderRefusal, reminderEndpoints } from '@kist/contract/reminders';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import type { NewNotice } from './notices.ts';
import { type Addressee, type Channel, type Debt, findAddressees, lastAlerts } from './store.ts';

/** What a reminder to many would be. */
export type AlertPreview = z.input<typeof reminderEndpoints.previewEmiAlert.reply>;

/** Of those left out for one reason, so many are named before anything is sent. */
const NAMED = 50;
export const throttleMs = LIMITS.alertThrottleS * 1000;
/** Two reminders of one debt differ by the minute they were sent in. */
export const numberAt = (atMs: number): number => Math.floor(atMs / 60_000);
export const wordsOf = ({ oldestDuePaise, oldestDueOn }: Debt) => ({
  amountPaise: oldestDuePaise,
  dueOn: oldestDueOn as IsoDate,
});

/** Whose phone shows a reminder. */
export type PhonesOf = (tx: Tx, actor: Actor, addressees: readonly Addressee[]) => Promise<Set<string>>;

/** A reminder whose customer was read. */
type Addressed = NewNotice & { to: Addressee };

export const noticeOf = (debt: Debt, to: Addressee, atMs: number, phones: ReadonlySet<string>): Addressed => ({
  agreementId: debt.agreementId,
  customerId: debt.customerId,
  kind: 'alert',
  template: 'alert',
  no: numberAt(atMs),
  dueOn: debt.oldestDueOn as IsoDate,
  channels: [...(to.hasNumber ? (['sms'] as const) : []), ...(phones.has(to.deviceId) ? (['phone'] as const) : [])],
  params: wordsOf(debt),
  to,
});

interface LeftOut {
  customer_id: string;
  code: ReminderRefusal;
  /** From when they may be reminded again. */
  againAt: Date | null;
}
interface Plan {
  notices: Addressed[];
  refusals: LeftOut[];
  atMs: number;
}

/** Who is reminded and who is not, in the order asked. */
function sortOut(
  customerIds: readonly string[],
  known: readonly { debt: Debt; to: Addressee | undefined; againAt: Date | null }[],
  noticeTo: (debt: Debt, to: Addressee) => Addressed,
): Omit<Plan, 'atMs'> {
  const byCustomer = new Map(known.map((one) => [one.debt.customerId, one]));
  const notices: Addressed[] = [];
  const refusals: LeftOut[] = [];
  for (const customer_id of customerIds) {
    const { debt, to, againAt = null } = byCustomer.get(customer_id) ?? {};
    if (!debt || !to) refusals.push({ customer_id, code: 'STATE_CONFLICT', againAt: null });
    else if (debt.isDisputed) refusals.push({ customer_id, code: 'DISPUTED', againAt: null });
    else if (againAt) refusals.push({ customer_id, code: 'REMINDED_ALREADY', againAt });
    else notices.push(noticeTo(debt, to));
  }
  return { notices, refusals };
}

/** Who of these is reminded now, and who is left out. @param debts what they owe */
export async function planned(
  tx: Tx,
  actor: Actor,
  customerIds: readonly string[],
  debts: readonly Debt[],
  phonesOf: PhonesOf,
): Promise<Plan> {
  const agreementIds = debts.map(({ agreementId }) => agreementId);
  const atMs = (await now(tx)).getTime();
  const last = await lastAlerts(tx, agreementIds);
  const addressees = await findAddressees(tx, agreementIds);
  const phones = await phonesOf(tx, actor, [...addressees.values()]);
  const known = debts.map((debt) => {
    const againMs = (last.get(debt.agreementId)?.getTime() ?? -Infinity) + throttleMs;
    return { debt, to: addressees.get(debt.agreementId), againAt: againMs > atMs ? new Date(againMs) : null };
  });
  return { ...sortOut(customerIds, known, (debt, to) => noticeOf(debt, to, atMs, phones)), atMs };
}

function grouped<One, Key>(all: readonly One[], keyOf: (one: One) => Key): [Key, [One, ...One[]]][] {
  const groups = new Map<Key, [One, ...One[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return [...groups];
}

/**
 * A plan as a person reads it: the very words, by language and way, and whom it leaves out. Whose words stand for a language is whoever is overdue the longest, then
 * by name: the same question has the same answer, in whichever order the customers were found.
 */
export async function previewOf(
  tx: Tx,
  { notices, refusals }: Plan,
  wording: (to: Addressee, template: 'alert', params: NewNotice['params']) => string,
): Promise<AlertPreview> {
  const ids = [...notices.map(({ customerId }) => customerId), ...refusals.map(({ customer_id }) => customer_id)];
  const names = await customers.namesOf(tx, ids);
  const byName = (a: string, b: string): number =>
    (names.get(a) ?? '').localeCompare(names.get(b) ?? '', 'en') || (a < b ? -1 : 1);
  const texts = grouped(
    notices.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn) || byName(a.customerId, b.customerId)),
    ({ to }) => to.language,
  );
  const leftOut = grouped(
    refusals.toSorted((a, b) => byName(a.customer_id, b.customer_id)),
    ({ code }) => code,
  );
  const by = (some: readonly Addressed[], way: Channel) => some.filter(({ channels }) => channels.includes(way)).length;
  return {
    total: notices.length + refusals.length,
    reminded: notices.length,
    texts: texts.map(([language, some]) => ({
      language,
      sms: by(some, 'sms'),
      phone: by(some, 'phone'),
      name: names.get(some[0].customerId) ?? '',
      text: wording(some[0].to, 'alert', some[0].params),
    })),
    left_out: leftOut.map(([code, some]) => ({
      code,
      count: some.length,
      customers: some.slice(0, NAMED).map(({ customer_id, againAt }) => ({
        customer_id,
        name: names.get(customer_id) ?? '',
        again_at: againAt?.toISOString() ?? null,
      })),
    })),
  };
}
