import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import type { CallInput } from '#web/api/calls.ts';
import { useWrite } from '#web/api/use-call.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { reasonFault } from './reason-fault.ts';
import { useProblem } from './use-problem.ts';

/**
 * A write about somebody's phone whose outcome is said: what went wrong, or that it was taken.
 * @param done what is said when it was
 * @returns a function that answers whether it was, and whether it is under way
 */
export function useTold<Name extends CallName>(name: Name, done: string) {
  const problem = useProblem();
  const [send, { isBusy }] = useWrite(name, PHONE_READS);
  const tell = async (input: CallInput<Name>): Promise<boolean> => {
    const { error } = await send(input);
    if (error) problem(error);
    else toast.ok(done);
    return !error;
  };
  return [tell, { isBusy }] as const;
}

interface Words {
  /** By which what was typed is found again. */
  about: string;
  hint: string;
  label: string;
  least: number;
  /** What the button says. */
  button?: string;
  isBusy: boolean;
  /** @returns whether it was taken */
  send(text: string): Promise<boolean>;
  onDone: () => void;
  /** What else is asked. */
  children?: ReactNode;
}

/** A few words and one button. */
export function WordsForm({ about, hint, label, least, button, isBusy, send, onDone, children }: Words) {
  const { t } = useTranslation();
  const [{ text = '' }, type, forget] = useTyped<{ text: string }>(about);
  const [isShort, setShort] = useState(false);
  const lead = useFirstWrong();
  const fault = reasonFault(text, t, least);
  const run = async () => {
    if (fault) {
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
        error={isShort ? fault : undefined}
      />
      <Button busy={isBusy} onClick={() => void run()}>
        {button ?? t('common.save')}
      </Button>
    </div>
  );
}
