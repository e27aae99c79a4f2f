import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DisputeView } from '@kist/contract/disputes';
import { LIMITS } from '@kist/contract/limits';
import { useWrite } from '#web/api/use-call.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

interface Words {
  /** By which what was typed is found again. */
  about: string;
  hint: string;
  label: string;
  least: number;
  isBusy: boolean;
  /** @returns whether it was taken */
  send(text: string): Promise<boolean>;
  onDone: () => void;
}

/** A few words and one button. @see AnswerForm, FurtherForm, OpenForm */
export function WordsForm({
  about,
  hint,
  label,
  least,
  isBusy,
  send,
  onDone,
  children,
}: Words & { children?: React.ReactNode }) {
  const { t } = useTranslation();
  const [{ text = '' }, type, forget] = useTyped<{ text: string }>(about);
  const [isShort, setShort] = useState(false);
  const lead = useFirstWrong();
  const run = async () => {
    if (text.trim().length < least) {
      setShort(true);
      return lead();
    }
    if (!(await send(text.trim()))) return;
    forget();
    onDone();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{hint}</p>
      {children}
      <TextArea
        label={label}
        value={text}
        onChange={(event) => type({ text: event.target.value })}
        maxLength={LIMITS.noteLength}
        error={isShort && text.trim().length < least ? t('field.required') : undefined}
      />
      <Button busy={isBusy} onClick={() => void run()}>
        {t('common.save')}
      </Button>
    </div>
  );
}

/** The shop's answer, which the customer reads and may take further. */
export function AnswerForm({ dispute, onDone }: { dispute: DisputeView; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [close, { isBusy }] = useWrite('closeDispute', PHONE_READS);
  const send = async (outcome: string) => {
    const { error } = await close({ body: { dispute_id: dispute.dispute_id, outcome } });
    if (error) problem(error);
    else toast.ok(t('dispute.closed'));
    return !error;
  };
  const words = { hint: t('dispute.answer_hint'), label: t('dispute.outcome'), least: LIMITS.reasonLengthMin };
  return <WordsForm about={`answer/${dispute.dispute_id}`} {...words} isBusy={isBusy} send={send} onDone={onDone} />;
}

/** The customer does not agree with the shop: somebody above it looks. */
export function FurtherForm({ dispute, onDone }: { dispute: DisputeView; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [escalate, { isBusy }] = useWrite('escalateDispute', PHONE_READS);
  const send = async (text: string) => {
    const { error } = await escalate({ body: { dispute_id: dispute.dispute_id, text } });
    if (error) problem(error);
    else toast.ok(t('dispute.sent_further'));
    return !error;
  };
  const words = { hint: t('dispute.further_hint'), label: t('dispute.further_text'), least: 1 };
  return <WordsForm about={`further/${dispute.dispute_id}`} {...words} isBusy={isBusy} send={send} onDone={onDone} />;
}
