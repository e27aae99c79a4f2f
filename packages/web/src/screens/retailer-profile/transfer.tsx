import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RetailerProfile } from '@kist/contract/people';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { useMe } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { AskedFields, useAsked } from './asked.tsx';
import { Choosing } from './choosing.tsx';
import { SHOP_READS } from './standing.tsx';

/** Customers of a shop pass to another one, all or those that are chosen: who it is, why, and how many go before anything goes. */
export function Transfer({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const [step, setStep] = useState<'all' | 'choose' | 'chosen'>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (!shop.figures?.customers) return null;
  const close = () => setStep(undefined);
  return (
    <>
      <Button tone="plain" icon="people" onClick={() => setStep('all')}>
        {t('retailers.pass_on')}
      </Button>
      {/* Who runs an organisation has no list of customers to choose from. */}
      {me?.user_type === 'retailer' && (
        <Button tone="plain" icon="check" onClick={() => setStep('choose')}>
          {t('retailers.pass_some')}
        </Button>
      )}
      {step === 'choose' && (
        <Choosing
          shop={shop}
          onClose={close}
          onChosen={(ids) => {
            setChosen(ids);
            setStep('chosen');
          }}
        />
      )}
      {step === 'all' && <Form shop={shop} onClose={close} />}
      {step === 'chosen' && <Form shop={shop} only={chosen} onClose={close} />}
    </>
  );
}

/** Counts first; then moves: those that were chosen at once, else part by part until nobody is left. */
function useTransfer(shop: RetailerProfile, only: readonly string[] | undefined, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [counted, setCounted] = useState<{ to: string; moved: number; agreements: number }>();
  const [moved, setMoved] = useState(0);
  const [isMoving, setMoving] = useState(false);
  const [ask, { isBusy }] = useWrite('transferCustomers', []);
  const [move] = useWrite('transferCustomers', [...SHOP_READS, 'listCustomers', 'getDashboard']);
  const bodyOf = (to: string, reason: string) => ({
    from_user_id: shop.user_id,
    to_user_id: to,
    reason,
    ...(only && { customer_ids: [...only] }),
  });
  const count = async (to: string, reason: string) => {
    const { data, error } = await ask({ body: { ...bodyOf(to, reason), dry_run: true } });
    if (error) problem(error);
    else setCounted({ to, moved: data.moved, agreements: data.agreements });
  };
  const send = async (to: string, reason: string) => {
    setMoving(true);
    let sum = 0;
    for (let left = 1; left > 0;) {
      const { data, error } = await move({ body: bodyOf(to, reason) });
      if (error) {
        setMoving(false);
        return problem(error);
      }
      sum += data.moved;
      setMoved(sum);
      left = data.moved > 0 ? data.left : 0;
    }
    toast.ok(t('retailers.passed_on', { count: sum }));
    onDone();
  };
  return { counted, moved, count, send, isBusy: isBusy || isMoving };
}

function Form({ shop, only, onClose }: { shop: RetailerProfile; only?: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const asked = useAsked();
  const { to, reason } = asked;
  const transfer = useTransfer(shop, only, onClose);
  const isCounted = transfer.counted?.to === to;
  const go = () => {
    if (asked.isWhole()) void (isCounted ? transfer.send : transfer.count)(to, reason.trim());
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('retailers.pass_on')}
      body={
        <div className="grid gap-4">
          <p>{t(only ? 'retailers.pass_some_body' : 'retailers.pass_on_body')}</p>
          <AskedFields shop={shop} asked={asked} isBusy={transfer.isBusy} />
          <Told transfer={transfer} isCounted={isCounted} />
        </div>
      }
      confirmLabel={t(isCounted ? (only ? 'retailers.pass_these' : 'retailers.pass_now') : 'retailers.pass_count')}
      danger={isCounted}
      busy={transfer.isBusy}
      onConfirm={go}
    />
  );
}

/** How many would go, and how many have gone. */
function Told({ transfer, isCounted }: { transfer: ReturnType<typeof useTransfer>; isCounted: boolean }) {
  const { t } = useTranslation();
  const { counted, moved } = transfer;
  const words = [
    ...(isCounted && counted
      ? [t('dashboard.customers', { count: counted.moved }), t('retailers.agreements', { count: counted.agreements })]
      : []),
    ...(moved > 0 ? [t('retailers.passed_so_far', { count: moved })] : []),
  ];
  return (
    <p role="status" className="font-semibold text-ink">
      {words.join(' · ')}
    </p>
  );
}
