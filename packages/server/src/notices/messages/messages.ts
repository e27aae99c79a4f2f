import type { Language, CodePurpose } from '@kist/contract/codes';
import { formatInr, formatPlainInr } from '@kist/contract/money-text';
import { cleanMachineText } from '@kist/contract/text';
import { bd } from './bd.ts';
import { en } from './en.ts';
import { gj } from './gj.ts';
import { hn } from './hn.ts';
import { kn } from './kn.ts';
import { mr } from './mr.ts';
import { pp } from './pp.ts';
import { sp } from './sp.ts';
import { tg } from './tg.ts';
import { tm } from './tm.ts';

/**
 * Everything the server itself says to a customer, in one language. `{name}` is filled in; amounts come as `amountText` writes them, dates as DD-MM-YYYY. Every
 * message that concerns a lock says what stays on, how to pay and whom to call: a person must be able to act on the message alone.
 */
export interface Messages {
  /** {code} {minutes}; CONSENT {financed} {emis} {amount} {total} too, TERMS {amount} {until_on} {outstanding}, NUMBER {ending}. Each purpose says what the code will do, so that nobody reads out an unlock for a sign-in. */
  otp: Record<CodePurpose, string>;
  /** {shop} {amount} {agreement_no} {due_on} {phone} */
  reminder: string;
  /** {shop} {amount} {agreement_no} {phone} */
  reminder_today: string;
  /** {shop} {amount} {agreement_no} {due_on} {pay_by_on} {from_on} {phone} {link} */
  notice: string;
  /** {shop} {amount} {agreement_no} {due_on} {phone} {link} */
  locked: string;
  /** {shop} {phone}: held for its owner. */
  held: string;
  /** {shop} {agreement_no} {phone} */
  unlocked: string;
  /** {shop} {agreement_no} {phone}: all is paid. */
  released: string;
  /** {shop} {amount} {receipt_no} {paid_at} {agreement_no} {outstanding} {phone} */
  receipt: string;
  /** {shop} {amount} {receipt_no} {paid_at} {agreement_no} {phone}: more than was owed, to be paid back. */
  receipt_over: string;
  /** {shop} {amount} {agreement_no} {due_on} {phone} */
  penal: string;
  /** {shop} {amount} {agreement_no} {due_on} {phone}: so much of a late fee is given up. */
  penal_waived: string;
  /** {shop} {agreement_no} {due_on} {until_on} {phone}: the shop has answered; its words stand in the app. */
  dispute_answered: string;
  /** {shop} {agreement_no} {due_on} {until_on} {phone}: the organisation has. */
  dispute_closed: string;
  /** {shop} {agreement_no} {due_on} {phone}: the organisation says that it does not hold. */
  dispute_rejected: string;
  /** {shop} {agreement_no} {due_on} {until_on} {phone}: the shop has answered after the last payment; it can be taken further, and nothing is locked. */
  dispute_over_answered: string;
  /** {shop} {agreement_no} {due_on} {phone}: answered with the end of its agreement, after which nothing is taken further and nothing locked. */
  dispute_over: string;
  /** {shop} {amount} {agreement_no} {due_on} {phone} */
  alert: string;
  /** What a shop may have a phone say besides the reminder, chosen by name: of {shop} {phone} {amount} {due_on}. Never a text message, so no register knows them. */
  on_phone: Record<PhoneMessage, string>;
  /** {shop} {amount} {agreement_no} {from_on} {until_on} {outstanding} {phone}: the EMIs that are not due yet are others now. */
  schedule: string;
  /** {shop} {agreement_no} {phone}: to the number that was the customer's until now. */
  number_changed: string;
  /** {organisation} {contact} {link}: to who asked for an account, which is open now; the link leads to the login. */
  signup_approved: string;
  /** {organisation} {contact}: to who asked for an account and gets none; why, whoever decided says in person. */
  signup_refused: string;
}

export const PHONE_MESSAGES = ['call_shop', 'visit_shop', 'keep_online'] as const;
export type PhoneMessage = (typeof PHONE_MESSAGES)[number];
/** A message that is sent to a customer, by its name. */
export type NoticeText = Exclude<keyof Messages, 'otp' | 'on_phone'>;
/** One that goes to a number that is nobody's any more: kept with no customer's messages. */
export type UnkeptText = Extract<NoticeText, 'number_changed'>;

export const MESSAGES: Record<Language, Messages> = { en, hn, mr, gj, sp, bd, kn, tg, tm, pp };

/**
 * How messages of a language write money. English ones stay within the letters of GSM 03.38, 153 to a part; one ₹ would make it 67. Other languages
 * have letters outside it anyway.
 */
export const amountText = (language: Language): ((amountPaise: number) => string) =>
  language === 'en' ? formatPlainInr : formatInr;

/** The longest value that a message takes: a shop's name. */
const VALUE_LENGTH = 120;

/**
 * Fills `{name}`; a name without a value stays as it is, so that a wrong template is seen in the tests. A message is one line to a gateway and its
 * words are ours: a value brings neither a line end nor anything unseen, wherever the name of a shop came from (older rows, the command line).
 */
export const fill = (text: string, params: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    return value === undefined ? whole : cleanMachineText(value, VALUE_LENGTH);
  });
