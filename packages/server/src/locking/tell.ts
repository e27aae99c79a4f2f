import * as identity from '#server/identity/identity.ts';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { businessDate } from '@kist/contract/dates';
import type { Addressee, NewNotice } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Applied } from './apply.ts';
import type { FactRow } from './facts-store.ts';
import type { Phone } from './facts.ts';
import { type Folded, notifyUsers } from './store.ts';

/**
 * What the customer is told after a phone crossed the line between reminding and locking, either way; nothing when it did not. `template`: 'held' when
 * its owner asked for it, 'released' when all is paid.
 */
export function lockNotices(
  done: readonly { phone: Phone; applied: Applied; template?: 'held' | 'released' }[],
): NewNotice[] {
  return done.flatMap(({ phone, applied, template }) => {
    const { row, nowMs } = phone;
    const isLocked = applied.to >= LOCKED_FROM_LEVEL;
    const isCrossed = isLocked !== applied.from >= LOCKED_FROM_LEVEL || (applied.to === 0 && applied.from > 0);
    if (!row.agreementId || !row.customerId || (!isCrossed && template !== 'released')) return [];
    return [
      {
        agreementId: row.agreementId,
        customerId: row.customerId,
        kind: isLocked ? ('locked' as const) : ('unlocked' as const),
        template: template ?? (isLocked ? 'locked' : 'unlocked'),
        no: applied.revision,
        dueOn: row.oldestDueOn ?? businessDate(nowMs),
        channels: ['sms' as const],
        params: { amountPaise: row.overduePaise, dueOn: row.oldestDueOn },
        to: addresseeOf(row),
      },
    ];
  });
}

/** The facts name the customer and the shop already; undefined when they do not say all, or speak of another phone than the agreement's. */
export function addresseeOf(row: FactRow): Addressee | undefined {
  const { agreementId, agreementNo, customerId, deviceId, provisioningType, language, shop, shopPhone } = row;
  if (!agreementId || !agreementNo || !customerId || row.agreementDeviceId !== deviceId) return undefined;
  if (!language || !shop || !shopPhone) return undefined;
  const isReachable = row.enrolledAt !== null && row.releasedAt === null;
  const hasNumber = row.hasNumber === true;
  const reached = { provisioningType, isReachable, hasNumber, language };
  return { agreementId, agreementNo, customerId, deviceId, ...reached, shop, shopPhone };
}

/** A line in the bell of the shop that looks after the phone. `data` holds codes and ids only. */
export async function tellShop(
  tx: Tx,
  lines: readonly { phone: Phone; kind: string; data: Record<string, string | number> }[],
  folded: Folded = 'no',
): Promise<void> {
  await notifyUsers(
    tx,
    lines.flatMap(({ phone: { row }, kind, data }) =>
      row.ownerUserId
        ? [{ user_id: row.ownerUserId, notification_id: newId(), kind, data, customer_id: row.customerId }]
        : [],
    ),
    folded,
  );
}

/** As tellShop, for what a phone says by itself: it may say it a hundred times a day, and the bell rings once until somebody has read it. */
export const tellShopOnce = (tx: Tx, line: Parameters<typeof tellShop>[1][number]): Promise<void> =>
  tellShop(tx, [line], 'kind');

/** A vendor refuses the organisation's account, or takes it again: its administrators hear of it. @param refusedFor null: it takes it again */
export async function tellOfAccount(
  tx: Tx,
  { vendor, refusedFor }: { vendor: string; refusedFor: string | null },
): Promise<void> {
  const kind = refusedFor === null ? 'vendor_well' : 'vendor_refused';
  const data = refusedFor === null ? { vendor } : { vendor, why: refusedFor };
  const lines = (await identity.adminIds(tx)).map((user_id) => ({
    user_id,
    notification_id: newId(),
    kind,
    data,
    customer_id: null,
  }));
  await notifyUsers(tx, lines, 'no');
}
