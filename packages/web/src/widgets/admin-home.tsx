import { useTranslation } from 'react-i18next';
import { SectionTitle } from '#web/ui/card.tsx';
import { WaitingList } from './waiting-list.tsx';

/** Where an administrator begins: no day of a shop, but what the company has to say. */
export function AdminHome() {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-ink-2">{t('waiting.admin')}</p>
      <SectionTitle>{t('waiting.title')}</SectionTitle>
      <WaitingList />
    </>
  );
}
