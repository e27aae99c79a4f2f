import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, LANGUAGE_TAGS, type Language } from '@kist/contract/codes';

export type Params = Record<string, string | number>;

export interface Translations {
  /** @returns the sentence in that language, else in English; undefined when no language has the key. */
  text(language: Language, key: string, params?: Params): string | undefined;
  /** The same in the language's form for a number, which fills `{{count}}`. */
  counted(language: Language, key: string, count: number): string | undefined;
}

/**
 * The sentences that requests need before, or without, the app's locale files (a server without a built app).
 * The app's locales win over them.
 */
const BUILT_IN: Record<string, string> = {
  'errors.INTERNAL': 'Something went wrong.',
  'field.required': 'This is a required field.',
  'field.invalid': 'This value is not valid.',
  'messages.success': 'Success',
};

/** Reads `{language}.json` of every language at boot; a missing or broken file counts as empty, English then answers. */
export const loadTranslations = (localesDir: string): Translations => translationsOf([localesDir]);

/** The same of the folders beside them: what the app says on some screens only, and pages of the server's own say too. */
export const loadMoreTranslations = (localesDir: string): Translations => translationsOf(foldersIn(localesDir));

function foldersIn(localesDir: string): string[] {
  try {
    const entries = readdirSync(localesDir, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(localesDir, name));
  } catch {
    return [];
  }
}

function translationsOf(folders: readonly string[]): Translations {
  const tables = new Map(
    LANGUAGES.map((language) => [
      language,
      new Map(folders.flatMap((folder) => [...readTable(path.join(folder, `${language}.json`))])),
    ]),
  );
  const text: Translations['text'] = (language, key, params = {}) => {
    const sentence = tables.get(language)?.get(key) ?? tables.get('en')?.get(key) ?? BUILT_IN[key];
    if (!sentence?.includes('{{')) return sentence;
    return sentence.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(params[name] ?? whole));
  };
  return {
    text,
    counted: (language, key, count) =>
      text(language, `${key}_${new Intl.PluralRules(LANGUAGE_TAGS[language]).select(count)}`, { count }),
  };
}

function readTable(file: string): Map<string, string> {
  const table = new Map<string, string>();
  try {
    flatten(JSON.parse(readFileSync(file, 'utf8')), '', table);
  } catch {
    table.clear();
  }
  return table;
}

/** `{errors: {NOT_FOUND: '…'}}` and `{'errors.NOT_FOUND': '…'}` both become `errors.NOT_FOUND`. */
function flatten(value: unknown, prefix: string, table: Map<string, string>): void {
  if (typeof value === 'string') table.set(prefix, value);
  else if (value !== null && typeof value === 'object')
    for (const [key, child] of Object.entries(value)) flatten(child, prefix ? `${prefix}.${key}` : key, table);
}

const BY_TAG = new Map<string, Language>(
  LANGUAGES.flatMap((language) => [
    [language, language],
    [LANGUAGE_TAGS[language], language],
  ]),
);

/** The first known language among the candidates: our codes (`hn`), BCP 47 tags (`hi-IN`) or a whole accept-language list. */
export function pickLanguage(...candidates: (string | undefined)[]): Language {
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const exact = BY_TAG.get(candidate);
    if (exact) return exact;
    for (const part of candidate.slice(0, 200).split(',')) {
      const tag = part.split(';')[0]?.trim().toLowerCase() ?? '';
      const language = BY_TAG.get(tag) ?? BY_TAG.get(tag.split('-')[0] ?? '');
      if (language) return language;
    }
  }
  return 'en';
}
