import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import type { RetailerProfile } from '@kist/contract/people';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { StateView } from '#web/ui/state-view.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** Reads that a change of a shop makes old. */
export const SHOP_READS: readonly CallName[] = ['getRetailerProfile', 'listUsers', 'getUserDetails'];

/** Whether the shop may log in; suspending asks for the reason, which stays. */
export function Standing({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [isAsking, setAsking] = useState(false);
  const [activate, { isBusy }] = useWrite('activateUser', SHOP_READS);
  const letIn = async () => {
    const { error } = await activate({ body: { user_id: shop.user_id } });
    if (error) return problem(error);
    toast.ok(t('retailers.activated'));
  };
  if (shop.is_active)
    return (
      <>
        <Button tone="plain" icon="lock" onClick={() => setAsking(true)}>
          {t('retailers.suspend')}
        </Button>
        <Suspend shop={shop} open={isAsking} onClose={() => setAsking(false)} />
      </>
    );
  return (
    <StateView kind="no_permission" title={t('retailers.suspended')} body={shop.suspend_reason ?? ''}>
      <Button icon="unlock" busy={isBusy} onClick={() => void letIn()}>
        {t('retailers.activate')}
      </Button>
    </StateView>
  );
}

function Suspend({ shop, open, onClose }: { shop: RetailerProfile; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState('');
  const lead = useFirstWrong();
  const [suspend, { isBusy }] = useWrite('suspendUser', SHOP_READS);
  const send = async () => {
    const fault = reasonFault(reason, t);
    if (fault) {
      setWrong(fault);
      return lead();
    }
    const { error } = await suspend({ body: { user_id: shop.user_id, reason: reason.trim() } });
    if (error) return problem(error);
    onClose();
    toast.ok(t('retailers.suspended'));
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('retailers.suspend_ask', { shop: shop.shop_name })}
      body={
        <div className="grid gap-4">
          <p>{t('retailers.suspend_body')}</p>
          <TextArea
            label={t('retailers.reason')}
            value={reason}
            error={wrong}
            maxLength={LIMITS.noteLength}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setWrong('');
            }}
          />
        </div>
      }
      confirmLabel={t('retailers.suspend')}
      danger
      busy={isBusy}
      onConfirm={() => void send()}
    />
  );
}
