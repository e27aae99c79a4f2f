import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { unlockReasonFor } from '@kist/contract/unlock-reason';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockView } from '@kist/contract/customers';
import { useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { LockSheet } from './lock-sheet.tsx';

/**
 * Lock asks the gate first; unlock is always possible for who may.
 * @param isLockOffered whether section 6 offers a lock for this phone as it stands
 */
export function LockButton(props: {
  customerId: string;
  lock: LockView;
  isLockOffered: boolean;
  mayOverride: boolean;
}) {
  const { customerId, lock, isLockOffered, mayOverride } = props;
  const { t } = useTranslation();
  const problem = useProblem();
  const { can } = useAccess();
  const [asked, setAsked] = useState<'lock' | 'unlock' | null>(null);
  const [send, { isBusy }] = useWrite('sendCommand', PHONE_READS);
  // What holds a stolen phone is its owner's to lift.
  const unlockReason = unlockReasonFor(lock.cause);
  const isHeld = lock.lock_status === 1 || lock.desired_level >= LOCKED_FROM_LEVEL;
  const wanted = isHeld ? 'unlock' : 'lock';
  // A sheet that is open stays: it says what was refused, also when the word for it was taken away just now.
  if (asked === null && !(isHeld ? can.unlock && unlockReason !== null : can.lock && isLockOffered)) return null;
  const unlock = async () => {
    if (unlockReason === null) return setAsked(null);
    const { error } = await send({
      params: { command: 'unlock' },
      body: { customer_id: customerId, reason: unlockReason },
    });
    setAsked(null);
    if (error) return problem(error);
    tick();
    toast.ok(t('lock.requested_unlock'));
  };
  return (
    <>
      <Button tone="plain" icon={wanted} onClick={() => setAsked(wanted)}>
        {t(`lock.${wanted}`)}
      </Button>
      <Confirm
        open={asked === 'unlock'}
        onClose={() => setAsked(null)}
        title={t('lock.unlock_ask')}
        body={t(lock.cause === 'customer_request' ? 'lost.unlock_body' : 'lock.unlock_body')}
        confirmLabel={t('lock.unlock')}
        busy={isBusy}
        onConfirm={() => void unlock()}
      />
      <LockSheet
        open={asked === 'lock'}
        onClose={() => setAsked(null)}
        customerId={customerId}
        mayOverride={mayOverride}
      />
    </>
  );
}
