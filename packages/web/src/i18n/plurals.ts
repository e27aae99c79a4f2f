import type { i18n } from 'i18next';
import { tagOf } from './languages.ts';

interface PluralResolver {
  getRule: (code: string, options?: object) => Intl.PluralRules;
}

/**
 * i18next asks Intl for plural rules by language code. Ours are no BCP 47 tags: 'tg' is Tajik to Intl, 'hn' falls to the phone's own
 * locale. Every look-up therefore goes by the tag.
 */
export function mapPluralRules(instance: i18n): void {
  const resolver = instance.services.pluralResolver as unknown as PluralResolver;
  const byTag = resolver.getRule.bind(resolver);
  resolver.getRule = (code, options) => byTag(tagOf(code), options);
}
