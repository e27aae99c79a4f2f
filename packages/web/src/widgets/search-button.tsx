import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { IconButton } from '#web/ui/button.tsx';

/** From wherever a shop is to the search of its customers, with the keyboard open. A desk has its search above every screen. */
export function SearchButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <IconButton
      icon="search"
      label={t('customers.search')}
      className="lg:hidden"
      onClick={() => void navigate(paths.customerList(), { state: { search: true } })}
    />
  );
}
