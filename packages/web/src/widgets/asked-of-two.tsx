import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Verdict } from '@kist/contract/lock-policy';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { useRuleText } from './rule-text.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

interface Asked {
  is_own: boolean;
  may_agree: boolean;
  ends_at: string | null;
}

interface Answering {
  asked: Asked;
  /** Which it is, among others of its kind: said of the card, and once more before a phone is locked. */
  about?: string;
  isBusy: boolean;
  onDecide: (isAgreed: boolean, note?: string) => void;
  /** What yes and no are called where they give up money; absent: of a lock. */
  money?: { yes: string; no: string };
}

/** What waits for a second person: their yes, which is asked once more where it locks, or their no with the reason if they like; who asked can only think better of it. */
export function AskedOfTwo({ title, children, ...answering }: Answering & { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const { asked, money, about } = answering;
  return (
    <Card className="grid gap-3" aria-label={[title, about].filter(Boolean).join(' · ')}>
      <Chip tone="due" icon={money ? 'rupee' : 'lock'}>
        {title}
      </Chip>
      {children}
      <p className="text-sm text-ink-2">
        {asked.is_own && `${t('override.own')} `}
        {asked.ends_at !== null && t('override.until', { at: formatDateTime(asked.ends_at) })}
      </p>
      {(money !== undefined || can.lock) && (asked.is_own || asked.may_agree) && <Answer {...answering} />}
    </Card>
  );
}

function Answer({ asked: { may_agree }, about, isBusy, onDecide, money }: Answering) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const [isAsking, setAsking] = useState(false);
  const agree = () => {
    setAsking(false);
    onDecide(true);
  };
  return (
    <>
      {may_agree && (
        <TextField
          label={t('override.why_not')}
          optional={t('common.optional')}
          maxLength={LIMITS.refusalNoteLength}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" busy={isBusy} onClick={() => onDecide(false, note.trim() || undefined)}>
          {money?.no ?? t('override.refuse')}
        </Button>
        {may_agree && (
          <Button
            tone={money ? 'accent' : 'danger'}
            icon={money ? 'rupee' : 'lock'}
            busy={isBusy}
            onClick={() => (money ? agree() : setAsking(true))}
          >
            {money?.yes ?? t('override.agree')}
          </Button>
        )}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('override.agree')}
        body={about}
        confirmLabel={t('override.agree')}
        danger
        onConfirm={agree}
      />
    </>
  );
}

/** A list of what waits, and all that a lock makes old. */
const READS: readonly CallName[] = [...PHONE_READS, 'listWaiting'];

/** The word on an override. What stands in the way of a yes is told by the rule, as it is where a lock is asked for. */
export function useOverrideDecision(ask_id: string) {
  const { t } = useTranslation();
  const problem = useProblem();
  const ruleText = useRuleText();
  const [send, { isBusy }] = useWrite('decideOverride', READS);
  const decide = async (is_agreed: boolean, note?: string) => {
    const { error } = await send({ body: { ask_id, is_agreed, ...(note !== undefined && { note }) } });
    const verdict = error?.code === 'POLICY_REFUSED' ? (error.details?.['verdict'] as Verdict | undefined) : undefined;
    if (verdict) return toast.info(ruleText(verdict.rule, verdict.explain));
    if (error) return problem(error);
    toast.ok(t(is_agreed ? 'lock.requested_lock' : 'override.refused'));
  };
  return [decide, isBusy] as const;
}
