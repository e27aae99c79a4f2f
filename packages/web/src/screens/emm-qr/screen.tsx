import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { api } from '#web/api/api.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { paths } from '#web/paths.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { InstallCard } from '#web/widgets/install-card.tsx';
import { isLetGo } from '#web/widgets/let-go.ts';
import { KeysGone } from '#web/widgets/no-keys.tsx';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { NotFound, ProblemView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { CodeCard } from './code-card.tsx';
import { DemoHint } from './demo-hint.tsx';
import { Instructions } from './instructions.tsx';
import { useCode } from './use-code.ts';
import { useWakeLock } from './use-wake-lock.ts';

/** A phone takes about a minute to report; two seconds feel at once. */
const POLL_MS = 2000;
/** There is no code to show, and another try would bring none. */
const NOTHING_TO_SHOW: readonly string[] = ['STATE_CONFLICT', 'NO_PHONE_YET', 'FEATURE_NOT_OFFERED'];

/** The QR code for the phone on the counter; the page sees by itself when the phone has reported. */
export function Screen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const { can } = useAccess();
  const { isExchanged } = (useLocation().state as { isExchanged?: boolean } | null) ?? {};
  const customerId = search.get('customer_id') ?? '';
  const back = !can.read ? paths.addCustomer() : customerId ? paths.customerNavigate(customerId) : paths.customerList();
  return (
    <Frame title={t('qr.title')} back={back} wide actions={can.read && <SearchButton />}>
      {isExchanged && (
        <p role="status" className="flex items-start gap-2 rounded-lg bg-ok-soft px-3 py-2 text-ok">
          <Icon name="check" size={20} className="mt-px" />
          {t('exchanging.done')}
        </p>
      )}
      {customerId ? <Enrolment key={customerId} customerId={customerId} /> : <NotFound />}
    </Frame>
  );
}

function Enrolment({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const [isDone, setDone] = useState(false);
  const [wasWaiting, setWaiting] = useState(false);
  /** A new code was asked for: the set-up that stood then, null for none. The next one is another instant's. */
  const [before, setBefore] = useState<string | null>();
  const status = useRead(
    'getCustomerQrCode',
    { query: { customer_id: customerId, image: 'none' } },
    { pollMs: isDone ? 0 : POLL_MS },
  );
  const { latest } = status;
  const isConnected = latest && latest.is_enrolled && latest.enrolled_at !== before;
  const isGone = latest?.status === CUSTOMER_STATUS.uninstall && before === undefined;
  if (isConnected && !isDone) setDone(true);
  if (isConnected === false && !isGone && !wasWaiting) setWaiting(true);
  useEffect(() => {
    if (!isConnected || !wasWaiting) return;
    tick();
    dispatch(api.util.invalidateTags([...PHONE_READS]));
  }, [isConnected, wasWaiting, dispatch]);
  const again = () => {
    setBefore(latest?.enrolled_at ?? null);
    setWaiting(false);
    setDone(false);
  };
  const onAgain = latest?.offers_code ? again : undefined;
  if (isConnected) return <Connected customerId={customerId} isNow={wasWaiting} onAgain={onAgain} />;
  if (isGone) return <Gone customerId={customerId} onAgain={onAgain} />;
  if (isConnected === false) return <Waiting customerId={customerId} before={before} />;
  // Asked first: for a phone that is set up already no code is made.
  return status.error ? (
    <Problem error={status.error} onRetry={status.refetch} />
  ) : (
    <ScreenSkeleton label={t('states.loading')} />
  );
}

/** @param before the set-up that stands until the phone is set up again, if there is one. */
function Waiting({ customerId, before }: { customerId: string; before: string | null | undefined }) {
  const { t } = useTranslation();
  const isDemo = useAppSelector((state) => state.main.org_config?.mode === 'demo');
  const { code, error, isBusy, open, fresh } = useCode(customerId);
  useWakeLock();
  const profile = useRead('getCustomerProfile', { query: { customer_id: customerId } });
  const problem = useProblem();
  const renew = async () => {
    if (await fresh()) toast.ok(t('qr.fresh_done'));
  };
  useEffect(() => {
    if (error && code) problem(error);
  }, [error, code, problem]);
  if (code)
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 @[40rem]:grid-cols-2 @[40rem]:gap-5">
        <CodeCard
          customerId={customerId}
          code={code}
          mobile={profile.data?.customer.mobile}
          isFetching={isBusy}
          onFresh={() => void renew()}
        />
        <div className="grid content-start gap-3">
          <Instructions code={code.qr} />
          {isDemo && <DemoHint qr={code.qr} />}
          <CheckButton customerId={customerId} before={before} />
        </div>
      </div>
    );
  const isGone = profile.data !== undefined && isLetGo(profile.data);
  if (error && NOTHING_TO_SHOW.includes(error.code))
    return (
      <StateView kind="empty" icon="qr" title={t('qr.not_here')} body={t(isGone ? 'unclaim.over' : 'qr.not_here_body')}>
        <ButtonLink to={paths.customerNavigate(customerId)}>{t('navigate.title')}</ButtonLink>
      </StateView>
    );
  return error ? <Problem error={error} onRetry={() => void open()} /> : <ScreenSkeleton label={t('states.loading')} />;
}

/** Why there is no code. A key that is missing comes from somebody, and is looked for again once they gave one. */
function Problem({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation();
  if (error.code !== 'INSUFFICIENT_KEYS') return <ProblemView error={error} onRetry={onRetry} />;
  return (
    <KeysGone title={t('errors.INSUFFICIENT_KEYS')}>
      <Button tone="plain" icon="refresh" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </KeysGone>
  );
}

/** For the impatient: asks now and says what came of it. */
function CheckButton({ customerId, before }: { customerId: string; before: string | null | undefined }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [check, { isBusy }] = useWrite('getCustomerQrCode', ['getCustomerQrCode']);
  const run = async () => {
    const { data, error } = await check({ query: { customer_id: customerId, image: 'none' } });
    if (error) problem(error);
    else if (!data.is_enrolled || data.enrolled_at === before) toast.info(t('qr.not_yet'));
  };
  return (
    <Button tone="plain" icon="search" busy={isBusy} onClick={() => void run()}>
      {t('qr.check')}
    </Button>
  );
}

/** Uninstalled: a new code takes a key, so the page makes none by itself. */
function Gone({ customerId, onAgain }: { customerId: string; onAgain: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <StateView kind="empty" icon="phone" title={t('qr.gone')} body={t(onAgain ? 'qr.gone_body' : 'qr.not_here_body')}>
      {onAgain && (
        <Button icon="qr" onClick={onAgain}>
          {t('qr.fresh')}
        </Button>
      )}
      <ButtonLink to={paths.customerDetails(customerId)} tone="plain" replace>
        {t('qr.see_customer')}
      </ButtonLink>
    </StateView>
  );
}

/**
 * @param isNow it was seen to happen; else the phone was set up before this page was opened.
 * @param onAgain makes a code for a phone that was erased; it stays set up as it is until that code is read.
 */
function Connected(props: { customerId: string; isNow: boolean; onAgain: (() => void) | undefined }) {
  const { customerId, isNow, onAgain } = props;
  const { t } = useTranslation();
  const { can } = useAccess();
  return (
    <div role="status">
      <StateView
        kind="done"
        icon="phone"
        title={t('qr.connected')}
        body={t(isNow ? 'qr.connected_body' : 'navigate.active')}
      >
        {can.read && (
          <ButtonLink to={paths.customerDetails(customerId)} replace>
            {t('qr.see_customer')}
          </ButtonLink>
        )}
        <ButtonLink to={paths.addCustomer()} tone="plain" icon="plus" replace>
          {t('qr.add_next')}
        </ButtonLink>
        {!isNow && onAgain && (
          <Button tone="plain" icon="qr" onClick={onAgain}>
            {t('qr.again')}
          </Button>
        )}
      </StateView>
      {isNow && <InstallCard />}
    </div>
  );
}
