import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { WaitingList } from '#web/widgets/waiting-list.tsx';

/** What waits for a second person. The bell leads to it; an administrator has it at home. */
export function Screen() {
  const { t } = useTranslation();
  return (
    <Frame title={t('waiting.title')} back={paths.dashboard()} actions={<SearchButton />}>
      <WaitingList />
    </Frame>
  );
}
