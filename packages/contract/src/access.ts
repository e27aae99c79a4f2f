import { COMMANDS, COMMAND_TYPES, type CommandType } from './commands.ts';

/** The nine words of the specification's section 6, in its own spelling: the user's access, and the user's lock access. */
export const USER_ACCESS_WORDS = [
  'feature_access',
  'lock_unlock',
  'unistall',
  'active_deactive',
  'bulk_retailer',
] as const;
export const LOCK_ACCESS_WORDS = ['lock', 'unlock', 'read', 'uninstall'] as const;
export type UserAccessWord = (typeof USER_ACCESS_WORDS)[number];
export type LockAccessWord = (typeof LOCK_ACCESS_WORDS)[number];
export type AccessWord = UserAccessWord | LockAccessWord;

/** One thing that has to be allowed: a word, any of several, or a word that only a mini-retailer needs. */
export type Need = AccessWord | { any: readonly AccessWord[] } | { miniretailer: AccessWord };

/**
 * What each ability needs; all of a list. Calls, services and the app's buttons read this one table.
 * `read`: everything about customers and their money, taking money included: its receipt tells what is owed, and it frees phones.
 */
export const NEEDS = {
  read: ['read'],
  /** To take money and to take a payment back. The nine words have none of its own: who may see what is owed may take it. */
  collect: ['read'],
  features: ['feature_access'],
  /** What would be said to a customer: it names what is owed, and since when. */
  wording: ['feature_access', 'read'],
  activate: ['active_deactive'],
  /** To change the terms of a running sale or to end it: what one agrees to is a sum, before and after. */
  terms: ['active_deactive', 'read'],
  /** What is on sale and the keys for it: to sell, and to find what was sold. */
  catalogue: [{ any: ['read', 'active_deactive'] }],
  lock: ['lock_unlock', 'lock'],
  unlock: ['lock_unlock', 'unlock'],
  /** Of a stolen phone: another word than a debt's lock, which it never serves as. The customer's code is asked for beside it. */
  theft: ['feature_access'],
  uninstall: ['unistall', 'uninstall'],
  /** A mini-retailer orders many phones at once only where its retailer allowed it. */
  bulkLock: ['lock_unlock', 'lock', { miniretailer: 'bulk_retailer' }],
  bulkUnlock: ['lock_unlock', 'unlock', { miniretailer: 'bulk_retailer' }],
} as const satisfies Record<string, readonly Need[]>;

/** @returns what an order to a phone needs, by the feature it concerns. */
export function needsOfCommand(type: CommandType): readonly Need[] {
  const feature: string = COMMANDS[type].feature;
  if (feature === 'lock') return NEEDS.lock;
  if (feature === 'unlock') return NEEDS.unlock;
  return feature === 'uninstall' || feature === 'uninstall_antitheft' ? NEEDS.uninstall : NEEDS.features;
}
export const NEEDS_OF_COMMAND = Object.fromEntries(COMMAND_TYPES.map((type) => [type, needsOfCommand(type)])) as Record<
  CommandType,
  readonly Need[]
>;

/** What the gate would say to an order tells what is owed. */
export const NEEDS_OF_PREVIEW = Object.fromEntries(
  COMMAND_TYPES.map((type) => [type, [...needsOfCommand(type), ...NEEDS.read]]),
) as unknown as Record<CommandType, readonly Need[]>;

/** Which words a call needs: always the same ones, others by one of its fields, or none and why not. */
export type Access =
  | readonly Need[]
  | { by: 'command' | 'purpose'; of: Readonly<Record<string, readonly Need[]>> }
  | { none: string };

/** Who is asking, as far as access goes. */
export interface AccessHolder {
  userType: string;
  access: Readonly<Record<UserAccessWord, string>>;
  lockAccess: Readonly<Record<LockAccessWord, string>>;
}

/** Whom the words do not bind: a customer's own calls, the organisation's administrator, and the server itself. A type that is not named is bound. */
const UNBOUND: readonly string[] = ['customer', 'admin', 'system'];

/** @returns the first word that is missing; undefined: all is allowed. */
export function missingWord(holder: AccessHolder, needs: readonly Need[]): AccessWord | undefined {
  const { userType, access, lockAccess } = holder;
  if (UNBOUND.includes(userType)) return undefined;
  const words: Readonly<Record<AccessWord, string>> = { ...access, ...lockAccess };
  for (const need of needs) {
    const anyOf = typeof need === 'string' ? [need] : 'any' in need ? need.any : [need.miniretailer];
    const binds = typeof need === 'string' || 'any' in need || userType !== 'retailer';
    if (binds && !anyOf.some((word) => words[word] === '1')) return anyOf[0];
  }
  return undefined;
}

/** @param input the decoded fields of the call, of which `access` may name one. */
export function needsOf(access: Access, input: Readonly<Record<string, unknown>> = {}): readonly Need[] {
  if ('none' in access) return [];
  if (!('by' in access)) return access;
  const needs = access.of[String(input[access.by])];
  if (!needs) throw new TypeError(`nobody said what ${access.by} ${String(input[access.by])} needs`);
  return needs;
}
