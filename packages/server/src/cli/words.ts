import { localesDir } from '#server/compose.ts';
import {
  type Params,
  type Translations,
  loadMoreTranslations,
  loadTranslations,
  pickLanguage,
} from '#server/platform/translations.ts';

/** What an environment says of its language: hi_IN.UTF-8 is Hindi. */
export const languageOf = ({ LC_ALL, LC_MESSAGES, LANG }: Record<string, string | undefined>) =>
  pickLanguage((LC_ALL || LC_MESSAGES || LANG)?.replace(/[.@].*$/, '').replace('_', '-'));

let tables: readonly Translations[] | undefined;

const KEY = /^[a-z][a-z_]*(?:\.\w+)+$/;

/** @returns what the terminal's language says for a locale key; a text that is none stays as it is */
export function said(
  text: string,
  params?: Params,
  environment: Record<string, string | undefined> = process.env,
): string {
  if (!KEY.test(text)) return text;
  tables ??= [loadTranslations(localesDir), loadMoreTranslations(localesDir)];
  const language = languageOf(environment);
  // What a key's own table does not have in that language it has in English; the other table has nothing of it.
  return tables.map((table) => table.text(language, text, params)).find((one) => one !== undefined) ?? text;
}

/** A complaint of a schema, as far as it is looked at here. */
interface Complaint {
  path: readonly PropertyKey[];
  message: string;
  maximum?: unknown;
  minimum?: unknown;
  params?: unknown;
}

/** Where something is wrong, and what, for a person. */
export const complaint = ({ path, message, maximum, minimum, params }: Complaint, whole = 'the file'): string => {
  const limits = { ...(params as Params | undefined), ...some('max', maximum), ...some('min', minimum) };
  return `${path.join('.') || whole}: ${said(message, limits)}`;
};

const some = (name: string, value: unknown): Params =>
  value === undefined || value === null ? {} : { [name]: String(value as number) };
