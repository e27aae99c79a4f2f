import { type Language, LANGUAGES } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { Tx } from '#server/platform/database.ts';
import { MESSAGES, PHONE_MESSAGES, type PhoneMessage } from './messages/messages.ts';
import { type ScreenTexts, allTemplates, liveTemplate } from './template-store.ts';

/** What is said where nothing is chosen. */
export const REMINDER = 'reminder';

const inAll = (of: (language: Language) => string): ScreenTexts =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, string>;
const HOUSE: ReadonlyMap<string, ScreenTexts> = new Map([
  [REMINDER, inAll((language) => MESSAGES[language].alert)],
  ...PHONE_MESSAGES.map(
    (name: PhoneMessage) => [name, inAll((language) => MESSAGES[language].on_phone[name])] as const,
  ),
]);

/** A name that the house has given: no organisation gives it to words of its own. */
export const isOfHouse = (name: string): boolean => HOUSE.has(name);

/** @throws KistError INVALID_INPUT for whatever is not the name of one in use: nobody writes words of their own on a customer's screen */
export async function messageNamed(tx: Tx, name: string): Promise<ScreenTexts> {
  const texts = HOUSE.get(name) ?? (await liveTemplate.first(tx, { name }))?.texts;
  if (!texts) throw new KistError('INVALID_INPUT', { fields: [{ path: 'value', key: 'field.own_words' }] });
  return texts;
}

/** The house's messages, then the organisation's, the newest first. */
export async function messagesInUse(tx: Tx): Promise<{ name: string; texts: ScreenTexts }[]> {
  const own = (await allTemplates.all(tx, {})).filter(({ ended_at }) => ended_at === null);
  return [...[...HOUSE].map(([name, texts]) => ({ name, texts })), ...own.filter(({ name }) => !isOfHouse(name))];
}
