import '#web/ui/inside-icons.ts';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { isOlderThan } from '@kist/contract/app-version';
import { keptHere } from '#web/state/kept-here.ts';
import { appStore } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

const leastVersion = (): string => appStore.getState().main.app_config?.min_app_version ?? '';

/**
 * Says that the server speaks with newer apps only, on every screen and for as long as it is so, and takes the newer build when it is asked to. Never by itself:
 * somebody may be typing. Forms and entries that were not sent are there afterwards wherever they lie on the phone; where they do not it says so.
 */
export function TooOld() {
  const { t } = useTranslation();
  const least = useSyncExternalStore(appStore.subscribe, leastVersion);
  const [isBusy, setBusy] = useState(false);
  if (!isOlderThan(__APP_VERSION__, least)) return null;
  const run = () => {
    setBusy(true);
    void import('#web/offline/updates.ts')
      .then(({ takeNewest }) => takeNewest())
      // A browser that tells nothing of its worker, or a build that took this file away.
      .catch(() => window.location.reload())
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-due-soft px-4 py-2 text-due">
      <p role="alert" className="flex min-w-56 flex-1 items-start gap-2 text-sm">
        <Icon name="warning" size={20} />
        {t('shell.too_old')} {t(keptHere('states.saved_safe'))}
      </p>
      <Button tone="plain" icon="refresh" busy={isBusy} onClick={run}>
        {t('shell.reload')}
      </Button>
    </div>
  );
}
