import type { Language } from '@kist/contract/codes';
import type { LockTimeline } from '@kist/contract/customers';
import { DISPUTES, WAITING_DISPUTES } from '@kist/contract/dispute-states';
import type { DisputeView } from '@kist/contract/disputes';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import { now, today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { payTo } from './pay-to.ts';
import * as store from './store.ts';

/** What of a lock's history was done, not told: the messages stand beside it. */
const DONE = /^(?:level|freed|cured|unlock_confirmed|taken|given_back|hold|hold_lifted|dispute_\w+)$/;
/** A name that its bearer knows again and nobody else learns: 'R••• T.' */
const masked = (first: string, last: string): string =>
  [
    first && `${[...new Intl.Segmenter().segment(first)][0]!.segment}•••`,
    last && `${[...new Intl.Segmenter().segment(last)][0]!.segment}.`,
  ]
    .filter(Boolean)
    .join(' ');

/** A complaint on the page, and what its customer can do about it at this moment. */
function asShown(dispute: DisputeView, nowMs: number) {
  const isResting = dispute.stops_until !== null && Date.parse(dispute.stops_until) > nowMs;
  return {
    ...dispute,
    is_waiting: WAITING_DISPUTES.includes(dispute.state),
    is_resting: isResting,
    may_go_further: isResting && DISPUTES[dispute.state].to.escalated !== undefined,
  };
}
export type ShownDispute = ReturnType<typeof asShown>;

/**
 * The EMIs that can be complained of: not paid yet, or such that the phone was locked for, and nothing about them waits, can be taken further or was decided for
 * good. The oldest first.
 */
async function disputable(
  tx: Tx,
  { agreement: { agreement_id, state }, instalments }: agreements.OpenAccount,
  disputes: readonly ShownDispute[],
) {
  const locked = await locking.lockedFor(tx, agreement_id);
  const places = agreements.placesOf(instalments);
  return instalments
    .map((row) => ({
      no: row.no,
      place: places.get(row.no)!,
      due_on: row.due_on,
      left_paise: agreements.instalmentLeft(row),
    }))
    .filter(({ left_paise, due_on }) => (left_paise > 0 && state === 'active') || locked.has(due_on))
    .filter(
      ({ no }) =>
        !disputes.some(
          (one) =>
            (one.instalment_no ?? no) === no && (one.is_waiting || one.may_go_further || one.state === 'rejected'),
        ),
    )
    .toSorted((a, b) => a.due_on.localeCompare(b.due_on) || a.no - b.no);
}

/** Everything that the customer of one agreement was told and what was done; as little about the person as the page can do with. */
export async function noticePage(
  tx: Tx,
  { agreement_id, customer_id, device_id }: { agreement_id: string; customer_id: string; device_id: string },
) {
  const actor = SYSTEM(tx.orgId ?? 0);
  const customer = await customers.authorize(tx, actor, { customer_id });
  const opened = await agreements.account(tx, { agreement_id });
  const dues = agreements.dues(opened, await today(tx));
  const timeline = await locking.lockTimeline(tx, agreement_id);
  const phone = await store.phoneTail.first(tx, { device_id });
  const pay = await payTo(tx, actor, { customer_id });
  const at = await now(tx);
  const disputes = (await locking.disputesOf(tx, agreement_id)).map((one) => asShown(one, at.getTime()));
  const isPayable = pay.agreement_no === opened.agreement.agreement_no;
  const isHeard = ['active', 'completed'].includes(opened.agreement.state) && isPayable;
  return {
    language: customer.language as Language,
    name: masked(customer.first_name, customer.last_name),
    device: phone?.device ?? '',
    imei_tail: phone?.imei_tail ?? '',
    state: opened.agreement.state,
    overdue_paise: dues.overdue_paise,
    penal_left_paise: dues.penal_left_paise,
    due_on: dues.oldestUnpaid?.due_on ?? null,
    days_past_due: dues.days_past_due,
    /** Of another agreement of the same customer nobody is asked to pay here. */
    pay: isPayable ? pay : { ...pay, agreement_no: opened.agreement.agreement_no, amount_paise: 0 },
    next: timeline?.next ?? null,
    level: timeline?.level ?? 0,
    is_owners: timeline?.is_owners ?? false,
    disputes: isHeard ? disputes : disputes.map((one) => ({ ...one, may_go_further: false })),
    disputable: isHeard ? await disputable(tx, opened, disputes) : [],
    done: (timeline?.events ?? []).filter(({ kind }) => DONE.test(kind)).toReversed(),
    messages: (await notices.messagesOf(tx, agreement_id)).map(({ body, ...message }) => ({
      ...message,
      // Its own link says nothing on the page that it leads to.
      body: notices.withoutLink(body),
    })),
    now: at,
  };
}
export type NoticePage = Awaited<ReturnType<typeof noticePage>>;
export type DoneEvent = LockTimeline['events'][number];
