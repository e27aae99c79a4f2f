import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { LockReason, Verdict } from '@kist/contract/lock-policy';
import { api } from '#web/api/api.ts';
import { errorText } from '#web/api/error-text.ts';
import { type ApiError, isNotOffered } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { tick } from '#web/native/haptics.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { useRuleText } from '#web/widgets/rule-text.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** A theft has a sheet of its own: the customer's OTP, not the right to lock. */
const REASONS: readonly LockReason[] = ['EMI_OVERDUE', 'CUSTOMER_REQUEST', 'ENROLMENT_TEST', 'ORG_OVERRIDE'];

interface Asking {
  onClose: () => void;
  customerId: string;
  /** Whether the rules of the agreement know the company's decision. */
  mayOverride: boolean;
}

/** Before anything is ordered the gate says whether it is lawful now, and if not, which rule stands in the way and until when. */
export function LockSheet(props: Asking & { open: boolean }) {
  const { t } = useTranslation();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('lock.lock_title')}>
      {props.open && <Form {...props} />}
    </Sheet>
  );
}

function Form({ customerId, mayOverride, onClose: onDone }: Asking) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<LockReason>('EMI_OVERDUE');
  const [note, setNote] = useState('');
  const { setVerdict, ...asked } = useVerdict(customerId, reason, note.trim());
  const { verdict } = asked;
  const body = { customer_id: customerId, reason, ...(note.trim() && { note: note.trim() }) };
  const [lock, isBusy] = useLock(body, onDone, setVerdict);
  const lacksSecond = verdict?.rule === 'OVERRIDE_NEEDS_SECOND';
  return (
    <div className="grid gap-3">
      <SelectField
        label={t('lock.reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value as LockReason)}
        options={REASONS.filter((value) => mayOverride || value !== 'ORG_OVERRIDE').map((value) => ({
          value,
          label: t(`lock.reason_${value}`),
        }))}
      />
      {reason === 'ORG_OVERRIDE' && (
        <TextArea
          label={t('lock.note')}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          maxLength={LIMITS.noteLength}
        />
      )}
      <Answer {...asked} />
      <p className="text-sm text-ink-2">{t('lock.stays_on')}</p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        <Button
          tone="danger"
          icon="lock"
          busy={isBusy}
          disabled={!verdict?.allowed && !lacksSecond}
          onClick={() => void lock()}
        >
          {t(lacksSecond ? 'override.ask' : 'lock.lock')}
        </Button>
      </div>
    </div>
  );
}

/** The order itself. One that lacks nothing but a second person asks for one by it: the server keeps it, and refuses it until another agrees. */
function useLock(
  body: { customer_id: string; reason: LockReason; note?: string },
  onDone: () => void,
  onRefused: (verdict: Verdict) => void,
) {
  const { t } = useTranslation();
  const problem = useProblem();
  const dispatch = useAppDispatch();
  const [send, { isBusy }] = useWrite('sendCommand', PHONE_READS);
  const lock = async () => {
    const { error } = await send({ params: { command: 'lock' }, body });
    const verdict = error?.code === 'POLICY_REFUSED' ? (error.details?.['verdict'] as Verdict | undefined) : undefined;
    if (verdict && verdict.rule !== 'OVERRIDE_NEEDS_SECOND') return onRefused(verdict);
    if (verdict) {
      dispatch(api.util.invalidateTags(['getCustomerProfile']));
      toast.info(t('override.told'));
      return onDone();
    }
    if (error) return problem(error);
    tick();
    toast.ok(t('lock.requested_lock'));
    onDone();
  };
  return [lock, isBusy] as const;
}

/**
 * Asks the gate whenever the question changes; a text is asked about when the fingers rest. An answer stands for its own question only. Where none came it is
 * said, and asked again when the network is back or somebody presses.
 */
function useVerdict(customerId: string, reason: LockReason, note: string) {
  const { t } = useTranslation();
  const { isOnline } = useSyncState();
  const [tries, setTries] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const question = JSON.stringify([customerId, reason, note]);
  const [answer, setAnswer] = useState<{ question: string; verdict: Verdict } | null>(null);
  const [ask] = useWrite('previewCommand');
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      const { data, error } = await ask({
        params: { command: 'lock' },
        body: { customer_id: customerId, reason, ...(note && { note }) },
      });
      if (!isCurrent) return;
      // What the shop may not ask at all is said where the answer would stand; a spinner there would wait for ever.
      setRefusal(error && isNotOffered(error) ? errorText(error, t) : null);
      setFailure(error && !isNotOffered(error) ? error : null);
      if (data) setAnswer({ question, verdict: data.verdict });
    };
    const timer = setTimeout(() => void run(), note ? 400 : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [ask, customerId, reason, note, question, t, isOnline, tries]);
  const setVerdict = (verdict: Verdict) => setAnswer({ question, verdict });
  const askAgain = () => {
    setFailure(null);
    setTries(tries + 1);
  };
  const verdict = answer?.question === question ? answer.verdict : null;
  return { verdict, refusal, failure, askAgain, setVerdict };
}

/** What the gate says, or why there is nothing to be told yet. */
function Answer({ verdict, refusal, failure, askAgain }: Omit<ReturnType<typeof useVerdict>, 'setVerdict'>) {
  if (failure) return <ProblemView error={failure} onRetry={askAgain} />;
  return refusal === null ? <VerdictView verdict={verdict} /> : <NotOffered why={refusal} />;
}

const NotOffered = ({ why }: { why: string }) => (
  <p role="alert" className="flex items-center gap-3 rounded-lg bg-over-soft p-3 text-over">
    <Icon name="shield" size={18} />
    {why}
  </p>
);

function VerdictView({ verdict }: { verdict: Verdict | null }) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  if (!verdict) return <Spinner label={t('common.loading')} />;
  if (verdict.allowed)
    return (
      <p role="status" className="flex items-center gap-3 rounded-lg bg-ok-soft p-3 text-ok">
        <Icon name="check" />
        {ruleText(verdict.rule, verdict.explain)}
      </p>
    );
  return (
    <div role="status" className="grid gap-1.5 rounded-lg bg-over-soft p-3 text-over" data-rule={verdict.rule}>
      <b className="flex items-center gap-2">
        <Icon name="shield" size={18} />
        {t('lock.refused')}
      </b>
      <span>{ruleText(verdict.rule, verdict.explain)}</span>
      {verdict.reached_at && (
        <span className="font-semibold">{t('lock.possible_from', { at: formatDateTime(verdict.reached_at) })}</span>
      )}
    </div>
  );
}
