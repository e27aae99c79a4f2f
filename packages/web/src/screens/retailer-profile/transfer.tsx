import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { ReceiverField } from './receiver-field.tsx';
import { SHOP_READS } from './standing.tsx';

/** All customers of a shop pass to another one: who it is, why, and how many go before anything goes. */
export function Transfer({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (!shop.figures?.customers) return null;
  return (
    <>
      <Button tone="plain" icon="people" onClick={() => setAsking(true)}>
        {t('retailers.pass_on')}
      </Button>
      {isAsking && <Form shop={shop} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Counts first; then moves, part by part, until nobody is left. */
function useTransfer(shop: RetailerProfile, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [counted, setCounted] = useState<{ to: string; moved: number; agreements: number }>();
  const [moved, setMoved] = useState(0);
  const [isMoving, setMoving] = useState(false);
  const [ask, { isBusy }] = useWrite('transferCustomers', []);
  const [move] = useWrite('transferCustomers', [...SHOP_READS, 'listCustomers', 'getDashboard']);
  const bodyOf = (to: string, reason: string) => ({ from_user_id: shop.user_id, to_user_id: to, reason });
  const count = async (to: string, reason: string) => {
    const { data, error } = await ask({ body: { ...bodyOf(to, reason), dry_run: true } });
    if (error) problem(error);
    else setCounted({ to, moved: data.moved, agreements: data.agreements });
  };
  const send = async (to: string, reason: string) => {
    setMoving(true);
    for (let left = 1, sum = 0; left > 0;) {
      const { data, error } = await move({ body: bodyOf(to, reason) });
      if (error) {
        setMoving(false);
        return problem(error);
      }
      sum += data.moved;
      setMoved(sum);
      left = data.moved > 0 ? data.left : 0;
    }
    toast.ok(t('retailers.passed_on'));
    onDone();
  };
  return { counted, moved, count, send, isBusy: isBusy || isMoving };
}

/** What is asked: to whom, and why. */
function useAsked() {
  const { t } = useTranslation();
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<{ to?: string; reason?: string }>({});
  const lead = useFirstWrong();
  const isWhole = () => {
    const missing = {
      ...(to === '' && { to: t('field.required') }),
      ...(reason.trim().length < LIMITS.reasonLengthMin && { reason: t('field.required') }),
    };
    setWrong(missing);
    if (Object.keys(missing).length === 0) return true;
    lead();
    return false;
  };
  return { to, setTo, reason, setReason, wrong, isWhole };
}

function Form({ shop, onClose }: { shop: RetailerProfile; onClose: () => void }) {
  const { t } = useTranslation();
  const asked = useAsked();
  const { to, reason } = asked;
  const transfer = useTransfer(shop, onClose);
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
          <p>{t('retailers.pass_on_body')}</p>
          <Fields shop={shop} asked={asked} isBusy={transfer.isBusy} />
          <Told transfer={transfer} isCounted={isCounted} />
        </div>
      }
      confirmLabel={t(isCounted ? 'retailers.pass_now' : 'retailers.pass_count')}
      danger={isCounted}
      busy={transfer.isBusy}
      onConfirm={go}
    />
  );
}

function Fields(props: { shop: RetailerProfile; asked: ReturnType<typeof useAsked>; isBusy: boolean }) {
  const { t } = useTranslation();
  const { to, setTo, reason, setReason, wrong } = props.asked;
  return (
    <>
      <ReceiverField shop={props.shop} value={to} error={wrong.to} disabled={props.isBusy} onValue={setTo} />
      <TextArea
        label={t('retailers.reason')}
        value={reason}
        error={wrong.reason}
        maxLength={LIMITS.noteLength}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </>
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
