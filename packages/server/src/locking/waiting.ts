import type { z } from 'zod';
import { NEEDS, type Need } from '@kist/contract/access';
import type { Waiting, waitingEndpoints } from '@kist/contract/waiting';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { NEEDS_OF_LARGER } from './bulk-guards.ts';
import * as store from './waiting-store.ts';

const NEEDS_TO_AGREE: Record<Waiting['kind'], readonly Need[]> = {
  override: NEEDS.lock,
  batch: NEEDS_OF_LARGER,
  waiver: NEEDS.read,
};

/**
 * What waits for a second person, as far as this one sees it, its own among it. An administrator, and whoever runs the installation, sees all of the
 * organisation: which agreement, on what phone and how late, so that a yes is not said blindly, and no customer.
 * @throws KistError FEATURE_NOT_ALLOWED
 */
export async function whatWaits(
  tx: Tx,
  actor: Actor,
  { page, page_size }: { page: number; page_size: number },
): Promise<z.input<typeof waitingEndpoints.listWaiting.reply>> {
  identity.requires(actor, NEEDS.read);
  const seesAll = actor.userType === 'admin' || actor.userType === 'system';
  const owners = seesAll ? null : actor.visibleOwnerIds;
  const { total } = await store.countWaiting.one(tx, { owners });
  const rows = await store.listWaiting.all(tx, { owners, limit: page_size, skip: (page - 1) * page_size });
  const seen = seesAll ? [] : rows.flatMap(({ customer_id }) => customer_id ?? []);
  const names = await customers.namesOf(tx, seen);
  const list = rows.map(({ asked_by_name, asked_by_shop, asked_at, ends_at, ...row }) => ({
    ...row,
    asked_by: asked_by_name ?? '',
    shop: row.shop ?? '',
    shop_mobile: row.shop_mobile ?? '',
    agreement_no: row.agreement_no ?? '',
    phone: row.phone ?? '',
    customer_id: seesAll ? null : row.customer_id,
    customer_name: names.get(row.customer_id ?? '') ?? '',
    is_own: row.asked_by === actor.userId,
    may_agree: identity.isSecond(
      actor,
      { askedBy: row.asked_by, shop: asked_by_shop ?? row.asked_by, orgId: tx.orgId },
      NEEDS_TO_AGREE[row.kind],
    ),
    asked_at: asked_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
  }));
  return { list, total, page, page_size };
}
