import { useEffect, useState } from 'react';
import i18next, { type TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Language } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { addMain, currentLanguage } from '#web/i18n/i18n.ts';
import { isLanguage } from '#web/i18n/languages.ts';

/**
 * A customer gets what is sent in the customer's language, whatever the shop's is.
 * @returns what every screen says, in that language as soon as it is known and here; until then, and where it cannot be had, in the app's own.
 */
export function useTheirWords(customerId: string): TFunction {
  const { t } = useTranslation();
  const profile = useRead('getCustomerProfile', { query: { customer_id: customerId } }, { skip: !customerId });
  const language = profile.data?.customer.language;
  const [here, setHere] = useState<Language | null>(null);
  useEffect(() => {
    if (!isLanguage(language)) return;
    let isCurrent = true;
    addMain(language).then(
      () => isCurrent && setHere(language),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return here && here === language && here !== currentLanguage() ? i18next.getFixedT(here) : t;
}
