import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { keptHere } from '#web/state/kept-here.ts';
import { isLostCode, reloadOnce } from '#web/state/lost-code.ts';

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
    if (isLostCode(error) && navigator.onLine) reloadOnce();
  }, [error]);
  return (
    <main className="mx-auto grid min-h-dvh max-w-88 content-center gap-3 p-4 text-center">
      <h1 className="text-xl font-bold">{t('states.unexpected')}</h1>
      {status && <p className="font-semibold">{status}</p>}
      <p className="text-ink-2">
        {t('states.unexpected_body')} {t(keptHere('states.saved_safe'))}
      </p>
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
