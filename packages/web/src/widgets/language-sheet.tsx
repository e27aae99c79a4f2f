import '#web/ui/inside-icons.ts';
import { useTranslation } from 'react-i18next';
import { Sheet } from '#web/ui/sheet.tsx';
import { LanguageRows } from './language-rows.tsx';

/** The organisation's languages, to choose from before anyone is signed in. */
export function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t('language.title')}>
      <LanguageRows onChosen={onClose} />
    </Sheet>
  );
}
