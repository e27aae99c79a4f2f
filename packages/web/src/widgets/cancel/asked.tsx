import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CancellationPreview } from '@kist/contract/cancelling';
import type { CustomerProfile } from '@kist/contract/customers';
import { WAITING_DISPUTES } from '@kist/contract/dispute-states';
import { LIMITS } from '@kist/contract/limits';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { useRunningHolds } from '#web/widgets/running-holds.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** What cancelling does first, then why it is done. */
export function Asked({ profile, onDone }: { profile: CustomerProfile; onDone: () => void }) {
  const { customer_id } = profile.customer;
  const said = useRead('previewCancellation', { query: { customer_id } });
  return <QueryView result={said}>{(found) => <Ask profile={profile} said={found} onDone={onDone} />}</QueryView>;
}

/** What cancelling does, a line for each thing that it does it to. */
function consequences(
  said: CancellationPreview,
  profile: CustomerProfile,
  isHeld: boolean,
): [IconName, string, number?][] {
  const { device, disputes } = profile;
  const isMore = disputes.some(({ state }) => WAITING_DISPUTES.includes(state)) || isHeld;
  const isGone = device === null || device.released_at !== null;
  return [
    ['close', 'cancel.owed', said.given_up_paise],
    ['rupee', said.refund_paise > 0 ? 'cancel.back' : 'cancel.nothing', said.refund_paise],
    ['phone', isGone ? 'cancel.phone_gone' : device.enrolled_at ? 'cancel.phone_set' : 'cancel.phone_new'],
    ['key', `cancel.key_${said.key}`],
    ...(isMore ? [['flag', 'cancel.rest'] satisfies [IconName, string]] : []),
  ];
}

function Consequences({ said, profile }: { said: CancellationPreview; profile: CustomerProfile }) {
  const { t } = useTranslation();
  const isHeld = useRunningHolds(profile.lock_timeline).length > 0;
  return (
    <ul className="grid gap-2">
      {consequences(said, profile, isHeld).map(([icon, key, paise]) => (
        <li key={icon} className="flex items-start gap-2">
          <Icon name={icon} size={18} className="mt-0.5 text-ink-2" />
          <span>{t(key, paise === undefined ? {} : { amount: formatMoney(paise) })}</span>
        </li>
      ))}
    </ul>
  );
}

function Ask({ profile, said, onDone }: { profile: CustomerProfile; said: CancellationPreview; onDone: () => void }) {
  const { customer_id } = profile.customer;
  const { t } = useTranslation();
  const problem = useProblem();
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const lead = useFirstWrong();
  const [send, { isBusy }] = useWrite('cancelAgreement', [...MONEY_READS, 'getKeys', 'listPlans', 'listRefunds']);
  const fault = reasonFault(reason, t);
  const cancel = async () => {
    setAsked(true);
    if (fault) return lead();
    const { error } = await send({ body: { customer_id, reason: reason.trim() } });
    if (error) return problem(error);
    toast.ok(t('cancel.done', { no: said.agreement_no }));
    onDone();
  };
  return (
    <div className="grid gap-3">
      {said.refused ? (
        <p>{t('exchange.held')}</p>
      ) : (
        <>
          <p>{t('cancel.intro', { no: said.agreement_no })}</p>
          <Consequences said={said} profile={profile} />
        </>
      )}
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isAsked ? fault : undefined}
      />
      <Button tone="danger" busy={isBusy} disabled={said.refused !== null} onClick={() => void cancel()}>
        {t('cancel.title')}
      </Button>
    </div>
  );
}
