import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { TextField } from '#web/ui/text-field.tsx';

/** Why a second person says no, if they like to say it: who asked reads it. */
export function WhyNot(props: { note: string; onNote: (note: string) => void; error?: string | undefined }) {
  const { note, onNote, error } = props;
  const { t } = useTranslation();
  return (
    <TextField
      label={t('override.why_not')}
      optional={t('common.optional')}
      maxLength={LIMITS.refusalNoteLength}
      value={note}
      onChange={(event) => onNote(event.target.value)}
      error={error}
    />
  );
}
