import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import { BASE_URL } from './base-url.ts';

export type TestLanguage = 'en' | 'hn';
export const TEST_LANGUAGES: readonly TestLanguage[] = ['en', 'hn'];
/**
 * A journey is walked once, in the language that most counters speak: in another its words differ, its code does not. That the words of all ten fit is
 * languages.spec.ts's, that nothing in either bars anybody a11y.spec.ts's.
 */
export const SPOKEN: TestLanguage = 'hn';
export type Words = (key: string, params?: Record<string, string | number>) => string;

const loaded = new Map<Language, Promise<Record<string, unknown>>>();

/** The app's own words of a language: tests press what a person reads. @throws Error for a key that the language lacks. */
export async function wordsOf(language: Language): Promise<Words> {
  if (!loaded.has(language))
    loaded.set(
      language,
      Promise.all(
        ['', 'more/', 'sale/', 'customer/'].map(async (part) =>
          (await fetch(`${BASE_URL}/locales/${part}${language}.json`)).json(),
        ),
      ).then((parts) => Object.assign({}, ...parts) as Record<string, unknown>),
    );
  const file = (await loaded.get(language))!;
  const rules = new Intl.PluralRules(LANGUAGE_TAGS[language]);
  const find = (key: string) =>
    key.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], file);
  return (key, params = {}) => {
    const count = params['count'];
    const text = (typeof count === 'number' ? find(`${key}_${rules.select(count)}`) : undefined) ?? find(key);
    if (typeof text !== 'string') throw new Error(`${language} has no words for ${key}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
  };
}
