import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { paths } from '#web/paths.ts';
import { mayKeepOnDisk } from '#web/state/storage.ts';
import { Stepper } from '#web/ui/bars.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { Drawing } from '#web/widgets/drawing.ts';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { ConsentStep } from './consent-step.tsx';
import { DeviceStep } from './device-step.tsx';
import type { OpenedForm } from './draft.ts';
import { EmiFigure } from './emi-preview.tsx';
import { EmiStep } from './emi-step.tsx';
import { STEPS, STEPS_SHOWN, type Problems, type Step } from './fields.ts';
import { IdentityStep } from './identity-step.tsx';
import { isOffSale, keysLeft, PlanStep, usePlans } from './plan-step.tsx';
import { problemsOf, reachable } from './rules.ts';
import { ResumeBar } from './resume-bar.tsx';
import { useForm } from './use-form.ts';
import type { SaveState } from './use-server-draft.ts';
import { usePreview } from './use-preview.ts';
import { useSubmit } from './use-submit.ts';

/** The form, step by step. The step lives in the history: the phone's back button goes one step back. */
export function Flow(props: {
  opened: OpenedForm;
  slot: string;
  isResumed: boolean;
  wantedStep: Step;
  goTo: (step: Step, isBack?: boolean) => void;
  onStartNew: (() => void) | undefined;
}) {
  const { opened, slot, isResumed, wantedStep, goTo, onStartNew } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const onRefused = useCallback(
    (error: ApiError) => {
      if (error.code === 'STATE_CONFLICT' && opened.customerId)
        return void navigate(paths.customerNavigate(opened.customerId), { replace: true });
      if (error.code !== 'SESSION_REQUIRED') toast.error(errorText(error, t));
    },
    [navigate, opened.customerId, t],
  );
  // Which step may be open depends on the values, and saving on the step: the values of the render before decide, one key late at most.
  const [reached, setReached] = useState<Step>(() => reachable(wantedStep, opened.values));
  const form = useForm(opened, slot, reached, onRefused);
  const step = reachable(wantedStep, form.values);
  if (step !== reached) setReached(step);

  const plans = usePlans();
  const preview = usePreview(form.values);
  const [drawing] = useState(() => new Drawing());
  const [isUnsigned, setUnsigned] = useState(true);
  const { submit, isBusy } = useSubmit(form, goTo);
  const left = keysLeft(plans.latest, form.values.plan_id);
  const [isBarShown, setBarShown] = useState(isResumed);
  const [isLosing, setLosing] = useState(false);
  const title = t(`add.step_${step}`);
  const place = STEPS.indexOf(step);
  const before = STEPS[place - 1];

  const show = (problems: Problems) =>
    form.complain(Object.fromEntries(Object.entries(problems).map(([name, key]) => [name, t(key)])));
  const problemsHere = (): Problems => {
    const problems = problemsOf(step, form.values);
    if (step === 'plan' && isOffSale(plans.latest, form.values.plan_id))
      return { ...problems, plan_id: 'errors.PLAN_NOT_ON_SALE' };
    if (step === 'plan' && left === 0) return { ...problems, plan_id: 'errors.INSUFFICIENT_KEYS' };
    if (step === 'consent' && form.values['consent.method'] !== 'typed' && isUnsigned)
      return { ...problems, 'consent.method': 'consent.sign_first' };
    return problems;
  };
  const startNew = async (open: () => void) => {
    if (await form.setAside()) open();
    else setLosing(true);
  };
  const proceed = () => {
    const problems = problemsHere();
    if (Object.keys(problems).length > 0) return show(problems);
    setBarShown(false);
    const next = STEPS[place + 1];
    if (next) return goTo(next);
    return void submit(drawing);
  };
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [step]);
  useEffect(() => {
    if (form.complaints > 0) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [form.complaints, step]);

  return (
    <Frame
      title={title}
      detail={<SavedNote state={form.saveState} />}
      onBack={() => (before ? goTo(before, true) : void navigate(paths.customerList()))}
      wide={step === 'emi' || step === 'consent'}
      footer={
        <>
          {step === 'emi' && <EmiFigure preview={preview} />}
          <Button busy={isBusy} icon={step === 'consent' ? 'check' : undefined} onClick={proceed}>
            {step === 'consent' ? t('add.finish') : t('common.continue')}
          </Button>
        </>
      }
    >
      <Stepper steps={STEPS_SHOWN} at={place} label={t('add.step_of', { at: place + 1, of: STEPS_SHOWN })} />
      {isBarShown && opened.savedAt && (
        <ResumeBar
          name={opened.values['customer.first_name']}
          savedAt={opened.savedAt}
          onStartNew={onStartNew && (() => void startNew(onStartNew))}
          onClose={() => setBarShown(false)}
        />
      )}
      <Confirm
        open={isLosing}
        title={t('add.lose_ask')}
        body={t('add.lose_body')}
        confirmLabel={t('add.start_new')}
        danger
        onConfirm={() => void form.finish().then(onStartNew)}
        onClose={() => setLosing(false)}
      />
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          proceed();
        }}
      >
        {step === 'plan' && <PlanStep form={form} plans={plans} />}
        {step === 'identity' && <IdentityStep form={form} hasPan={isResumed} />}
        {step === 'device' && <DeviceStep form={form} />}
        {step === 'emi' && <EmiStep form={form} preview={preview} />}
        {step === 'consent' && (
          <ConsentStep
            form={form}
            preview={preview}
            keysLeft={left}
            signing={{
              drawing,
              isEmpty: isUnsigned,
              onDrawn: (isEmpty) => {
                setUnsigned(isEmpty);
                form.set({ 'consent.method': 'signature' });
              },
            }}
          />
        )}
        {/* Enter in a field goes on, as the button below does. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Frame>
  );
}

/** Where the form is safe by now. */
function SavedNote({ state }: { state: SaveState }) {
  const { t } = useTranslation();
  if (state === 'idle') return null;
  if (state === 'local' && !mayKeepOnDisk()) return <span role="status">{t('shell.memory_only')}</span>;
  return <span role="status">{t(`add.save_${state}`)}</span>;
}
