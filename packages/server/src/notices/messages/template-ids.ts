import { LANGUAGES, CODE_PURPOSES, type Language, type CodePurpose } from '@kist/contract/codes';
import { sha256 } from '#server/platform/crypto.ts';
import { MESSAGES, type NoticeText } from './messages.ts';

/** A text as it goes to an operator's register: its id, and its words with a mark for each value. */
export interface RegisteredText {
  id: string;
  text: string;
}

/**
 * Indian operators let through what is registered, to the letter. The id has the text's name, its language and the beginning of its words' hash, so that
 * changed words are a text that is not registered yet, never one that the register no longer knows.
 */
const idOf = (name: string, language: Language, text: string): string =>
  `${name}.${language}.${sha256(text).toString('hex').slice(0, 8)}`;

const noticeIds = (language: Language): Record<NoticeText, string> => {
  const { otp: _otp, on_phone: _onPhone, ...texts } = MESSAGES[language];
  const ids = Object.entries(texts).map(([name, text]) => [name, idOf(name, language, text)] as const);
  return Object.fromEntries(ids) as Record<NoticeText, string>;
};
const otpIds = (language: Language): Record<CodePurpose, string> => {
  const texts = MESSAGES[language].otp;
  const ids = CODE_PURPOSES.map(
    (purpose) => [purpose, idOf(`otp_${purpose.toLowerCase()}`, language, texts[purpose])] as const,
  );
  return Object.fromEntries(ids) as Record<CodePurpose, string>;
};
const byLanguage = <T>(of: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, T>;

/** The id of each notice's text. */
export const NOTICE_TEXT_IDS = byLanguage(noticeIds);
/** The id of each sign-in code's text. */
export const OTP_TEXT_IDS = byLanguage(otpIds);

/** @returns every text of a language as an operator registers it, `{#var#}` for each value. */
export function registeredTexts(language: Language): RegisteredText[] {
  const { otp, on_phone: _, ...notices } = MESSAGES[language];
  const marked = (id: string, text: string) => ({ id, text: text.replaceAll(/\{[a-z_]+\}/g, '{#var#}') });
  return [
    ...CODE_PURPOSES.map((purpose) => marked(OTP_TEXT_IDS[language][purpose], otp[purpose])),
    ...Object.entries(notices).map(([name, text]) => marked(NOTICE_TEXT_IDS[language][name as NoticeText], text)),
  ];
}
