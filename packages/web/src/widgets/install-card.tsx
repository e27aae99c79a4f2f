import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { install } from '#web/native/install.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { InstallHint } from './install-hint.tsx';

/** Offers the home screen once: where a first sale just ended well. Whatever is answered, also nothing, it is not offered unasked again. */
export function InstallCard() {
  const { t } = useTranslation();
  const name = useBrand()?.name ?? '';
  const can = useSyncExternalStore(install.subscribe, install.current);
  const [isOffered, setOffered] = useState(() => !install.isLeftAlone());
  const isShown = isOffered && can !== null;
  useEffect(() => {
    if (isShown) install.leaveAlone();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <Card className="grid gap-2.5" aria-label={t('install.title', { name })}>
      <h2 className="font-bold">{t('install.title', { name })}</h2>
      <p className="text-ink-2">{t('install.body')}</p>
      {can === 'by-hand' ? (
        <InstallHint />
      ) : (
        <Button icon="plus" onClick={() => void install.ask()}>
          {t('shell.install')}
        </Button>
      )}
      <Button tone="quiet" onClick={() => setOffered(false)}>
        {t('install.later')}
      </Button>
    </Card>
  );
}
