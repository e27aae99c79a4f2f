import type { TFunction } from 'i18next';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { errorText, noKeysText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { paths } from '#web/paths.ts';
import { mayKeepOnDisk } from '#web/state/storage.ts';
import { Stepper } from '#web/ui/bars.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { late } from '#web/widgets/late.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import type { Signing } from './consent-step.tsx';
import type { OpenedForm } from './draft.ts';
import { EmiFigure } from './emi-figure.tsx';
import { STEPS, STEPS_SHOWN, type Problems, type Step } from './fields.ts';
import { IdentityStep } from './identity-step.tsx';
import { lenderProblems, type Lenders, useLenders } from './lenders.ts';
import { ChosenPlan, isNothingToChoose, isOffSale, keysLeft, PlanStep, usePlans, type Plans } from './plan-step.tsx';
import { problemsOf, reachable } from './rules.ts';
import { ResumeBar } from './resume-bar.tsx';
import { type Agreeing, useAgreeing } from './use-agreeing.ts';
import { useForm, type Form } from './use-form.ts';
import type { SaveState } from './use-server-draft.ts';
import { usePreview, type Preview } from './use-preview.ts';
import { useSubmit } from './use-submit.ts';

const LaterStep = late(async () => (await import('./later-step.tsx')).LaterStep);

/** The form with the step that may be open: the wanted one, or the first before it that is not finished. */
function useStep(opened: OpenedForm, slot: string, wantedStep: Step): { form: Form; step: Step } {
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
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [step]);
  useFirstField(step);
  return { form, step };
}

/** A step that has something to type begins in its first empty field, with the keyboard open. */
function useFirstField(step: Step): void {
  useEffect(() => {
    // After the frame has led the focus to the title.
    const timer = setTimeout(focusFirstField);
    return () => clearTimeout(timer);
  }, [step]);
}

const focusFirstField = (): void => nextField(null)?.focus({ preventScroll: true });

/** The later steps come while the first is filled in. Whoever is quicker waits with the button, in the step that is filled in. */
function useGoingOn({ keepNow }: Form, goTo: (step: Step) => void) {
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => whenIdle(() => void LaterStep.ahead()), []);
  const goOn = async (step: Step) => {
    if (step !== 'identity' && !LaterStep.isThere()) {
      setWaiting(true);
      await LaterStep.ahead();
      // Where they cannot be had the page is loaded anew, and finds what was typed.
      if (!LaterStep.isThere()) await keepNow();
      setWaiting(false);
    }
    goTo(step);
  };
  return { isWaiting, goOn };
}

/** @returns the first field after this one that has to be filled and is not. */
function nextField(after: Element | null): HTMLInputElement | undefined {
  const wanted = Array.from(document.querySelectorAll<HTMLInputElement>('main [data-wanted]'));
  return wanted.slice(after ? wanted.indexOf(after as HTMLInputElement) + 1 : 0).find((field) => field.value === '');
}

/** @returns what is wrong in the open step, also what the fields alone do not show. */
function problemsHere(
  step: Step,
  { values }: Form,
  known: { plans: Plans | undefined; lenders: Lenders },
  isUnsigned: boolean,
): Problems {
  const { plans, lenders } = known;
  const problems = problemsOf(step, values);
  if (step === 'emi') return { ...problems, ...lenderProblems(lenders, values) };
  if (step === 'plan' && isOffSale(plans, values.plan_id)) return { ...problems, plan_id: 'errors.PLAN_NOT_ON_SALE' };
  if (step === 'plan' && keysLeft(plans, values.plan_id) === 0)
    return { ...problems, plan_id: 'errors.INSUFFICIENT_KEYS' };
  if (step === 'consent' && values['consent.method'] !== 'typed' && isUnsigned)
    return { ...problems, 'consent.method': 'consent.sign_first' };
  return problems;
}

const sentenceOf = (key: string, t: TFunction): string => (key === 'errors.INSUFFICIENT_KEYS' ? noKeysText(t) : t(key));

interface FlowProps {
  opened: OpenedForm;
  slot: string;
  isResumed: boolean;
  wantedStep: Step;
  goTo: (step: Step, isBack?: boolean) => void;
  onStartNew: (() => void) | undefined;
}

/** What the form holds at its step, and what goes on from there. */
function useFlow({ opened, slot, isResumed, wantedStep, goTo }: FlowProps) {
  const { t } = useTranslation();
  const { form, step } = useStep(opened, slot, wantedStep);
  const plans = usePlans();
  const lenders = useLenders();
  const preview = usePreview(form.values);
  const { agreeing, signing, isSettled } = useAgreeing(form, step);
  const { submit, isBusy } = useSubmit(form, goTo);
  const { isWaiting, goOn } = useGoingOn(form, goTo);
  const [isBarShown, setBarShown] = useState(isResumed);
  const place = STEPS.indexOf(step);
  // Whom to ask for keys stands there: a button that only complains leads nowhere.
  const isStuck = step === 'plan' && isNothingToChoose(plans.latest);
  const proceed = () => {
    if (isStuck) return;
    const problems = problemsHere(step, form, { plans: plans.latest, lenders }, signing.isEmpty);
    if (Object.keys(problems).length > 0)
      return form.complain(
        Object.fromEntries(Object.entries(problems).map(([name, key]) => [name, sentenceOf(key, t)])),
      );
    setBarShown(false);
    const next = STEPS[place + 1];
    if (next) return void goOn(next);
    // The clause is there: it was agreed to.
    const { clause } = agreeing;
    if (clause) void isSettled().then((isIt) => (isIt ? submit(signing.drawing, clause.language) : undefined));
  };
  const hideBar = () => setBarShown(false);
  return {
    form,
    step,
    plans,
    lenders,
    preview,
    agreeing,
    signing,
    isBusy: isBusy || isWaiting,
    isBarShown,
    hideBar,
    isStuck,
    place,
    proceed,
  };
}

/** The form, step by step. The step lives in the history: the phone's back button goes one step back. */
export function Flow(props: FlowProps) {
  const { opened, isResumed, goTo, onStartNew } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { form, step, plans, lenders, preview, isBusy, isBarShown, hideBar, isStuck, place, proceed, ...consent } =
    useFlow(props);
  const goBack = () => (place > 0 ? goTo(STEPS[place - 1]!, true) : void navigate(paths.customerList()));
  return (
    <Frame
      title={t(`add.step_${step}`)}
      detail={<SavedNote state={form.saveState} />}
      onBack={goBack}
      wide={step !== 'plan'}
      footer={!isStuck && <Footer step={step} preview={preview} busy={isBusy} onPress={proceed} />}
    >
      <Stepper steps={STEPS_SHOWN} at={place} label={t('add.step_of', { at: place + 1, of: STEPS_SHOWN })} />
      {isBarShown && <Resumed form={form} opened={opened} onStartNew={onStartNew} onClose={hideBar} />}
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const next = nextField(document.activeElement);
          if (next) next.focus();
          else proceed();
        }}
      >
        <StepFields
          step={step}
          form={form}
          hasPan={isResumed}
          draftId={opened.customerId}
          plans={plans}
          lenders={lenders}
          preview={preview}
          {...consent}
          onChangePlan={() => goTo('plan', true)}
        />
        {/* Enter in a field goes to the next empty one, and after the last does as the button below. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Frame>
  );
}

function StepFields(props: {
  step: Step;
  form: Form;
  hasPan: boolean;
  draftId: string | undefined;
  plans: ReturnType<typeof usePlans>;
  lenders: Lenders;
  preview: Preview;
  agreeing: Agreeing;
  signing: Signing;
  onChangePlan: () => void;
}) {
  const { step, form, hasPan, draftId, plans, lenders, preview, agreeing, signing, onChangePlan } = props;
  switch (step) {
    case 'plan':
      return <PlanStep form={form} plans={plans} />;
    case 'identity':
      return (
        <>
          <ChosenPlan plans={plans.latest} planId={form.values.plan_id} onChange={onChangePlan} />
          <IdentityStep form={form} hasPan={hasPan} draftId={draftId} />
        </>
      );
    default: {
      const left = keysLeft(plans.latest, form.values.plan_id);
      const later = { lenders, agreeing, signing, keysLeft: left };
      return <LaterStep step={step} form={form} preview={preview} {...later} onStanding={focusFirstField} />;
    }
  }
}

function Footer(props: { step: Step; preview: Preview; busy: boolean; onPress: () => void }) {
  const { step, preview, busy, onPress } = props;
  const { t } = useTranslation();
  return (
    <>
      {step === 'emi' && <EmiFigure preview={preview} />}
      <Button busy={busy} icon={step === 'consent' ? 'check' : undefined} onClick={onPress}>
        {step === 'consent' ? t('add.finish') : t('common.continue')}
      </Button>
    </>
  );
}

/** Says that an unfinished form goes on; a new one puts it aside, and asks first where it would be lost. */
function Resumed(props: { form: Form; opened: OpenedForm; onStartNew: (() => void) | undefined; onClose: () => void }) {
  const { form, opened, onStartNew, onClose } = props;
  const { t } = useTranslation();
  const [isLosing, setLosing] = useState(false);
  const startNew = async (open: () => void) => {
    if (await form.setAside()) open();
    else setLosing(true);
  };
  if (!opened.savedAt) return null;
  return (
    <>
      <ResumeBar
        name={opened.values['customer.first_name']}
        savedAt={opened.savedAt}
        onStartNew={onStartNew && (() => void startNew(onStartNew))}
        onClose={onClose}
      />
      <Confirm
        open={isLosing}
        title={t('add.lose_ask')}
        body={t('add.lose_body')}
        confirmLabel={t('add.start_new')}
        danger
        onConfirm={() => void form.finish().then(onStartNew)}
        onClose={() => setLosing(false)}
      />
    </>
  );
}

/** Where the form is safe by now. */
function SavedNote({ state }: { state: SaveState }) {
  const { t } = useTranslation();
  if (state === 'idle') return null;
  if (state === 'local' && !mayKeepOnDisk()) return <span role="status">{t('shell.memory_only')}</span>;
  return <span role="status">{t(`add.save_${state}`)}</span>;
}
