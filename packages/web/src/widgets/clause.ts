import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '@kist/contract/codes';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { localeUrl } from '#web/i18n/backend.ts';

/** Which text of the clause is shown and agreed to. */
export const CONSENT_VERSION = '2';

/** The clause as it is shown, in the language that it really is in: that language is recorded with the consent. */
export interface Clause {
  text: string;
  language: Language;
}

async function fetchClause(language: Language): Promise<string | undefined> {
  const response = await fetch(localeUrl(language));
  if (!response.ok) return undefined;
  const locale = (await response.json()) as { consent?: { text_v2?: string } };
  return locale.consent?.text_v2;
}

/**
 * The customer reads in the customer's language, whatever the shop's is.
 * @returns the clause, null while it loads. Where the language cannot be had (no internet) it comes in the app's own.
 */
export function useClause(wanted: Language): Clause | null {
  const { t } = useTranslation();
  const own = currentLanguage();
  const [fetched, setFetched] = useState<{ language: Language; text: string | undefined } | null>(null);
  useEffect(() => {
    if (wanted === own) return;
    let isCurrent = true;
    const take = (text: string | undefined) => isCurrent && setFetched({ language: wanted, text });
    fetchClause(wanted).then(take, () => take(undefined));
    return () => {
      isCurrent = false;
    };
  }, [wanted, own]);
  const ownClause = { text: t('consent.text_v2'), language: own };
  if (wanted === own) return ownClause;
  if (fetched?.language !== wanted) return null;
  return fetched.text ? { text: fetched.text, language: wanted } : ownClause;
}
