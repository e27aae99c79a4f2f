import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';

/** An unknown route. */
export function Screen() {
  const { t } = useTranslation();
  return (
    <Frame title={t('states.not_found')} back={paths.dashboard()}>
      <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
        <ButtonLink to={paths.dashboard()} icon="home">
          {t('common.go_home')}
        </ButtonLink>
      </StateView>
    </Frame>
  );
}
