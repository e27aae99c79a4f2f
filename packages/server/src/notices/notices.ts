import { PROVISIONING } from '@kist/contract/codes';
import { type IsoDate, businessDate, formatDate, formatInstant } from '@kist/contract/dates';
import type { Agreement } from '#server/agreements/agreements.ts';
import { createMany } from '#server/commands/commands.ts';
import type { Waker } from '#server/commands/wake.ts';
import type { Actor } from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { append } from '#server/platform/outbox.ts';
import type { AlertPreview } from './alert-plan.ts';
import { type AlertResult, type PhoneMessages, createAlerts } from './alerts.ts';
import { secondsToDaytime } from './daytime.ts';
import { type LinkMaking, withoutLink } from './links.ts';
import { tellOldNumber } from './old-number.ts';
import { type MailedRoot, promiseRootMail } from './root-mail.ts';
import { MESSAGES, type NoticeText, amountText, fill } from './messages/messages.ts';
import { NOTICE_TEXT_IDS } from './messages/template-ids.ts';
import {
  type Addressee,
  type Channel,
  type NoticeInsert,
  type NoticeKind,
  findAddressees,
  insertNotices,
  linkCommands,
  markDelivered,
  markFailed,
  markShown,
  receiptCount,
  rewriteEarly,
  upsertShown,
} from './store.ts';

export type { Addressee };
export { messagesKept } from './kept-store.ts';
export {
  type LinkMaking,
  linkOf,
  messagesOf,
  noticeLink,
  NOTICE_PAGE_PATH,
  openLink,
  readLink,
  renewLink,
  replaceLinks,
  withoutLink,
} from './links.ts';
export { addTemplate, endTemplate, liveTemplate, type ScreenTexts, templates } from './screen-templates.ts';
export { createMailSender, MAIL_TOPIC, PUBLIC_AUDIT_PATH } from './root-mail.ts';
export { amountText } from './messages/messages.ts';
export { registeredTexts } from './messages/template-ids.ts';
export { tellApplicant } from './signup-answers.ts';

/** What a template may need; amounts in paise, dates as calendar dates, instants in ms. */
export interface NoticeParams {
  amountPaise?: number;
  dueOn?: IsoDate | null;
  payByOn?: IsoDate;
  fromOn?: IsoDate;
  untilOn?: IsoDate;
  receiptNo?: string;
  paidAtMs?: number;
  outstandingPaise?: number;
}

/** One message to the customer of an agreement. (agreement, kind, no, dueOn, channel) is its identity: sending it again sends nothing. */
export interface NewNotice {
  agreementId: string;
  customerId: string;
  kind: NoticeKind;
  template: NoticeText;
  no: number;
  dueOn: IsoDate;
  channels: readonly Channel[];
  params: NoticeParams;
  /** A delivery of it before this moment counts for nothing, so it is no reason not to send it. */
  countsFrom?: Date | undefined;
  /** Money was taken back then, or the phone exchanged: what was written before and nobody receipted is written anew. */
  toldAnewFrom?: Date | null | undefined;
  /** Whom it is for, when that was read in this transaction already. */
  to?: Addressee | undefined;
}

export interface NoticesDeps {
  /** Undefined: a process without the server's secrets, whose messages another sends. */
  links?: LinkMaking | undefined;
  /** Without one (the command line) an entry of the outbox stands open: it names messages by their ids and says nothing of them. */
  sealer?: Sealer;
  waker: Waker;
  /** A notice that a lock may stand on has reached the customer: what may follow is decided anew, in this transaction. */
  onDelivered(tx: Tx, agreementIds: readonly string[]): Promise<void>;
}

export interface Notices {
  /** Writes messages and promises their sending; @returns how many were new. */
  send(tx: Tx, notices: readonly NewNotice[]): Promise<number>;
  /**
   * Promises the receipt's message, all but its text. @returns what writes it when the receipt has its number, by one statement, and returns the receipt
   * as the customer gets it, for sharing
   */
  sendReceipt(
    tx: Tx,
    agreement: Agreement,
    customer: { customer_id: string },
    receipt: { amountPaise: number; outstandingPaise: number; paidAt: Date; goesBack: boolean },
  ): Promise<(receiptNo: string) => Promise<string>>;
  /**
   * A person reminds a customer of what is due, by every channel that reaches them.
   * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (nothing is due), REMINDED_ALREADY (once in six hours)
   */
  sendAlert(tx: Tx, actor: Actor, customerId: string): Promise<AlertResult>;
  /** The same for many; who cannot be reminded now is named with the code. */
  sendAlerts(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertResult>;
  /** What sendAlerts would send now, and to whom not. */
  previewAlerts(tx: Tx, actor: Actor, customerIds: readonly string[]): Promise<AlertPreview>;
  /**
   * The reminder as an order to the phone alone, in its own words or those of a message chosen by name: of the same throttle either way.
   * @param order gives the order its words
   * @throws KistError as phoneToOrder and sendAlert, INVALID_INPUT (no message has this name: a shop says nothing of its own), and what `order` throws
   */
  alertOnPhone<Order extends { commandId: string }>(
    tx: Tx,
    actor: Actor,
    alert: { customerId: string; message?: string | undefined },
    order: (text: string) => Promise<Order>,
  ): Promise<Order>;
  /** What may be said on this customer's phone, as it would stand there. @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (nothing is due) */
  phoneMessages(tx: Tx, actor: Actor, customerId: string): Promise<PhoneMessages>;
  /**
   * Tells the number that a customer had until now that it is another: whoever changes it to their own would else answer the customer's codes unseen. Asked
   * before it is changed, leaves at once, and in no customer's list of messages.
   */
  numberChanges(tx: Tx, agreement: Pick<Agreement, 'agreement_id'>, number: { from: string }): Promise<void>;
  /** Promises the day's root of the audit to those who keep it, in the transaction that makes it. */
  mailRoot(tx: Tx, recipients: readonly string[], root: MailedRoot): Promise<void>;
  /** The gateway's receipt. @returns false when it was known or concerns nothing of ours */
  delivered(tx: Tx, noticeId: string, proof: object): Promise<boolean>;
  failed(tx: Tx, noticeId: string, proof: object): Promise<void>;
  /** The phone showed (or its holder saw) a message it was ordered to show. */
  shownOnPhone(tx: Tx, shown: { commandId: string; isSeen: boolean; at: Date }): Promise<void>;
  /** The phone showed a reminder or a notice by its own lease. */
  shownByLease(
    tx: Tx,
    shown: {
      agreementId: string;
      kind: 'reminder' | 'notice';
      no: number;
      dueOn: IsoDate;
      amountPaise: number;
      /** From when it counts: the moment of receipt, for whatever the gate judges. */
      at: Date;
      /** When the phone says that it was: kept for the history alone. */
      saidAt: Date;
      /** An earlier delivery counts for nothing; null for what has no legal effect. */
      countsFrom: Date | null;
      eventId: string;
    },
  ): Promise<void>;
}

/** Text messages in one outbox entry: a bulk lock of 100,000 phones is 200 entries. A try that runs out of time goes on where it stopped. */
const PER_ENTRY = 500;
/** What a person waits for, or must know at once, leaves at any hour. */
const AT_ONCE: readonly NoticeKind[] = ['locked', 'unlocked', 'receipt', 'alert'];

/** A type of phone whose agent shows messages. */
const showsMessages = ({ provisioningType, isReachable }: Addressee): boolean =>
  isReachable && (provisioningType === PROVISIONING.DPC || provisioningType === PROVISIONING.LINKFL);

/** @returns the message in the customer's language. */
export const wording = (to: Addressee, template: NoticeText, params: NoticeParams): string =>
  filled(to, MESSAGES[to.language][template], params);

/** @returns a text in the customer's language with its values in their places. */
export function filled(to: Addressee, text: string, params: NoticeParams): string {
  const money = amountText(to.language);
  const given: [string, string | undefined][] = [
    ['shop', to.shop],
    ['phone', to.shopPhone],
    ['agreement_no', to.agreementNo],
    ['amount', params.amountPaise === undefined ? undefined : money(params.amountPaise)],
    ['outstanding', params.outstandingPaise === undefined ? undefined : money(params.outstandingPaise)],
    ['due_on', params.dueOn ? formatDate(params.dueOn) : undefined],
    ['pay_by_on', params.payByOn && formatDate(params.payByOn)],
    ['from_on', params.fromOn && formatDate(params.fromOn)],
    ['until_on', params.untilOn && formatDate(params.untilOn)],
    ['receipt_no', params.receiptNo],
    ['paid_at', params.paidAtMs === undefined ? undefined : formatInstant(params.paidAtMs)],
  ];
  const known = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return fill(text, Object.fromEntries(known));
}

type Written = NoticeInsert & { to: Addressee; countsFrom: Date | undefined; toldAnewFrom: Date | null };

const bare = ({ to: _to, countsFrom: _from, toldAnewFrom: _anew, ...row }: Written): NoticeInsert => row;

/** In the words and with the address of whoever sends. */
const rootMails =
  ({ links, sealer }: NoticesDeps): Notices['mailRoot'] =>
  (tx, recipients, root) =>
    promiseRootMail(tx, { recipients, root, publicUrl: links?.publicUrl ?? '', sealer });

export function createNotices(deps: NoticesDeps): Notices {
  const send: Notices['send'] = (tx, notices) => sendNotices(tx, deps, notices);
  const settled = async (tx: Tx, first: { agreementId: string; kind: NoticeKind } | null): Promise<boolean> => {
    if (first?.kind === 'notice') await deps.onDelivered(tx, [first.agreementId]);
    return first !== null;
  };
  return {
    send,
    async sendReceipt(tx, agreement, { customer_id: customerId }, { amountPaise, outstandingPaise, paidAt, goesBack }) {
      const { agreement_id: agreementId } = agreement;
      const [addressees, before] = await Promise.all([
        findAddressees(tx, [agreementId]),
        receiptCount(tx, agreementId),
      ]);
      const to = addressees.get(agreementId);
      if (!to) throw new Error('an agreement without customer');
      const params = { amountPaise, outstandingPaise, paidAtMs: paidAt.getTime() };
      const notice = {
        agreementId,
        customerId,
        kind: 'receipt',
        template: goesBack ? 'receipt_over' : 'receipt',
        // The payment's own row is written last.
        no: before + 1,
        dueOn: businessDate(paidAt.getTime()),
        channels: ['sms'],
      } as const;
      // Late money of a customer who was erased is taken, and nobody is there to tell.
      if (!to.hasNumber) return async (receiptNo) => wording(to, notice.template, { ...params, receiptNo });
      const notice_id = newId();
      await append(tx, { topic: 'sms', payload: { notice_ids: [notice_id] }, ...sealedBy(deps.sealer) });
      return async (receiptNo) => {
        const rows = written({ ...notice, params: { ...params, receiptNo } }, to);
        await insertNotices(
          tx,
          rows.map((row) => ({ ...bare(row), notice_id })),
        );
        return rows[0]!.body;
      };
    },
    ...createAlerts({ send, showsMessages, wording, filled }),
    numberChanges: (tx, agreement, number) => tellOldNumber(tx, agreement, { ...number, sealer: deps.sealer }),
    mailRoot: rootMails(deps),
    delivered: async (tx, noticeId, proof) => settled(tx, await markDelivered(tx, noticeId, proof)),
    failed: markFailed,
    shownOnPhone: async (tx, { commandId, isSeen, at }) =>
      void (await settled(tx, await markShown(tx, commandId, isSeen, at))),
    shownByLease: async (tx, shown) => void (await settled(tx, await keepShown(tx, shown))),
  };
}

async function sendNotices(
  tx: Tx,
  deps: Omit<NoticesDeps, 'onDelivered'>,
  notices: readonly NewNotice[],
): Promise<number> {
  if (notices.length === 0) return 0;
  const { waker, sealer } = deps;
  const unknown = notices.filter(({ to }) => to === undefined).map(({ agreementId }) => agreementId);
  const addressees = await findAddressees(tx, unknown);
  const made = await mapInSlices(notices, (notice) => {
    const to = notice.to ?? addressees.get(notice.agreementId);
    return to ? written(notice, to) : [];
  });
  const rows = made.flat();
  const given = rows.map(bare);
  const early = rows.filter(({ countsFrom }) => countsFrom).map(({ to: _to, ...row }) => row);
  const again = await rewriteEarly(tx, early);
  const fresh = await insertNotices(tx, given);
  const leaving = rows.filter(({ notice_id: id }) => fresh.has(id) || again.has(id));
  await promiseTexts(
    tx,
    sealer,
    leaving.filter((row) => row.channel === 'sms'),
  );
  await orderMessages(
    tx,
    waker,
    leaving.filter((row) => row.channel === 'phone'),
  );
  return leaving.length;
}

/** One row for each channel that reaches them. The link to all messages is put in when a text leaves; the phone shows them without. */
function written(notice: NewNotice, to: Addressee): Written[] {
  const body = wording(to, notice.template, notice.params);
  return notice.channels
    .filter((channel) => (channel === 'sms' ? to.hasNumber : showsMessages(to)))
    .map((channel) => ({
      notice_id: newId(),
      agreement_id: to.agreementId,
      customer_id: to.customerId,
      kind: notice.kind,
      no: notice.no,
      due_on: notice.dueOn,
      channel,
      language: to.language,
      body: channel === 'phone' ? withoutLink(body) : body,
      template_id: NOTICE_TEXT_IDS[to.language][notice.template],
      countsFrom: notice.countsFrom,
      toldAnewFrom: notice.toldAnewFrom ?? null,
      to,
    }));
}

/** One message for each phone at a time: an order names its phone once. */
async function orderMessages(tx: Tx, waker: Waker, rows: readonly (NoticeInsert & { to: Addressee })[]): Promise<void> {
  for (let left = [...rows]; left.length > 0;) {
    const round = [...new Map(left.map((row) => [row.to.deviceId, row])).values()];
    const ids = await createMany(
      tx,
      round.map((row) => ({
        deviceId: row.to.deviceId,
        type: 'emi_alert' as const,
        args: { text: row.body, kind: row.kind, due_on: row.due_on },
        reason: 'EMI_OVERDUE',
        requestedBy: null,
      })),
    );
    await linkCommands(
      tx,
      round.map((row, index) => ({ noticeId: row.notice_id, commandId: ids[index]! })),
    );
    waker.wake(
      tx,
      round.map((row) => row.to.deviceId),
    );
    const done = new Set(round);
    left = left.filter((row) => !done.has(row));
  }
}

/** @returns the notice when it is the first word of its having been shown */
async function keepShown(
  tx: Tx,
  {
    agreementId,
    kind,
    no,
    dueOn,
    amountPaise,
    at,
    saidAt,
    countsFrom,
    eventId,
  }: Parameters<Notices['shownByLease']>[1],
): Promise<{ agreementId: string; kind: NoticeKind } | null> {
  const to = (await findAddressees(tx, [agreementId])).get(agreementId);
  if (!to) return null;
  const isToday = kind === 'reminder' && businessDate(at.getTime()) === dueOn;
  const template = kind === 'notice' ? 'alert' : isToday ? 'reminder_today' : 'reminder';
  const isNew = await upsertShown(tx, {
    notice_id: newId(),
    agreement_id: agreementId,
    customer_id: to.customerId,
    kind,
    no,
    due_on: dueOn,
    language: to.language,
    body: wording(to, template, { amountPaise, dueOn }),
    at,
    countsFrom,
    proof: { by: 'phone', event_id: eventId, said_at: saidAt.toISOString() },
  });
  return isNew ? { agreementId, kind } : null;
}

const sealedBy = (sealer: Sealer | undefined) => (sealer ? { sealer } : {});

/** Promises the sending of text messages; those that can wait leave in the daytime. */
async function promiseTexts(tx: Tx, sealer: Sealer | undefined, rows: readonly NoticeInsert[]): Promise<void> {
  if (rows.length === 0) return;
  const delayS = secondsToDaytime((await now(tx)).getTime());
  for (const isUrgent of [true, false]) {
    const ids = rows.filter((row) => AT_ONCE.includes(row.kind) === isUrgent).map((row) => row.notice_id);
    for (let at = 0; at < ids.length; at += PER_ENTRY) {
      const payload = { notice_ids: ids.slice(at, at + PER_ENTRY) };
      await append(tx, { topic: 'sms', payload, delayS: isUrgent ? 0 : delayS, ...sealedBy(sealer) });
    }
  }
}
