import { useTranslation } from 'react-i18next';
import { shareFile } from '#web/native/share.ts';
import { toast } from '#web/ui/toast.ts';

/** Hands text to another app as a file, or saves it and says so. */
export function useSaveFile() {
  const { t } = useTranslation();
  return async (text: string, name: string): Promise<void> => {
    const outcome = await shareFile(new File([text], name, { type: 'application/json' }));
    if (outcome === 'saved') toast.ok(t('my_data.saved'));
  };
}
