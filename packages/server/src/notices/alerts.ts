import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as agreements from '#server/agreements/agreements.ts';
import * as commands from '#server/commands/commands.ts';
import { offeredPhones } from '#server/commands/offered.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { NewNotice } from './notices.ts';
import {
  type Addressee,
  type Channel,
  type Debt,
  findAddressees,
  insertNotices,
  lastAlerts,
  linkCommands,
  takeDebts,
} from './store.ts';

/** What became of a reminder to one customer or to many; refusals in full up to the first thousand. */
export interface AlertResult {
  sent: Channel[];
  next_allowed_at: string;
  total: number;
  reminded: number;
  refused: number;
  refusals: { customer_id: string; code: 'STATE_CONFLICT' | 'REMINDED_ALREADY' }[];
}

export interface AlertDeps {
  send(tx: Tx, notices: readonly NewNotice[]): Promise<number>;
  showsMessages(to: Addressee): boolean;
  wording(to: Addressee, template: 'alert', params: NewNotice['params']): string;
}

const REFUSALS_SHOWN = 1000;
const throttleMs = LIMITS.alertThrottleS * 1000;
/** Two reminders of one debt differ by the minute they were sent in. */
const numberAt = (atMs: number) => Math.floor(atMs / 60_000);
const wordsOf = ({ oldestDuePaise, oldestDueOn }: Debt) => ({
  amountPaise: oldestDuePaise,
  dueOn: oldestDueOn as IsoDate,
});

/** Reminders that a person sends: of one throttle, whichever way they go. */
export function createAlerts({ send, showsMessages, wording }: AlertDeps) {
  /** Whose phone shows it: section 6 offers the shop `emi_alert` there. A text message needs no phone of ours and goes to everybody. */
  const phonesOf = (tx: Tx, actor: Actor, addressees: readonly Addressee[]): Promise<Set<string>> =>
    offeredPhones(
      tx,
      actor,
      addressees.filter(showsMessages).map(({ deviceId }) => deviceId),
      'emi_alert',
    );

  return {
    async one(tx: Tx, actor: Actor, customerId: string): Promise<AlertResult> {
      const { debt, atMs, to } = await debtOf(tx, actor, customerId);
      const notice = noticeOf(debt, to, atMs, await phonesOf(tx, actor, [to]));
      await send(tx, [notice]);
      return resultOf([notice], [], atMs);
    },

    /** Whoever owes nothing, or was reminded within the hours between, is left out and named. */
    async many(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertResult> {
      identity.requires(actor, NEEDS.features);
      const debts = await takeDebts(tx, customerIds, actor.visibleOwnerIds);
      const agreementIds = debts.map(({ agreementId }) => agreementId);
      const atMs = (await now(tx)).getTime();
      const last = await lastAlerts(tx, agreementIds);
      const addressees = await findAddressees(tx, agreementIds);
      const phones = await phonesOf(tx, actor, [...addressees.values()]);
      const known = debts.map((debt) => {
        const isTooSoon = (last.get(debt.agreementId)?.getTime() ?? -Infinity) + throttleMs > atMs;
        return { debt, to: addressees.get(debt.agreementId), isTooSoon };
      });
      const { notices, refusals } = sortOut(customerIds, known, (debt, to) => noticeOf(debt, to, atMs, phones));
      await send(tx, notices);
      return resultOf(notices, refusals, atMs);
    },

    /** On the phone alone, as an order of its own: `order` gives it the words, the shop's or else the reminder's own, and @returns its command. */
    async onPhone<Order extends { commandId: string }>(
      tx: Tx,
      actor: Actor,
      { customerId, text }: { customerId: string; text?: string | undefined },
      order: (text: string) => Promise<Order>,
    ): Promise<Order> {
      await commands.phoneToOrder(tx, actor, customerId, 'emi_alert');
      const given = await debtOf(tx, actor, customerId);
      const body = text || wording(given.to, 'alert', wordsOf(given.debt));
      const ordered = await order(body);
      await keepOrdered(tx, given, body, ordered.commandId);
      return ordered;
    },
  };
}

/** The debt of one customer, its agreement taken. @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT, REMINDED_ALREADY */
async function debtOf(tx: Tx, actor: Actor, customerId: string): Promise<{ debt: Debt; atMs: number; to: Addressee }> {
  identity.requires(actor, NEEDS.features);
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  const agreement = await agreements.ofCustomerToChange(tx, { customer_id: customer.customer_id });
  if (agreement?.state !== 'active' || agreement.oldest_due_on === null) throw new KistError('STATE_CONFLICT');
  const agreementId = agreement.agreement_id;
  const atMs = (await now(tx)).getTime();
  const last = (await lastAlerts(tx, [agreementId])).get(agreementId);
  const waitMs = last === undefined ? 0 : last.getTime() + throttleMs - atMs;
  if (waitMs > 0) throw new KistError('REMINDED_ALREADY', { retryAfterS: Math.ceil(waitMs / 1000) });
  const to = (await findAddressees(tx, [agreementId])).get(agreementId);
  if (!to) throw new KistError('STATE_CONFLICT');
  const debt = {
    agreementId,
    customerId: customer.customer_id,
    oldestDueOn: agreement.oldest_due_on,
    oldestDuePaise: agreement.oldest_due_paise,
  };
  return { debt, atMs, to };
}

const noticeOf = (debt: Debt, to: Addressee, atMs: number, phones: ReadonlySet<string>): NewNotice => ({
  agreementId: debt.agreementId,
  customerId: debt.customerId,
  kind: 'alert',
  template: 'alert',
  no: numberAt(atMs),
  dueOn: debt.oldestDueOn as IsoDate,
  channels: phones.has(to.deviceId) ? ['sms', 'phone'] : ['sms'],
  params: wordsOf(debt),
  to,
});

/** Who is reminded and who is not, in the order asked. */
function sortOut(
  customerIds: readonly string[],
  known: readonly { debt: Debt; to: Addressee | undefined; isTooSoon: boolean }[],
  noticeTo: (debt: Debt, to: Addressee) => NewNotice,
) {
  const byCustomer = new Map(known.map((one) => [one.debt.customerId, one]));
  const notices: NewNotice[] = [];
  const refusals: AlertResult['refusals'] = [];
  for (const customer_id of customerIds) {
    const { debt, to, isTooSoon } = byCustomer.get(customer_id) ?? {};
    if (!debt || !to) refusals.push({ customer_id, code: 'STATE_CONFLICT' });
    else if (isTooSoon) refusals.push({ customer_id, code: 'REMINDED_ALREADY' });
    else notices.push(noticeTo(debt, to));
  }
  return { notices, refusals };
}

const resultOf = (notices: readonly NewNotice[], refusals: AlertResult['refusals'], atMs: number): AlertResult => ({
  sent: (['sms', 'phone'] as const).filter((channel) => notices.some(({ channels }) => channels.includes(channel))),
  next_allowed_at: new Date(atMs + throttleMs).toISOString(),
  total: notices.length + refusals.length,
  reminded: notices.length,
  refused: refusals.length,
  refusals: refusals.slice(0, REFUSALS_SHOWN),
});

/** The reminder as what was ordered of the phone will show it. */
async function keepOrdered(
  tx: Tx,
  { debt, atMs, to }: Awaited<ReturnType<typeof debtOf>>,
  body: string,
  commandId: string,
): Promise<void> {
  const noticeId = newId();
  await insertNotices(tx, [
    {
      notice_id: noticeId,
      agreement_id: debt.agreementId,
      customer_id: debt.customerId,
      kind: 'alert',
      no: numberAt(atMs),
      due_on: debt.oldestDueOn as IsoDate,
      channel: 'phone',
      language: to.language,
      body,
      template_id: null,
    },
  ]);
  await linkCommands(tx, [{ noticeId, commandId }]);
}
