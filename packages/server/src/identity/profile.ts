import type { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import type { organisationEndpoints } from '@kist/contract/organisation';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { readUser } from './store.ts';

type Profile = z.input<typeof organisationEndpoints.getUserAccess.reply>;

/** The signed-in user and what it may do, as stored now. */
export async function profile(tx: Tx, actor: Actor): Promise<Profile> {
  const user = await readUser.first(tx, { user_id: actor.userId });
  if (!user) throw new KistError('SESSION_REQUIRED');
  const at = await now(tx);
  const day = businessOn(at);
  return {
    ...user.user_access,
    user_id: user.user_id,
    user_type: user.user_type,
    customer_id: actor.customerIds?.[0] ?? null,
    customer_ids: [...(actor.customerIds ?? [])],
    first_name: user.first_name,
    last_name: user.last_name,
    shop_name: user.shop_name,
    mobile: user.mobile,
    is_birthday: isBirthday(user.birth_on, day),
    business_on: day,
    now: at.toISOString(),
  };
}

/** Born on 29 February: celebrated on the 28th in other years. */
export function isBirthday(birthOn: string | null, on: string): boolean {
  if (birthOn === null) return false;
  const day = birthOn.slice(5);
  const isLeap = new Date(`${on.slice(0, 4)}-02-29T00:00:00Z`).getUTCMonth() === 1;
  return (day === '02-29' && !isLeap ? '02-28' : day) === on.slice(5);
}
