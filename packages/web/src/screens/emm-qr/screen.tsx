import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { api } from '#web/api/api.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { paths } from '#web/paths.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { CodeCard } from './code-card.tsx';
import { DemoHint } from './demo-hint.tsx';
import { Instructions } from './instructions.tsx';
import { useCode } from './use-code.ts';

/** A phone takes about a minute to report; three seconds feel at once. */
const POLL_MS = 3000;

/** The QR code for the phone on the counter; the page sees by itself when the phone has reported. */
export function Screen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const { can } = useAccess();
  const customerId = search.get('customer_id') ?? '';
  const back = !can.read ? paths.addCustomer() : customerId ? paths.customerNavigate(customerId) : paths.customerList();
  return (
    <Frame title={t('qr.title')} back={back} wide>
      {customerId ? (
        <Enrolment key={customerId} customerId={customerId} />
      ) : (
        <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
          <ButtonLink to={paths.customerList()}>{t('shell.customers')}</ButtonLink>
        </StateView>
      )}
    </Frame>
  );
}

function Enrolment({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const [isDone, setDone] = useState(false);
  const [wasWaiting, setWaiting] = useState(false);
  const status = useRead(
    'getCustomerQrCode',
    { query: { customer_id: customerId, image: 'none' } },
    { pollMs: isDone ? 0 : POLL_MS },
  );
  const isEnrolled = status.latest?.is_enrolled;
  if (isEnrolled && !isDone) setDone(true);
  if (isEnrolled === false && !wasWaiting) setWaiting(true);
  useEffect(() => {
    if (!isEnrolled || !wasWaiting) return;
    tick();
    dispatch(api.util.invalidateTags([...PHONE_READS]));
  }, [isEnrolled, wasWaiting, dispatch]);
  if (isEnrolled) return <Connected customerId={customerId} isNow={wasWaiting} />;
  if (isEnrolled === false) return <Waiting customerId={customerId} />;
  // Asked first: for a phone that is set up already no code is made.
  return status.error ? (
    <ProblemView error={status.error} onRetry={status.refetch} />
  ) : (
    <ScreenSkeleton label={t('states.loading')} />
  );
}

function Waiting({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const isDemo = useAppSelector((state) => state.main.org_config?.mode === 'demo');
  const { code, error, isBusy, fresh } = useCode(customerId);
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
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2 lg:gap-5">
        <CodeCard code={code} mobile={profile.data?.customer.mobile} isFetching={isBusy} onFresh={() => void renew()} />
        <div className="grid content-start gap-3">
          <Instructions />
          {isDemo && <DemoHint qr={code.qr} />}
          <CheckButton customerId={customerId} />
        </div>
      </div>
    );
  if (error?.code === 'STATE_CONFLICT')
    return (
      <StateView kind="empty" icon="qr" title={t('qr.not_here')} body={t('qr.not_here_body')}>
        <ButtonLink to={paths.customerNavigate(customerId)}>{t('navigate.title')}</ButtonLink>
      </StateView>
    );
  return error ? (
    <ProblemView error={error} onRetry={() => void fresh()} />
  ) : (
    <ScreenSkeleton label={t('states.loading')} />
  );
}

/** For the impatient: asks now and says what came of it. */
function CheckButton({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [check, { isBusy }] = useWrite('getCustomerQrCode', ['getCustomerQrCode']);
  const run = async () => {
    const { data, error } = await check({ query: { customer_id: customerId, image: 'none' } });
    if (error) problem(error);
    else if (!data.is_enrolled) toast.info(t('qr.not_yet'));
  };
  return (
    <Button tone="plain" icon="search" busy={isBusy} onClick={() => void run()}>
      {t('qr.check')}
    </Button>
  );
}

/** @param isNow it was seen to happen; else the phone was set up before this page was opened. */
function Connected({ customerId, isNow }: { customerId: string; isNow: boolean }) {
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
      </StateView>
    </div>
  );
}
