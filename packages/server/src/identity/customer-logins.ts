import type { Language } from '@kist/contract/codes';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Actor } from './actor.ts';
import * as store from './customer-login-store.ts';
import { forgetNumberCodes } from './otp-store.ts';
import { endSignIn } from './people.ts';

/** A customer whose number has just told a code. */
interface Told {
  customer_id: string;
  mobile: string;
  first_name: string;
  last_name: string;
  language: Language;
}
/** `shop_number`: somebody of a shop signs in with this number and has told a code from it, so nobody else does. */
export type LoginGiven = 'given' | 'shop_number';

/** Numbers are given to somebody else after three months of silence. */
const QUIET_DAYS = 90;
/** No call of a customer's asks for a word; none of a shop's is theirs. */
const NO_WORDS = {
  user_access: { feature_access: '0', lock_unlock: '0', unistall: '0', active_deactive: '0', bulk_retailer: '0' },
  lock_access: { lock: '0', unlock: '0', read: '0', uninstall: '0' },
} as const;

/**
 * Whoever told the code from this number signs in with it and reads what was sold to them, along with what else was sold to it. A number of which nothing was
 * heard for months, and which another name tells a code from, has changed hands: what it opened before it opens no more. One that a shop only wrote down for
 * somebody is the customer's from then on.
 */
export async function giveCustomerLogin(tx: Tx, actor: Actor, { customer_id, ...told }: Told): Promise<LoginGiven> {
  const { mobile, first_name, last_name } = told;
  if (await addLogin(tx, actor, { customer_id, ...told })) return 'given';
  const held = await store.holdNumber.one(tx, { mobile, quiet_days: QUIET_DAYS });
  if (held.user_type !== 'customer' && !held.is_proved) {
    await yieldNumber(tx, actor, held.user_id);
    await addLogin(tx, actor, { customer_id, ...told });
    return 'given';
  }
  if (held.user_type !== 'customer') {
    await note(tx, actor, customer_id, 'login_not_given', { why: 'shop_number' });
    return 'shop_number';
  }
  if (held.is_active && held.customer_ids.includes(customer_id)) return 'given';
  if (held.is_active && held.is_quiet && nameOf(held) !== nameOf(told)) await handOver(tx, actor, held.user_id);
  if (!held.is_active || nameOf(held) !== nameOf(told))
    await store.letCustomerIn.run(tx, { user_id: held.user_id, first_name, last_name });
  await link(tx, actor, { customer_id, user_id: held.user_id });
  return 'given';
}

/** To whom it was taken from when the number on file was another for a while; nothing where somebody else signs in with the number meanwhile. */
export async function giveLoginBack(
  tx: Tx,
  actor: Actor,
  { customer_id, user_id, mobile, ...names }: Omit<Told, 'language'> & { user_id: string },
): Promise<void> {
  const held = await store.holdNumber.first(tx, { mobile, quiet_days: QUIET_DAYS });
  if (held?.user_id !== user_id || held.user_type !== 'customer') return;
  if (!held.is_active) await store.letCustomerIn.run(tx, { user_id, ...names });
  await link(tx, actor, { customer_id, user_id });
}

/** @returns false where somebody signs in with the number already */
async function addLogin(tx: Tx, actor: Actor, { customer_id, ...told }: Told): Promise<boolean> {
  const user_id = newId();
  if (!(await store.insertCustomerUser.first(tx, { user_id, ...told, ...NO_WORDS }))) return false;
  await link(tx, actor, { customer_id, user_id });
  return true;
}

/** A shop that writes a number down for somebody keeps nobody from it: it is whose who tells a code from it first. Of whom it is then, the shop is not told. */
async function yieldNumber(tx: Tx, actor: Actor, user_id: string): Promise<void> {
  await store.yieldNumber.run(tx, { user_id });
  await endSignIn(tx, user_id, { isForgotten: true });
  await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'number_yielded', data: {} });
}

const nameOf = ({ first_name, last_name }: Pick<Told, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim().toLowerCase();

async function link(tx: Tx, actor: Actor, of: { customer_id: string; user_id: string }): Promise<void> {
  await endCustomerLogin(tx, actor, { customer_id: of.customer_id, why: 'moved' });
  await store.linkCustomer.run(tx, of);
  await note(tx, actor, of.customer_id, 'login_given', { user_id: of.user_id });
}

async function handOver(tx: Tx, actor: Actor, user_id: string): Promise<void> {
  const ended = await store.unlinkAll.all(tx, { user_id });
  await endSignIn(tx, user_id, { isForgotten: true });
  for (const { customer_id } of ended)
    await note(tx, actor, customer_id, 'login_ended', { user_id, why: 'number_changed_hands' });
}

/** Why a login opens a customer no more: the number on file is another, the draft is gone, what was kept of them is erased, another number tells a code. */
type LoginEnd = 'mobile_changed' | 'draft_deleted' | 'erased' | 'moved';

/**
 * The login of a customer, if there is one, opens this customer no more; one that opens nothing else ends, with its sessions, M-PIN and trusted devices. Neither
 * the end of an agreement nor its cancellation is a reason: who paid reads the receipts.
 */
export async function endCustomerLogin(
  tx: Tx,
  actor: Actor,
  { customer_id, why }: { customer_id: string; why: LoginEnd },
): Promise<void> {
  const was = await store.unlinkCustomer.first(tx, { customer_id });
  if (!was) return;
  const { user_id } = was;
  if (await store.shutCustomerOut.first(tx, { user_id })) await endSignIn(tx, user_id, { isForgotten: true });
  await note(tx, actor, customer_id, 'login_ended', { user_id, why });
}

/** Ends the login of a customer who is erased; of one that opens nothing else no number and no name is left. */
export async function eraseCustomerLogin(
  tx: Tx,
  actor: Actor,
  { customer_id, mobile }: { customer_id: string; mobile: string },
): Promise<void> {
  const user_id = (await loginOfCustomer(tx, customer_id)) ?? null;
  await endCustomerLogin(tx, actor, { customer_id, why: 'erased' });
  await store.eraseCustomerUsers.all(tx, { user_id, mobile });
  await forgetNumberCodes.run(tx, { customer_id });
}

/** Who signs in as this customer; undefined: nobody. */
export const loginOfCustomer = async (tx: Tx, customer_id: string): Promise<string | undefined> =>
  (await store.loginOfCustomer.first(tx, { customer_id }))?.user_id;

const note = (tx: Tx, actor: Actor, id: string, action: string, data: Record<string, string>): Promise<void> =>
  audit.append(tx, { kind: 'customer', id, actor, action, data });
