import type { UserType } from '@kist/contract/codes';
import type { AccessWord } from '@kist/contract/access';
import type { ErrorCode } from '@kist/contract/errors';
import type { CallName } from '@kist/contract/paths';
import type { CallInput } from '#test/http.ts';
import type { Shops } from './shops.ts';

/** What a call is sent; of an upload `form` are the fields beside its picture. */
export type Input<N extends CallName> = Omit<CallInput<N>, 'params' | 'rawBody'> & {
  params?: Record<string, string>;
  rawBody?: unknown;
  form?: Record<string, string>;
};

/** Everybody: nobody is asked who they are. Signed in: whoever has a session. Else these types of users. */
export type Who = 'everybody' | 'signed in' | readonly UserType[];
export const SHOPS = ['retailer', 'miniretailer'] as const;

/** The answers that every call shows, each by what is asked; where a call cannot give one, `never` says why. */
export interface Cases<N extends CallName> {
  /** Written here apart from the contract, which the server reads: a role let in there by mistake is a difference. */
  who: Who;
  /** Answered 200, to the retailer of the shop unless it brings a token of its own. */
  right: (shops: Shops) => Input<N> | Promise<Input<N>>;
  /** What some may ask who may not ask that. */
  rightAs?: Partial<Record<UserType, (shops: Shops) => Input<N>>>;
  /** Answered 400, with the field that is wrong. */
  wrong: { input: Input<N>; path: string };
  /** A retailer without this word is refused with 403; one outside `who` is with another. */
  needs?: AccessWord;
  /** Fields that name one thing of a shop's: with another shop's the answer is 404, in whichever organisation that shop is. */
  theirs?: readonly string[];
  /**
   * Fields with which another shop's is answered as what nobody has, which `ownership.sweep.test.ts` compares: they narrow a list, sums or an order to
   * many, or go along with a code.
   */
  alike?: readonly string[];
  /** Ids of the caller's choice: one that another shop of the organisation has chosen is answered 404. */
  chosen?: readonly string[];
  /** Answered 404 or 409 for another reason than whose it is. */
  conflicts?: readonly {
    code: ErrorCode;
    input: (shops: Shops) => Input<N> | Promise<Input<N>>;
  }[];
  never?: Partial<Record<'403' | '404 or 409' | '511', string>>;
}
export type Table = { [N in CallName]: Cases<N> };

/** A call without fields: whatever is sent is one that it does not know. */
export const UNKNOWN_FIELD = { input: { query: { nobody_knows: 1 } as never }, path: 'nobody_knows' };
export const BEFORE_SIGN_IN = { '403': 'asked before anyone signed in', '511': 'asked before anyone signed in' };
/** `x-org` of a shop that does not exist. */
export const NO_ORGANISATION = {
  code: 'ORGANISATION_UNKNOWN',
  input: () => ({ headers: { 'x-org': 'no-such-shop' } }),
} as const;
export const NAMES_NOTHING = { '404 or 409': 'it names nothing, and changes nothing' };
