import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router';

/** A new build removed the old chunk's file, or the network went while a screen's code was loading. */
const isChunkLoss = (error: unknown) => error instanceof TypeError && /import|fetch|module/i.test(error.message);
const RELOADED_KEY = 'reloaded_at';
const buttonLook = 'min-h-12 rounded-lg border px-4 py-2 font-semibold';

/**
 * The router's last resort: 'Unexpected Application Error!' with the status. Part of the first bundle and made of plain elements: it must
 * show when nothing more can be loaded. A lost chunk reloads the page once by itself.
 */
export function ErrorView() {
  const { t } = useTranslation();
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? `${error.status} ${error.statusText}`.trim() : '';
  useEffect(() => {
    const lastMs = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (!isChunkLoss(error) || !navigator.onLine || Date.now() - lastMs < 60_000) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    window.location.reload();
  }, [error]);
  return (
    <main className="mx-auto grid min-h-dvh max-w-88 content-center gap-3 p-4 text-center">
      <h1 className="text-xl font-bold">{t('states.unexpected')}</h1>
      {status && <p className="font-semibold">{status}</p>}
      <p className="text-ink-2">{t('states.unexpected_body')}</p>
      <button
        type="button"
        className={`${buttonLook} border-transparent bg-accent text-accent-fg`}
        onClick={() => window.location.reload()}
      >
        {t('shell.reload')}
      </button>
      <button type="button" className={`${buttonLook} border-edge bg-card`} onClick={() => window.location.assign('/')}>
        {t('common.go_home')}
      </button>
    </main>
  );
}
