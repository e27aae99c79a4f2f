import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { hasSession } from '#web/state/session.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import '#web/ui/inside-icons.ts';
import { CodeLost } from './code-lost.tsx';
import { Screen } from './screen.tsx';

/** In place of a screen whose code is not on this phone and could not be fetched. */
export function CodeAway() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const brand = useBrand()?.name;
  const home = hasSession() ? paths.dashboard() : paths.login();
  // The router counts the pages of this visit there.
  const hasBefore = Number((window.history.state as { idx?: number } | null)?.idx ?? 0) > 0;
  return (
    <Screen
      title={brand ?? t('shell.home')}
      onBack={() => void (hasBefore ? navigate(-1) : navigate(home, { replace: true }))}
    >
      <CodeLost />
    </Screen>
  );
}
