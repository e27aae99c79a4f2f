import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallName } from '@kist/contract/paths';
import type { Waiting } from '@kist/contract/waiting';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { telUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/card.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { AskedOfTwo, useNotTaken, useOverrideDecision } from './asked-of-two.tsx';
import { MONEY_READS } from './money-reads.ts';
import { QueryView } from './query-view.tsx';

const PAGE_SIZE = 50;
const BATCH_READS: readonly CallName[] = ['listWaiting', 'getDashboard'];
const FEE_READS: readonly CallName[] = [...MONEY_READS, 'listWaiting'];

/** What one person asked for and another has to agree to, of one customer or of many: read and decided here. */
export function WaitingList() {
  const { t } = useTranslation();
  const [pages, setPages] = useState(1);
  const first = useRead('listWaiting', { query: { page: 1, page_size: PAGE_SIZE } });
  return (
    <QueryView result={first}>
      {({ list, total }) =>
        total === 0 ? (
          <StateView kind="done" title={t('waiting.none')} body={t('waiting.none_body')} />
        ) : (
          <>
            <p className="text-ink-2">{t('waiting.intro')}</p>
            <Cards list={list} />
            {Array.from({ length: pages - 1 }, (_, at) => (
              <Further key={at} page={at + 2} />
            ))}
            {pages * PAGE_SIZE < total && (
              <Button tone="quiet" onClick={() => setPages(pages + 1)}>
                {t('customers.more')}
              </Button>
            )}
          </>
        )
      }
    </QueryView>
  );
}

function Further({ page }: { page: number }) {
  const more = useRead('listWaiting', { query: { page, page_size: PAGE_SIZE } });
  return <QueryView result={more}>{({ list }) => <Cards list={list} />}</QueryView>;
}

const CARDS: Record<Waiting['kind'], (props: { one: Waiting }) => ReactNode> = {
  override: One,
  batch: Many,
  waiver: Fee,
};
const Cards = ({ list }: { list: readonly Waiting[] }) =>
  list.map((one) => {
    const Of = CARDS[one.kind];
    return <Of key={one.id} one={one} />;
  });

/** A reason is kept by whom it is about, so that it goes with them. */
const nameOf = ({ customer_id, id }: Waiting): string => ['answer', customer_id, id].filter(Boolean).join('/');

/** Which agreement it is, on what phone and how late; whoever sees no customer needs it to say anything but no. */
const aboutOf = ({ agreement_no, phone, shop }: Waiting): string =>
  [agreement_no, phone, shop].filter(Boolean).join(' · ');

function Which({ one }: { one: Waiting }) {
  const { t } = useTranslation();
  if (!one.agreement_no) return null;
  return (
    <Facts
      items={[
        { label: t('emi.no'), value: one.agreement_no },
        { label: t('emi.phone'), value: one.phone },
        { label: t('customers.late', { count: one.days_past_due }), value: formatMoney(one.overdue_paise) },
      ]}
    />
  );
}

/** Whose it is; where the customer is shown, the way there. Who would rather ask first calls the shop. */
function Whose({ one, to }: { one: Waiting; to: (customerId: string) => string }) {
  const { t } = useTranslation();
  const whose = [one.customer_name, one.shop].filter(Boolean).join(' · ');
  if (one.customer_id)
    return (
      <ButtonLink tone="quiet" to={to(one.customer_id)}>
        {whose}
      </ButtonLink>
    );
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p>{whose}</p>
      {!one.is_own && one.shop_mobile && (
        <ButtonAnchor href={telUrl(one.shop_mobile)} icon="call">
          {t('common.call')}
        </ButtonAnchor>
      )}
    </div>
  );
}

/** A lock by the company's decision. */
function One({ one }: { one: Waiting }) {
  const { t } = useTranslation();
  const [decide, isBusy] = useOverrideDecision(one.id);
  return (
    <AskedOfTwo
      title={t('lock.reason_ORG_OVERRIDE')}
      about={aboutOf(one)}
      asked={one}
      isBusy={isBusy}
      name={nameOf(one)}
      onDecide={decide}
    >
      <p>{t('override.asked_by', { name: one.asked_by, reason: one.note })}</p>
      <Which one={one} />
      <Whose one={one} to={paths.customerDetails} />
    </AskedOfTwo>
  );
}

/** A lock of more phones than the hour has room for. */
function Many({ one }: { one: Waiting }) {
  const { t } = useTranslation();
  const notTaken = useNotTaken(BATCH_READS);
  const [send, { isBusy }] = useWrite('decideBatch', BATCH_READS);
  const decide = async (is_approved: boolean, note?: string): Promise<boolean> => {
    const body = { is_approved, ...(note !== undefined && { note }) };
    const { error } = await send({ params: { batch_id: one.id }, body });
    if (error) notTaken(error);
    else toast.ok(t(is_approved ? 'lock.requested_lock' : 'waiting.refused'));
    return error === undefined;
  };
  return (
    <AskedOfTwo
      title={t(`lock.reason_${one.reason ?? 'ORG_OVERRIDE'}`)}
      about={one.shop}
      asked={one}
      isBusy={isBusy}
      name={nameOf(one)}
      onDecide={decide}
    >
      <p>{t('waiting.asked_by', { name: one.asked_by, phones: one.phones })}</p>
      <Whose one={one} to={paths.customerDetails} />
    </AskedOfTwo>
  );
}

/** More of a late fee than one alone may give up. */
function Fee({ one }: { one: Waiting }) {
  const { t } = useTranslation();
  const notTaken = useNotTaken(FEE_READS);
  const [send, { isBusy }] = useWrite('decideWaiver', FEE_READS);
  const amount = formatMoney(one.amount_paise ?? 0);
  const decide = async (is_granted: boolean, note?: string): Promise<boolean> => {
    const { error } = await send({ body: { waiver_id: one.id, is_granted, ...(note !== undefined && { note }) } });
    if (error) notTaken(error);
    else toast.ok(is_granted ? t('penalty.waived', { amount }) : t('penalty.refused'));
    return error === undefined;
  };
  return (
    <AskedOfTwo
      title={t('penalty.waive')}
      about={aboutOf(one)}
      asked={one}
      isBusy={isBusy}
      money={{ yes: t('waiting.waive', { amount }), no: t('penalty.refuse') }}
      name={nameOf(one)}
      onDecide={decide}
    >
      <p>{t('penalty.asked_by', { amount, name: one.asked_by, reason: one.note })}</p>
      <Which one={one} />
      <Whose one={one} to={paths.viewEmiDetails} />
    </AskedOfTwo>
  );
}
