import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { errorText } from '#web/api/error-text.ts';
import { awayBy, isNetworkError, type ApiError } from '#web/api/errors.ts';
import type { ReadResult } from '#web/api/use-call.ts';
import { keptHere } from '#web/state/kept-here.ts';
import { askKey, isCustomer } from '#web/state/who-allows.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { useKept } from './kept-note.tsx';

/**
 * Why there is nothing to show, and what to do next: offline, not allowed, not found, or an error with another try.
 * @param busy the next try is under way: what is wrong stays to be read meanwhile.
 */
export function ProblemView(props: { error: ApiError; onRetry?: () => void; busy?: boolean }) {
  const { error, onRetry, busy } = props;
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const retry = onRetry && (
    <Button icon="refresh" busy={busy} onClick={onRetry}>
      {t('common.retry')}
    </Button>
  );
  const away = isNetworkError(error) ? awayBy(error) : null;
  if (away === 'network' || (away === 'server' && error.code !== 'TIMEOUT_ERROR'))
    return (
      <StateView
        kind="offline"
        title={t(away === 'network' ? 'states.offline_title' : 'shell.server_away')}
        body={`${t(away === 'network' ? 'states.offline_body' : 'states.server_away_body')} ${t(keptHere('states.saved_safe'))}`}
      >
        {retry}
      </StateView>
    );
  if (error.status === 403)
    return (
      <StateView kind="no_permission" title={t('states.no_permission_title')} body={t(askKey())}>
        {pathname === paths.dashboard() ? retry : <ButtonLink to={paths.dashboard()}>{t('common.go_home')}</ButtonLink>}
      </StateView>
    );
  if (error.code === 'NOT_FOUND') return <NotFound />;
  return (
    <StateView kind={away ? 'offline' : 'error'} title={t('states.error_title')} body={errorText(error, t)}>
      {retry}
    </StateView>
  );
}

/** An address of nobody, or of somebody else's customer: which of the two is not told. */
export function NotFound() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [to, word] = isCustomer()
    ? ([paths.myEmi(), 'common.go_home'] as const)
    : pathname.includes('retailer')
      ? ([paths.retailerList(), 'shell.my_shops'] as const)
      : ([paths.customerList(), 'shell.customers'] as const);
  return (
    <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
      <ButtonLink to={to}>{t(word)}</ButtonLink>
    </StateView>
  );
}

/**
 * Draws one of: skeleton, problem, or the data. Data that is already there stays while it is fetched again, also when that fails; so does what
 * went wrong, for the phone asks again by itself while it has no network.
 * @example <QueryView result={useRead('getDashboard', {})}>{(data) => …}</QueryView>
 */
export function QueryView<Data>(props: {
  result: Pick<ReadResult<Data>, 'data' | 'error' | 'isFetching' | 'keptAtMs' | 'refetch'>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { result, skeleton, children } = props;
  const { t } = useTranslation();
  const { data, error, isFetching } = result;
  useKept(data === undefined ? undefined : result.keptAtMs);
  const [hasFailed, setFailed] = useState(false);
  if (error && !isFetching && !hasFailed) setFailed(true);
  if (data !== undefined) return children(data);
  // What an earlier page was told is asked again before it is said here.
  if (error && (!isFetching || hasFailed))
    return <ProblemView error={error} onRetry={result.refetch} busy={isFetching} />;
  return skeleton ?? <ScreenSkeleton label={t('states.loading')} />;
}
