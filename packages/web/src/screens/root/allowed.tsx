import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches } from 'react-router';
import { paths } from '#web/paths.ts';
import { askKey } from '#web/state/who-allows.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import type { Ability } from '#web/widgets/abilities.ts';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

/** The screen, or that it is not for this user (`handle.needs` of its route): a screen that may ask nothing is not drawn, so it asks nothing. */
export function Allowed({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const brand = useBrand()?.name;
  const { me, can } = useAccess();
  const needs = useMatches()
    .map((match) => (match.handle as { needs?: Ability } | undefined)?.needs)
    .find((ability) => ability !== undefined);
  if (me === undefined || needs === undefined || can[needs]) return children;
  return (
    <Frame title={brand ?? t('shell.home')}>
      <StateView kind="no_permission" title={t('states.no_permission_title')} body={t(askKey())}>
        {can.read && <ButtonLink to={paths.dashboard()}>{t('common.go_home')}</ButtonLink>}
      </StateView>
    </Frame>
  );
}
