import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { ReceiverField } from './receiver-field.tsx';

/** What is asked: to whom, and why. */
export function useAsked() {
  const { t } = useTranslation();
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<{ to?: string; reason?: string }>({});
  const lead = useFirstWrong();
  const isWhole = () => {
    const fault = reasonFault(reason, t);
    const missing = {
      ...(to === '' && { to: t('field.required') }),
      ...(fault !== undefined && { reason: fault }),
    };
    setWrong(missing);
    if (Object.keys(missing).length === 0) return true;
    lead();
    return false;
  };
  return { to, setTo, reason, setReason, wrong, isWhole };
}

/** The two fields of it. */
export function AskedFields(props: { shop: RetailerProfile; asked: ReturnType<typeof useAsked>; isBusy: boolean }) {
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
