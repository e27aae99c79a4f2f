import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { maskMobile } from '@kist/contract/masked';
import type { EmiDetails } from '@kist/contract/emi';
import { isErased } from '@kist/contract/erased';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { SectionTitle } from '#web/ui/card.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { useWhole } from '#web/ui/use-whole.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { useCameFrom } from '#web/widgets/came-from.ts';
import { ClaimSheet } from '#web/widgets/claim-sheet.tsx';
import { Collect } from '#web/widgets/collect/collect.tsx';
import { QueuedPayments } from '#web/widgets/queued-payments.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { RemindButton } from '#web/widgets/remind-button.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { AgreementFacts } from './agreement-facts.tsx';
import { PaymentList } from './payment-list.tsx';
import { PenaltySheet } from './penalty-sheet.tsx';
import { Schedule } from './schedule.tsx';
import { Standing } from './standing.tsx';
import { Waiting } from './waiting.tsx';

type Tab = 'schedule' | 'payments' | 'agreement';

/** The ledger page of one agreement: schedule, payments, and taking the next one. */
export function Screen() {
  const { t } = useTranslation();
  const { isStaff } = useAccess();
  const cameFrom = useCameFrom();
  const { customer_id: customerId = '' } = useParams();
  const details = useRead('getEmiDetails', { body: { customer_id: customerId } });
  const [isCollecting, setCollecting] = useState(false);
  const [isClaiming, setClaiming] = useState(false);
  const isDesk = useAtLeast('desk');
  const { data } = details;
  const isOpen = data?.agreement.state === 'active' && data.instalments.some((row) => row.left_paise > 0);
  const shortcuts = useShortcut('c', isOpen && isStaff ? () => setCollecting(true) : undefined);
  const buttons =
    isOpen &&
    (isStaff ? (
      <>
        <Button icon="rupee" aria-keyshortcuts={shortcuts} onClick={() => setCollecting(true)}>
          {t('emi.collect')}
        </Button>
        <RemindButton customerId={customerId} />
      </>
    ) : (
      <Button icon="check" onClick={() => setClaiming(true)}>
        {t('emi.i_paid')}
      </Button>
    ));
  return (
    <Frame
      title={data ? titleOf(data.agreement, t) : t('emi.title')}
      detail={
        data &&
        [data.agreement.agreement_no, !isErased(data.agreement) && maskMobile(data.agreement.mobile)]
          .filter(Boolean)
          .join(' · ')
      }
      back={isStaff ? (cameFrom ?? paths.customerDetails(customerId)) : paths.myEmi(customerId)}
      wide
      // Under the thumb on a phone; on a desk where the eyes are.
      actions={
        isDesk
          ? buttons && <span className="mr-2 flex flex-row-reverse gap-2">{buttons}</span>
          : isStaff && <SearchButton />
      }
      footer={!isDesk && buttons}
    >
      <QueryView result={details}>{(found) => <Page details={found} />}</QueryView>
      <Collect customerId={isCollecting ? customerId : null} onClose={() => setCollecting(false)} />
      {data && <ClaimSheet open={isClaiming} onClose={() => setClaiming(false)} details={data} />}
    </Frame>
  );
}

const titleOf = (agreement: EmiDetails['agreement'], t: TFunction): string =>
  isErased(agreement) ? t('customers.erased') : `${agreement.first_name} ${agreement.last_name}`.trim();

function Page({ details }: { details: EmiDetails }) {
  const { t } = useTranslation();
  const isDesk = useAtLeast('desk');
  const isWhole = useWhole();
  if (!isDesk)
    return (
      <>
        <Now details={details} />
        {isWhole && <Parts details={details} />}
      </>
    );
  return (
    <div className="grid grid-cols-[repeat(2,minmax(0,1fr))] items-start gap-x-5 gap-y-3 @[60rem]:grid-cols-[18rem_minmax(0,1fr)] @[60rem]:grid-rows-[auto_1fr]">
      <div className="grid gap-3">
        <Now details={details} />
      </div>
      <div className="grid @[60rem]:col-start-1">
        <AgreementFacts agreement={details.agreement} />
      </div>
      <div className="col-span-2 grid grid-cols-[minmax(0,1fr)] gap-3 @[60rem]:col-span-1 @[60rem]:col-start-2 @[60rem]:row-span-2 @[60rem]:row-start-1">
        <Schedule rows={details.instalments} customerId={details.agreement.customer_id} />
        <SectionTitle>{t('emi.payments')}</SectionTitle>
        <PaymentList details={details} />
      </div>
    </div>
  );
}

/** How it stands, and what waits for an answer. */
function Now({ details }: { details: EmiDetails }) {
  const { t } = useTranslation();
  const [isPenalties, setPenalties] = useState(false);
  const { isStaff } = useAccess();
  return (
    <>
      {isStaff && <Waiting details={details} />}
      <QueuedPayments customerId={details.agreement.customer_id} />
      <Standing details={details} />
      {isStaff && (details.charges.length > 0 || details.chargeable !== null) && (
        <>
          <Button tone="plain" icon="clock" onClick={() => setPenalties(true)}>
            {t('penalty.title')}
          </Button>
          <PenaltySheet open={isPenalties} onClose={() => setPenalties(false)} details={details} />
        </>
      )}
    </>
  );
}

/** Schedule, payments and terms, one at a time. */
function Parts({ details }: { details: EmiDetails }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('schedule');
  return (
    <Tabs
      label={t('emi.title')}
      tabs={[
        { id: 'schedule', label: t('emi.schedule') },
        { id: 'payments', label: t('emi.payments'), count: details.payments.length },
        { id: 'agreement', label: t('emi.agreement') },
      ]}
      at={tab}
      onChange={setTab}
    >
      {tab === 'schedule' && <Schedule rows={details.instalments} customerId={details.agreement.customer_id} />}
      {tab === 'payments' && <PaymentList details={details} />}
      {tab === 'agreement' && <AgreementFacts agreement={details.agreement} />}
    </Tabs>
  );
}
