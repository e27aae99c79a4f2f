import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { errorText } from '#web/api/error-text.ts';
import { awayBy, isNetworkError, type ApiError } from '#web/api/errors.ts';
import type { ReadResult } from '#web/api/use-call.ts';
import { formatAgo } from '#web/i18n/formats.ts';
import { shopTimeOf, useShopNowMs } from '#web/state/shop-clock.ts';
import { Icon } from '#web/ui/icon.tsx';
import { askKey } from '#web/state/who-allows.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';

/** Why there is nothing to show, and what to do next: offline, not allowed, not found, or an error with another try. */
export function ProblemView(props: { error: ApiError; onRetry?: () => void }) {
  const { error, onRetry } = props;
  const { t } = useTranslation();
  const isHome = useLocation().pathname === paths.dashboard();
  const retry = onRetry && (
    <Button icon="refresh" onClick={onRetry}>
      {t('common.retry')}
    </Button>
  );
  const away = isNetworkError(error) ? awayBy(error) : null;
  if (away === 'network' || (away === 'server' && error.code !== 'TIMEOUT_ERROR'))
    return (
      <StateView
        kind="offline"
        title={t(away === 'network' ? 'states.offline_title' : 'shell.server_away')}
        body={t(away === 'network' ? 'states.offline_body' : 'states.server_away_body')}
      >
        {retry}
      </StateView>
    );
  if (error.status === 403)
    return (
      <StateView kind="no_permission" title={t('states.no_permission_title')} body={t(askKey())}>
        {isHome ? retry : <ButtonLink to={paths.dashboard()}>{t('common.go_home')}</ButtonLink>}
      </StateView>
    );
  if (error.code === 'NOT_FOUND')
    return (
      <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
        <ButtonLink to={paths.customerList()}>{t('shell.customers')}</ButtonLink>
      </StateView>
    );
  return (
    <StateView kind="error" title={t('states.error_title')} body={errorText(error, t)}>
      {retry}
    </StateView>
  );
}

/**
 * Draws one of: skeleton, problem, or the data. Data that is already there stays while it is fetched again, also when that fails.
 * @example <QueryView result={useRead('getDashboard', {})}>{(data) => …}</QueryView>
 */
export function QueryView<Data>(props: {
  result: ReadResult<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { result, skeleton, children } = props;
  const { t } = useTranslation();
  if (result.data !== undefined)
    return (
      <>
        {result.keptAtMs !== undefined && <KeptNote atMs={result.keptAtMs} />}
        {children(result.data)}
      </>
    );
  if (result.error && !result.isFetching) return <ProblemView error={result.error} onRetry={result.refetch} />;
  return skeleton ?? <ScreenSkeleton label={t('states.loading')} />;
}

/** What stands below is of then: there is no way to the server now. */
export function KeptNote({ atMs }: { atMs: number }) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const ago = formatAgo(new Date(shopTimeOf(atMs)).toISOString(), nowMs);
  return (
    <p className="flex items-center gap-2 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
      <Icon name="offline" size={16} />
      {t('states.kept', { ago })}
    </p>
  );
}
