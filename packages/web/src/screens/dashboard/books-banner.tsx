import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { Icon } from '#web/ui/icon.tsx';

/** One paisa off in the nightly check is never a footnote, and neither is a night without it. */
export function BooksBanner({ books }: { books: Dashboard['books'] }) {
  const { t } = useTranslation();
  if (books.is_balanced && books.is_checked) return null;
  return (
    <p role="alert" className="flex items-center gap-3 rounded-xl bg-over-soft p-3.5 font-semibold text-over">
      <Icon name="warning" />
      {t(books.is_balanced ? 'dashboard.books_unchecked' : 'dashboard.books_off')}
    </p>
  );
}
