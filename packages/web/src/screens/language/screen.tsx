import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { toast } from '#web/ui/toast.ts';
import { LanguageRows } from '#web/widgets/language-rows.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

export function Screen() {
  const { t, i18n } = useTranslation();
  const { can, isStaff } = useAccess();
  return (
    // A customer chooses a language too.
    <Frame title={t('language.title')} back={paths.dashboard()} actions={isStaff && can.read && <SearchButton />}>
      {/* i18n.t, not the render's t: the sentence comes in the language just chosen. */}
      <LanguageRows onChosen={() => toast.ok(i18n.t('language.changed'))} />
    </Frame>
  );
}
