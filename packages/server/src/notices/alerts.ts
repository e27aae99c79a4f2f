import type { z } from 'zod';
import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import type { deviceEndpoints } from '@kist/contract/devices';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { ReminderRefusal } from '@kist/contract/reminders';
import * as agreements from '#server/agreements/agreements.ts';
import * as commands from '#server/commands/commands.ts';
import { offeredPhones } from '#server/commands/offered.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import {
  type AlertPreview,
  type PhonesOf,
  noticeOf,
  numberAt,
  planned,
  previewOf,
  throttleMs,
  wordsOf,
} from './alert-plan.ts';
import type { NewNotice } from './notices.ts';
import { REMINDER, messageNamed, messagesInUse } from './phone-messages.ts';
import {
  type Addressee,
  type Channel,
  type Debt,
  findAddressees,
  findDebts,
  insertNotices,
  lastAlerts,
  linkCommands,
  takeDebts,
} from './store.ts';
import type { ScreenTexts } from './template-store.ts';

/** What became of a reminder to one customer or to many; refusals in full up to the first thousand. */
export interface AlertResult {
  sent: Channel[];
  next_allowed_at: string;
  total: number;
  reminded: number;
  refused: number;
  refusals: { customer_id: string; code: ReminderRefusal }[];
}

export interface AlertDeps {
  send(tx: Tx, notices: readonly NewNotice[]): Promise<number>;
  showsMessages(to: Addressee): boolean;
  wording(to: Addressee, template: 'alert', params: NewNotice['params']): string;
  filled(to: Addressee, text: string, params: NewNotice['params']): string;
}

/** What may be said on one customer's phone, in their language and in the reader's. */
export type PhoneMessages = z.input<typeof deviceEndpoints.getPhoneMessages.reply>;

const REFUSALS_SHOWN = 1000;
/** Reminders that a person sends: of one throttle, whichever way they go. */
export function createAlerts({ send, showsMessages, wording, filled }: AlertDeps) {
  /** Whose phone shows it: section 6 offers the shop `emi_alert` there. A text message needs no phone of ours and goes to everybody. */
  const phonesOf: PhonesOf = (tx, actor, addressees) =>
    offeredPhones(
      tx,
      actor,
      addressees.filter(showsMessages).map(({ deviceId }) => deviceId),
      'emi_alert',
    );

  return {
    async sendAlert(tx: Tx, actor: Actor, customerId: string): Promise<AlertResult> {
      const { debt, atMs, to } = await debtOf(tx, actor, customerId);
      const notice = noticeOf(debt, to, atMs, await phonesOf(tx, actor, [to]));
      await send(tx, [notice]);
      return resultOf([notice], [], atMs);
    },

    /** Whoever owes nothing, was reminded within the hours between or has complained is left out and named. */
    async sendAlerts(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertResult> {
      identity.requires(actor, NEEDS.features);
      const debts = await takeDebts(tx, customerIds, actor.visibleOwnerIds);
      const { notices, refusals, atMs } = await planned(tx, actor, customerIds, debts, phonesOf);
      await send(tx, notices);
      return resultOf(
        notices,
        refusals.map(({ customer_id, code }) => ({ customer_id, code })),
        atMs,
      );
    },

    /** What `sendAlerts` would do now. Takes and sends nothing. */
    async previewAlerts(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertPreview> {
      identity.requires(actor, NEEDS.wording);
      const debts = await findDebts(tx, customerIds, actor.visibleOwnerIds);
      return previewOf(tx, await planned(tx, actor, customerIds, debts, phonesOf), wording);
    },

    phoneMessages: (tx: Tx, actor: Actor, customerId: string): Promise<PhoneMessages> =>
      messagesFor(tx, actor, customerId, filled),

    /** On the phone alone, as an order of its own: `order` gives it the words of the message that is named, and @returns its command. */
    async alertOnPhone<Order extends { commandId: string }>(
      tx: Tx,
      actor: Actor,
      { customerId, message = REMINDER }: { customerId: string; message?: string | undefined },
      order: (text: string) => Promise<Order>,
    ): Promise<Order> {
      await commands.phoneToOrder(tx, actor, customerId, 'emi_alert');
      const texts = await messageNamed(tx, message);
      const given = await debtOf(tx, actor, customerId);
      const body = onPhone(filled(given.to, texts[given.to.language], wordsOf(given.debt)));
      const ordered = await order(body);
      await keepOrdered(tx, given, body, ordered.commandId);
      return ordered;
    },
  };
}

const onPhone = (text: string): string => text.slice(0, LIMITS.messageLength);

/** @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (nothing is due) */
async function messagesFor(
  tx: Tx,
  actor: Actor,
  customerId: string,
  filled: AlertDeps['filled'],
): Promise<PhoneMessages> {
  identity.requires(actor, NEEDS.wording);
  await customers.authorize(tx, actor, { customer_id: customerId });
  const [debt] = await findDebts(tx, [customerId], actor.visibleOwnerIds);
  const to = debt && (await findAddressees(tx, [debt.agreementId])).get(debt.agreementId);
  if (!to) throw new KistError('STATE_CONFLICT');
  const say = (texts: ScreenTexts, language: Language) =>
    onPhone(filled({ ...to, language }, texts[language], wordsOf(debt)));
  const messages = await messagesInUse(tx);
  return {
    language: to.language,
    messages: messages.map(({ name, texts }) => ({
      name,
      text: say(texts, to.language),
      own: say(texts, actor.language),
    })),
  };
}

/** The debt of one customer, its agreement taken. @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT, REMINDED_ALREADY */
async function debtOf(tx: Tx, actor: Actor, customerId: string): Promise<{ debt: Debt; atMs: number; to: Addressee }> {
  identity.requires(actor, NEEDS.features);
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  const agreement = await agreements.theirsToChange(tx, actor, { customer_id: customer.customer_id });
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
    // Who reminds one person knows what they do.
    isDisputed: false,
  };
  return { debt, atMs, to };
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
