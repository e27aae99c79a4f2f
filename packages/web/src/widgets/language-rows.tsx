import { useTranslation } from 'react-i18next';
import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import { toApiError } from '#web/api/errors.ts';
import { currentLanguage, setLanguage } from '#web/i18n/i18n.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { useLanguages } from '#web/theme/use-brand.ts';
import { RadioRows } from '#web/ui/switch.tsx';
import { useProblem } from './use-problem.ts';

/** The organisation's languages, each by its own name in its own script. @param onChosen after the words changed. */
export function LanguageRows(props: { onChosen?: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const choose = (code: Language) =>
    setLanguage(code).then(props.onChosen, () => problem(toApiError('FETCH_ERROR', null)));
  const options = useLanguages(currentLanguage()).map((code) => ({
    value: code,
    label: LANGUAGE_NAMES[code],
    lang: LANGUAGE_TAGS[code],
  }));
  return (
    <RadioRows
      label={t('language.title')}
      name="language"
      value={currentLanguage()}
      options={options}
      onChange={(code) => void choose(code)}
    />
  );
}
