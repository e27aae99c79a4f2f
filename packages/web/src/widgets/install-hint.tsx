import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

/** An iPhone lets no page ask: the person does it. */
export function InstallHint() {
  const { t } = useTranslation();
  return (
    <p className="flex items-start gap-2 rounded-lg bg-raise p-3">
      <Icon name="share" size={20} className="mt-px" />
      <span>{t('install.by_hand')}</span>
    </p>
  );
}
