import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { type IsoDate, businessDate } from '@kist/contract/dates';
import type { NewNotice } from '#server/notices/notices.ts';
import { now } from '#server/platform/clock.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { inLanes, inParts } from '#server/platform/lanes.ts';
import type { LockingDeps } from './deps.ts';
import { type ArrearsRow, agreementsToTell, readArrears } from './notice-run-store.ts';
import { delayFrom } from './rules/delay.ts';
import { noticeTime } from './rules/notice-times.ts';
import { noticesDue } from './rules/notices.ts';

/** Agreements of one transaction. */
const CHUNK = 500;
/** Agreements that one look finds. */
const LOOK = 20_000;

/**
 * Sends today's reminders and notices of an organisation. What was sent is not sent again, whoever runs this and however often; a notice that a missed
 * day left out is made up for.
 * @returns how many messages were new
 */
export async function sendDueNotices(
  db: Pick<Database, 'transaction'>,
  { notices }: Pick<LockingDeps, 'notices'>,
  orgId: number,
): Promise<number> {
  let sent = 0;
  const today = (tx: Tx): Promise<IsoDate> => now(tx).then((at) => businessDate(at.getTime()));
  const look = (after: string | undefined, limit: number) =>
    db.transaction(orgId, async (tx) => {
      const found = await agreementsToTell.all(tx, { on: await today(tx), ahead: null, after: after ?? null, limit });
      return found.map(({ agreement_id }) => agreement_id);
    });
  const parts = inParts(look, { found: LOOK, part: CHUNK });
  await inLanes(parts, async (ids) => {
    const told = await db.transaction(orgId, async (tx) => {
      const on = await today(tx);
      const rows = await readArrears(tx, on, ids);
      return notices.send(
        tx,
        rows.flatMap((row) => noticesOf(row, on)),
      );
    });
    sent += told;
  });
  return sent;
}

function noticesOf(row: ArrearsRow, on: IsoDate): NewNotice[] {
  const { agreementId, customerId, policy, unpaid, delivered, sent } = row;
  const arrears = {
    state: 'active' as const,
    consentMs: row.consentAt?.getTime() ?? null,
    noticesFromMs: row.toldAnewFrom?.getTime() ?? null,
    unpaid: unpaid.map((row) => ({ dueOn: row.due_on, unpaidPaise: row.paise })),
    delivered: (delivered ?? []).map((one) => ({
      no: one.no,
      dueOn: one.due_on,
      deliveredAtMs: Date.parse(one.at),
      proof: one.channel,
    })),
  };
  const before = (sent ?? []).map(({ kind, no, due_on: dueOn }) => ({ kind, no, dueOn }));
  return noticesDue(arrears, policy, on, before).map((due): NewNotice => {
    const common = { agreementId, customerId, no: due.no, dueOn: due.dueOn };
    if (due.kind === 'reminder') {
      const template = due.offsetDays === 0 ? 'reminder_today' : 'reminder';
      // The phone reminds by itself, from its lease.
      return {
        ...common,
        kind: 'reminder',
        template,
        channels: ['sms'],
        params: { amountPaise: due.unpaidPaise, dueOn: due.dueOn },
      };
    }
    const delay = delayFrom(due.dueOn, arrears.consentMs, arrears.noticesFromMs);
    const earliestMs = noticeTime(policy, delay, arrears.delivered, due.no)?.earliestMs;
    const restricts = due.levels.find(({ level }) => level >= LOCKED_FROM_LEVEL) ?? due.levels[0];
    return {
      ...common,
      kind: 'notice',
      template: 'notice',
      countsFrom: typeof earliestMs === 'number' ? new Date(earliestMs) : undefined,
      toldAnewFrom: row.toldAnewFrom,
      channels: ['sms', 'phone'],
      params: {
        amountPaise: due.overduePaise,
        dueOn: due.dueOn,
        payByOn: due.payByOn,
        fromOn: restricts?.fromOn ?? due.payByOn,
      },
    };
  });
}
