import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DisputeView } from '@kist/contract/disputes';
import { LIMITS } from '@kist/contract/limits';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

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
function WordsForm({ about, hint, label, least, isBusy, send, onDone, children }: Words & { children?: ReactNode }) {
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

interface OfOne {
  customerId: string;
  dispute: DisputeView;
  onDone: () => void;
}

/** The shop's answer, which the customer reads and may take further. */
export function AnswerForm({ customerId, dispute, onDone }: OfOne) {
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
  return <WordsForm about={`answer/${customerId}/${dispute.dispute_id}`} {...words} isBusy={isBusy} send={send} onDone={onDone} />;
}

/** The customer does not agree with the shop: somebody above it looks. */
export function FurtherForm({ customerId, dispute, onDone }: OfOne) {
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
  return <WordsForm about={`further/${customerId}/${dispute.dispute_id}`} {...words} isBusy={isBusy} send={send} onDone={onDone} />;
}

/** Which EMI is wrong, and what about it. What a customer says is heard however short it is. */
export function OpenForm({ customerId, onDone }: { customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { isStaff } = useAccess();
  const problem = useProblem();
  const { data: details } = useRead('getEmiDetails', { body: { customer_id: customerId } });
  const about = `dispute/${customerId}`;
  const [{ chosen }, type] = useTyped<{ chosen: string }>(about);
  const [open, { isBusy }] = useWrite('openDispute', PHONE_READS);
  const rows = details?.instalments ?? [];
  const meant = chosen ?? rows.find((row) => row.left_paise > 0)?.instalment_id;
  const send = async (text: string) => {
    const { error } = await open({
      body: { customer_id: customerId, text, ...(meant !== undefined && { instalment_id: meant }) },
    });
    if (error) problem(error);
    else toast.ok(t('dispute.opened'));
    return !error;
  };
  const words = { hint: t('dispute.hint'), label: t(isStaff ? 'dispute.text' : 'dispute.text_own'), least: 1 };
  return (
    <WordsForm about={about} {...words} isBusy={isBusy} send={send} onDone={onDone}>
      {rows.length > 0 && (
        <SelectField
          label={t('dispute.which')}
          value={meant ?? ''}
          onChange={(event) => type({ chosen: event.target.value })}
          options={rows.map((row) => ({
            value: row.instalment_id,
            label: [row.place, formatDate(row.due_on), formatMoney(row.total_paise)].join(' · '),
          }))}
        />
      )}
    </WordsForm>
  );
}
