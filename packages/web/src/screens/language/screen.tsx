import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { toast } from '#web/ui/toast.ts';
import { LanguageRows } from '#web/widgets/language-rows.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';

export function Screen() {
  const { t, i18n } = useTranslation();
  return (
    <Frame title={t('language.title')} back={paths.dashboard()}>
      {/* i18n.t, not the render's t: the sentence comes in the language just chosen. */}
      <LanguageRows onChosen={() => toast.ok(i18n.t('language.changed'))} />
    </Frame>
  );
}
