import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { ofCustomerToChange } from '#server/agreements/agreements.ts';
import { phoneToOrder } from '#server/commands/commands.ts';
import { offeredPhones } from '#server/commands/offered.ts';
import { authorize } from '#server/customers/customers.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
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
  /** The debt of one customer, its agreement taken. @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT, REMINDED_ALREADY */
  async function debtOf(
    tx: Tx,
    actor: Actor,
    customerId: string,
  ): Promise<{ debt: Debt; atMs: number; to: Addressee }> {
    requires(actor, NEEDS.features);
    const customer = await authorize(tx, actor, { customer_id: customerId });
    const agreement = await ofCustomerToChange(tx, { customer_id: customer.customer_id });
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

  /** Whose phone shows it: section 6 offers the shop `emi_alert` there. A text message needs no phone of ours and goes to everybody. */
  const phonesOf = (tx: Tx, actor: Actor, addressees: readonly Addressee[]): Promise<Set<string>> =>
    offeredPhones(
      tx,
      actor,
      addressees.filter(showsMessages).map(({ deviceId }) => deviceId),
      'emi_alert',
    );

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

  return {
    async one(tx: Tx, actor: Actor, customerId: string): Promise<AlertResult> {
      const { debt, atMs, to } = await debtOf(tx, actor, customerId);
      const notice = noticeOf(debt, to, atMs, await phonesOf(tx, actor, [to]));
      await send(tx, [notice]);
      const next_allowed_at = new Date(atMs + throttleMs).toISOString();
      return { sent: [...notice.channels], next_allowed_at, total: 1, reminded: 1, refused: 0, refusals: [] };
    },

    /** Whoever owes nothing, or was reminded within the hours between, is left out and named. */
    async many(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertResult> {
      requires(actor, NEEDS.features);
      const debts = new Map(
        (await takeDebts(tx, customerIds, actor.visibleOwnerIds)).map((debt) => [debt.customerId, debt]),
      );
      const ids = [...debts.values()].map(({ agreementId }) => agreementId);
      const atMs = (await now(tx)).getTime();
      const last = await lastAlerts(tx, ids);
      const addressees = await findAddressees(tx, ids);
      const phones = await phonesOf(tx, actor, [...addressees.values()]);
      const notices: NewNotice[] = [];
      const refusals: AlertResult['refusals'] = [];
      for (const customerId of customerIds) {
        const debt = debts.get(customerId);
        const to = debt && addressees.get(debt.agreementId);
        const lastMs = (debt && last.get(debt.agreementId)?.getTime()) ?? -Infinity;
        if (!debt || !to) refusals.push({ customer_id: customerId, code: 'STATE_CONFLICT' });
        else if (lastMs + throttleMs > atMs) refusals.push({ customer_id: customerId, code: 'REMINDED_ALREADY' });
        else notices.push(noticeOf(debt, to, atMs, phones));
      }
      await send(tx, notices);
      return {
        sent: (['sms', 'phone'] as const).filter((channel) =>
          notices.some(({ channels }) => channels.includes(channel)),
        ),
        next_allowed_at: new Date(atMs + throttleMs).toISOString(),
        total: customerIds.length,
        reminded: notices.length,
        refused: refusals.length,
        refusals: refusals.slice(0, REFUSALS_SHOWN),
      };
    },

    /** On the phone alone, as an order of its own: `order` gives it the words, the shop's or else the reminder's own, and @returns its command. */
    async onPhone<Order extends { commandId: string }>(
      tx: Tx,
      actor: Actor,
      { customerId, text }: { customerId: string; text?: string | undefined },
      order: (text: string) => Promise<Order>,
    ): Promise<Order> {
      await phoneToOrder(tx, actor, customerId, 'emi_alert');
      const { debt, atMs, to } = await debtOf(tx, actor, customerId);
      const body = text || wording(to, 'alert', wordsOf(debt));
      const ordered = await order(body);
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
        },
      ]);
      await linkCommands(tx, [{ noticeId, commandId: ordered.commandId }]);
      return ordered;
    },
  };
}
