import type { z } from 'zod';
import { LOCK_ACCESS_WORDS, NEEDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import type { UserType } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import type { peopleEndpoints } from '@kist/contract/people';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { requires } from './access.ts';
import type { Actor } from './actor.ts';
import { untrustDevices } from './mpin-store.ts';
import { accountOf, canAdd, canManage, canSeePerson, canVouch, wordsBeyond } from './people-policy.ts';
import * as store from './people-store.ts';
import { revokeOtherSessions } from './session-store.ts';
import { voidProofs } from './store.ts';

declare const authorized: unique symbol;
/** Somebody who sells, and whom the caller may see. Whatever reads or changes one takes this, so an unchecked row does not compile. */
export type AuthorizedPerson = store.PersonRow & { readonly [authorized]: true };

type NewPerson = z.output<typeof peopleEndpoints.addUser.body>;
type PersonChange = Omit<z.output<typeof peopleEndpoints.updateUser.body>, 'account_id' | 'status' | 'reason'>;

/** Words of a new shop: all but bulk orders, as section 6 has it. */
const DEFAULT_ACCESS: UserAccess = {
  feature_access: '1',
  lock_unlock: '1',
  unistall: '1',
  active_deactive: '1',
  bulk_retailer: '0',
};
const DEFAULT_LOCK_ACCESS: AccessConfig = { lock: '1', unlock: '1', read: '1', uninstall: '1' };

/** @param who undefined: the caller. @throws KistError NOT_FOUND, the same whether nobody is called so or it is somebody else's */
export async function person(tx: Tx, actor: Actor, who: string | undefined): Promise<AuthorizedPerson> {
  return seenBy(actor, await store.findPerson.first(tx, { user_id: who ?? actor.userId }));
}

/** Whom a call is about; the caller where it names nobody. `account_id` is whoever signed in with it, or a shop below; `retailer_id` is read as `user_id` is. */
export interface Named {
  user_id?: string | undefined;
  retailer_id?: string | undefined;
  account_id?: string | undefined;
}

/** @throws KistError NOT_FOUND when one of those named is not the caller's; INVALID_INPUT when they are not the same */
export async function personNamed(
  tx: Tx,
  actor: Actor,
  { user_id, retailer_id, account_id }: Named,
): Promise<AuthorizedPerson> {
  if (account_id !== undefined) {
    const own = await person(tx, actor, undefined);
    const account = account_id === accountOf(own) ? own : await person(tx, actor, account_id);
    if (user_id === undefined && retailer_id === undefined) return account;
  }
  const row = await person(tx, actor, user_id ?? retailer_id);
  if (retailer_id === undefined || retailer_id === row.user_id) return row;
  await person(tx, actor, retailer_id);
  throw new KistError('INVALID_INPUT', { fields: [{ path: 'retailer_id', key: 'field.choice' }] });
}

/** Whoever signs in under a mobile number (+91…), as the caller may see them; undefined: nobody. */
export async function personOfMobile(tx: Tx, actor: Actor, mobile: string): Promise<string | undefined> {
  const found = await store.personOfMobile.first(tx, { mobile });
  return found && canSeePerson(actor, found) ? found.user_id : undefined;
}

/** The same, held for a change. */
async function heldPerson(tx: Tx, actor: Actor, who: string | undefined): Promise<AuthorizedPerson> {
  return seenBy(actor, await store.holdPerson.first(tx, { user_id: who ?? actor.userId }));
}

function seenBy(actor: Actor, row: store.PersonRow | undefined): AuthorizedPerson {
  if (!row || !canSeePerson(actor, row)) throw new KistError('NOT_FOUND');
  return row as AuthorizedPerson;
}

/**
 * A shop that asks is held for as long as it changes others: its suspension comes before that or after it. Whoever changes people holds the retailer above
 * before those below it, as the suspension does.
 * @returns the caller's own row; undefined for who is no shop
 * @throws KistError SESSION_REQUIRED for one that was suspended since its session was looked at
 */
async function heldAsker(tx: Tx, actor: Actor): Promise<store.PersonRow | undefined> {
  if (actor.userType !== 'retailer' && actor.userType !== 'miniretailer') return undefined;
  const own = await store.holdPerson.first(tx, { user_id: actor.userId });
  if (!own?.is_active) throw new KistError('SESSION_REQUIRED', { internal: 'the shop that asks is suspended' });
  return own;
}

/**
 * A shop that customers are to pass to, held until they have: its suspension comes before that, and is seen, or after it.
 * @throws KistError NOT_FOUND; SESSION_REQUIRED for a caller that was suspended since its session was looked at
 */
export async function heldReceiver(tx: Tx, actor: Actor, userId: string): Promise<AuthorizedPerson> {
  await heldAsker(tx, actor);
  return heldPerson(tx, actor, userId);
}

/** Somebody whom the caller runs. @throws KistError NOT_FOUND; FORBIDDEN for oneself; FEATURE_NOT_ALLOWED; SESSION_REQUIRED */
async function managed(tx: Tx, actor: Actor, who: string): Promise<AuthorizedPerson> {
  await heldAsker(tx, actor);
  const row = await heldPerson(tx, actor, who);
  if (!canManage(actor, row)) throw new KistError('FORBIDDEN');
  requires(actor, NEEDS.activate);
  return row;
}

export { canManage } from './people-policy.ts';

/**
 * A new shop. A retailer makes its own mini-retailers, and retailers beside it where its access says so; an admin and the command line make both.
 * @returns its id
 * @throws KistError FORBIDDEN for a type or a word that is not the caller's to give; NOT_FOUND for a retailer above that is not there; MOBILE_TAKEN;
 * SESSION_REQUIRED for a caller who is suspended by now
 */
export async function addPerson(tx: Tx, actor: Actor, given: NewPerson): Promise<string> {
  requires(actor, NEEDS.activate);
  const { user_type, retailer_id, access = {}, lock_access = {}, add_retailer, ...fields } = given;
  const isShop = actor.userType === 'retailer';
  const own = await heldAsker(tx, actor);
  if (!canAdd(actor, user_type, own?.may_add_retailers ?? false)) throw new KistError('FORBIDDEN');
  const above = own ? aboveOf(own, user_type, retailer_id) : await retailerAbove(tx, actor, user_type, retailer_id);
  if (add_retailer === '1' && (isShop || user_type !== 'retailer')) throw new KistError('FORBIDDEN');
  refuseWordsBeyond(actor, user_type, { ...access, ...lock_access });
  const most = above ?? own;
  const words = {
    user_access: { ...capped(DEFAULT_ACCESS, most?.user_access), ...access } as UserAccess,
    lock_access: { ...capped(DEFAULT_LOCK_ACCESS, most?.lock_access), ...lock_access } as AccessConfig,
  };
  const user_id = newId();
  const inserted = await store.insertPerson.first(tx, {
    ...columnsOf(fields),
    ...words,
    may_add_retailers: add_retailer === '1',
    user_id,
    user_type,
    parent_user_id: above?.user_id ?? null,
    mobile: fields.mobile,
    vouches: Boolean(fields.email) && canVouch(actor),
  });
  if (!inserted) throw mobileTaken();
  const data = { user_type, parent_user_id: above?.user_id ?? null, ...words, may_add_retailers: add_retailer === '1' };
  await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'user_added', data });
  return user_id;
}

/** Whose mini-retailer it will be that a retailer makes; undefined for a retailer. */
function aboveOf(
  own: store.PersonRow,
  type: NewPerson['user_type'],
  retailerId: string | undefined,
): store.PersonRow | undefined {
  if (retailerId !== undefined && retailerId !== own.user_id) throw new KistError('NOT_FOUND');
  return type === 'miniretailer' ? own : undefined;
}

/** The same of one that the organisation makes. */
async function retailerAbove(
  tx: Tx,
  actor: Actor,
  type: NewPerson['user_type'],
  retailerId: string | undefined,
): Promise<AuthorizedPerson | undefined> {
  if (type === 'retailer') return undefined;
  if (retailerId === undefined)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'retailer_id', key: 'field.required' }] });
  const above = await heldPerson(tx, actor, retailerId);
  if (above.user_type !== 'retailer' || !above.is_active) throw new KistError('NOT_FOUND');
  return above;
}

const capped = <T extends object>(words: T, most: T | undefined): T =>
  most
    ? (Object.fromEntries(
        Object.entries(words).map(([word, value]) => [
          word,
          (most as Record<string, string>)[word] === '1' ? value : '0',
        ]),
      ) as T)
    : words;

function refuseWordsBeyond(actor: Actor, type: UserType, words: Readonly<Record<string, string | undefined>>): void {
  const [word] = wordsBeyond(actor, type, words);
  if (word !== undefined) throw new KistError('FORBIDDEN', { details: { access: word } });
}

const mobileTaken = () => new KistError('MOBILE_TAKEN', { fields: [{ path: 'mobile', key: 'field.mobile_taken' }] });

type Described = Pick<
  store.PersonFields,
  'first_name' | 'last_name' | 'shop_name' | 'email' | 'upi_id' | 'birth_on' | 'language' | 'address'
>;
/** What is said of a person → columns; what is not said is none. */
const columnsOf = (given: Omit<NewPerson, 'user_type'>): Described => ({
  first_name: given.first_name,
  last_name: given.last_name,
  shop_name: given.shop_name,
  email: given.email ?? null,
  upi_id: given.upi_id ?? null,
  birth_on: given.birth_on ?? null,
  language: given.language,
  address: given.address,
});

/** Fields of which only who runs the shop decides. */
const OF_THE_RUNNER = ['mobile', 'access', 'lock_access', 'add_retailer'] as const;

/**
 * Changes what is said of oneself or of a shop below.
 * @returns the names of what is other than before
 * @throws KistError NOT_FOUND; FORBIDDEN for one's own mobile and access, and for a word that the caller has not; MOBILE_TAKEN; SESSION_REQUIRED
 */
export async function updatePerson(
  tx: Tx,
  actor: Actor,
  { user_id: who, ...change }: PersonChange,
): Promise<{ user_id: string; changed: string[] }> {
  await heldAsker(tx, actor);
  const row = await heldPerson(tx, actor, who);
  const isRunner = canManage(actor, row);
  if (isRunner) requires(actor, NEEDS.activate);
  else if (OF_THE_RUNNER.some((name) => change[name] !== undefined)) throw new KistError('FORBIDDEN');
  const { access = {}, lock_access = {}, add_retailer, ...said } = change;
  refuseWordsBeyond(actor, row.user_type, { ...access, ...lock_access });
  if (add_retailer !== undefined && (actor.userType === 'retailer' || row.user_type !== 'retailer'))
    throw new KistError('FORBIDDEN');
  const before = fieldsOf(row);
  const after: store.PersonFields = {
    ...before,
    ...(Object.fromEntries(
      Object.entries(said).filter(([, value]) => value !== undefined),
    ) as Partial<store.PersonFields>),
    user_access: { ...row.user_access, ...access } as UserAccess,
    lock_access: { ...row.lock_access, ...lock_access } as AccessConfig,
    may_add_retailers: add_retailer === undefined ? row.may_add_retailers : add_retailer === '1',
  };
  const changed = Object.keys(after).filter((name) => !isSame(before, after, name as keyof store.PersonFields));
  if (changed.length === 0) return { user_id: row.user_id, changed };
  const vouches = changed.includes('email') && after.email !== null && canVouch(actor);
  if (!(await store.updatePerson.first(tx, { user_id: row.user_id, ...after, vouches }))) throw mobileTaken();
  if (changed.includes('mobile')) await endSignIn(tx, row.user_id, { isForgotten: true });
  await capBelow(tx, row, after);
  await audit.append(tx, {
    kind: 'user',
    id: row.user_id,
    actor,
    action: 'user_changed',
    data: { fields: changed, ...wordsChanged(before, after) },
  });
  return { user_id: row.user_id, changed };
}

const fieldsOf = (row: AuthorizedPerson): store.PersonFields => ({
  first_name: row.first_name,
  last_name: row.last_name,
  shop_name: row.shop_name,
  mobile: row.mobile,
  email: row.email,
  upi_id: row.upi_id,
  birth_on: row.birth_on,
  language: row.language,
  address: row.address,
  user_access: row.user_access,
  lock_access: row.lock_access,
  may_add_retailers: row.may_add_retailers,
});

const isSame = (before: store.PersonFields, after: store.PersonFields, name: keyof store.PersonFields): boolean =>
  canonical(before[name]) === canonical(after[name]);
const canonical = (value: unknown): string =>
  value !== null && typeof value === 'object'
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);

/** Access words stand in the audit with their values: they are nobody's personal data, and who gave them matters. */
function wordsChanged(before: store.PersonFields, after: store.PersonFields) {
  const of = (fields: store.PersonFields): Record<string, string> => ({ ...fields.user_access, ...fields.lock_access });
  const [was, is] = [of(before), of(after)];
  const words = Object.keys(is).filter((word) => was[word] !== is[word]);
  return words.length > 0 ? { access: Object.fromEntries(words.map((word) => [word, is[word]])) } : {};
}

/** A shop that loses a word takes it from those below it. */
async function capBelow(tx: Tx, row: AuthorizedPerson, after: store.PersonFields): Promise<void> {
  if (row.user_type !== 'retailer') return;
  const lost = <W extends string>(words: readonly W[], own: Readonly<Record<W, string>>) =>
    Object.fromEntries(words.filter((word) => own[word] !== '1').map((word) => [word, '0']));
  // Whether a mini-retailer may order many at once is its own word: its retailer needs none for that.
  const words = USER_ACCESS_WORDS.filter((word) => word !== 'bulk_retailer');
  await store.capBelow.run(tx, {
    user_id: row.user_id,
    user_access: lost(words, after.user_access),
    lock_access: lost(LOCK_ACCESS_WORDS, after.lock_access),
  });
}

/** Every session ends, and what was proved, and no device is trusted any more, with its passkey: the next one begins with an OTP. Forgotten: the M-PIN too. */
export async function endSignIn(tx: Tx, user_id: string, { isForgotten }: { isForgotten: boolean }): Promise<void> {
  await revokeOtherSessions.run(tx, { user_id, except: null });
  await voidProofs.run(tx, { user_id });
  await untrustDevices.run(tx, { user_id, except: null });
  if (isForgotten) await store.forgetSignIn.run(tx, { user_id });
}

/**
 * A shop and those below it sign in no more: every session of theirs ends, with its streams, and the trust of every device; let in again they keep their M-PIN.
 * @returns who was suspended, the shop first
 * @throws KistError NOT_FOUND; FORBIDDEN; STATE_CONFLICT when it is suspended already
 */
export async function suspendPerson(
  tx: Tx,
  actor: Actor,
  { user_id, reason }: { user_id: string; reason: string },
): Promise<string[]> {
  await managed(tx, actor, user_id);
  const ended = await store.suspend.all(tx, { user_id, by: actor.userId, reason });
  if (!ended.some((one) => one.user_id === user_id)) throw new KistError('STATE_CONFLICT');
  for (const one of ended) await endSignIn(tx, one.user_id, { isForgotten: false });
  const ids = ended.map((one) => one.user_id);
  const datas = ids.map((id) => ({ reason, ...(id !== user_id && { with: user_id }) }));
  await audit.appendMany(tx, 'user', ids, actor, 'user_suspended', datas);
  return ids;
}

/**
 * Lets a suspended shop in again, with those that were suspended along with it. @returns who was let in
 * @throws KistError NOT_FOUND; FORBIDDEN; STATE_CONFLICT when it is not suspended, or the retailer above it is
 */
export async function activatePerson(tx: Tx, actor: Actor, { user_id }: { user_id: string }): Promise<string[]> {
  const { parent_user_id } = await person(tx, actor, user_id);
  // Held first: a suspension of the retailer that is under way would let this one stay in below it.
  const above = parent_user_id === null ? undefined : await store.holdPerson.first(tx, { user_id: parent_user_id });
  const row = await managed(tx, actor, user_id);
  if (row.is_active || above?.is_active === false) throw new KistError('STATE_CONFLICT');
  const ids = (await store.activate.all(tx, { user_id })).map((one) => one.user_id);
  await audit.appendMany(
    tx,
    'user',
    ids,
    actor,
    'user_activated',
    ids.map(() => ({})),
  );
  return ids;
}
