import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Verdict } from '@kist/contract/lock-policy';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { followGone } from '#web/ui/follow-focus.ts';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { reasonFault } from './reason-fault.ts';
import { useRuleText } from './rule-text.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';
import { WhyNot } from './why-not.tsx';

interface Asked {
  is_own: boolean;
  may_agree: boolean;
  ends_at: string | null;
}

interface Answering {
  asked: Asked;
  /** Which it is, among others of its kind: said of the card, and once more before a phone is locked. */
  about?: string;
  /** Under what the reason for a no is kept until it is sent: with the customer in it, by whom it goes. */
  name: string;
  isBusy: boolean;
  /** @returns whether the word was taken. */
  onDecide: (isAgreed: boolean, note?: string) => Promise<boolean>;
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

function Answer({ asked: { may_agree }, about, name, isBusy, onDecide, money }: Answering) {
  const { t } = useTranslation();
  const [{ note = '' }, type, forget] = useTyped<{ note: string }>(name);
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const lead = useFirstWrong();
  // Nothing is a reason to give; a letter or two is none.
  const fault = note.trim() === '' ? undefined : reasonFault(note, t);
  const decide = async (isAgreed: boolean) => {
    // A sheet follows by itself.
    if (!isAsking) followGone();
    setAsking(false);
    if (await onDecide(isAgreed, isAgreed ? undefined : note.trim() || undefined)) forget();
  };
  const refuse = () => {
    setTried(true);
    if (may_agree && fault) return lead();
    void decide(false);
  };
  return (
    <>
      {may_agree && (
        <WhyNot note={note} onNote={(typed) => type({ note: typed })} error={isTried ? fault : undefined} />
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" busy={isBusy} onClick={refuse}>
          {money?.no ?? t('override.refuse')}
        </Button>
        {may_agree && (
          <Button
            tone={money ? 'accent' : 'danger'}
            icon={money ? 'rupee' : 'lock'}
            busy={isBusy}
            onClick={() => (money ? void decide(true) : setAsking(true))}
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
        onConfirm={() => void decide(true)}
      />
    </>
  );
}

/** @returns what to say of a word that was not taken. Where somebody was quicker, what waits is read again: its card goes. @param reads what shows it */
export function useNotTaken(reads: readonly CallName[]): (error: ApiError) => void {
  const { t } = useTranslation();
  const problem = useProblem();
  const dispatch = useAppDispatch();
  return (error) => {
    if (error.code !== 'STATE_CONFLICT') return problem(error);
    dispatch(api.util.invalidateTags([...reads]));
    toast.info(t('override.answered'));
  };
}

/** A list of what waits, and all that a lock makes old. */
const READS: readonly CallName[] = [...PHONE_READS, 'listWaiting'];

/** The word on an override; whether it was taken. What stands in the way of a yes is told by the rule, as it is where a lock is asked for. */
export function useOverrideDecision(ask_id: string) {
  const { t } = useTranslation();
  const notTaken = useNotTaken(READS);
  const ruleText = useRuleText();
  const [send, { isBusy }] = useWrite('decideOverride', READS);
  const decide = async (is_agreed: boolean, note?: string): Promise<boolean> => {
    const { error } = await send({ body: { ask_id, is_agreed, ...(note !== undefined && { note }) } });
    const verdict = error?.code === 'POLICY_REFUSED' ? (error.details?.['verdict'] as Verdict | undefined) : undefined;
    if (verdict) toast.info(ruleText(verdict.rule, verdict.explain));
    else if (error) notTaken(error);
    else toast.ok(t(is_agreed ? 'lock.requested_lock' : 'override.refused'));
    return error === undefined;
  };
  return [decide, isBusy] as const;
}
