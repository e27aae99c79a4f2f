import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Language } from '@kist/contract/codes';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { awayNow } from '#web/offline/sync-state.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/ui/toast.ts';
import type { Drawing } from '#web/widgets/drawing.ts';
import type { SignMethod } from '#web/widgets/signature-image.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { awayWords } from './away-words.ts';
import { agreedOf, financedRegistration, registration } from './body.ts';
import { placeOf } from './error-place.ts';
import { isFinanced, type Step } from './fields.ts';
import type { Form } from './use-form.ts';

/** The signature goes once: the same one of the same customer, for the same sale, is not sent again. @returns whether the server has it. */
function useSignatureOnce(form: Form, refuse: (error: ApiError) => void) {
  const problem = useProblem();
  const uploaded = useRef('');
  const [upload] = useWrite('uploadSignature');
  return async (customerId: string, drawing: Drawing): Promise<boolean> => {
    const method: SignMethod = form.values['consent.method'] === 'typed' ? 'typed' : 'signature';
    const typedName = form.values['consent.typed_name'];
    // The server keeps it for what the form says now.
    const mark = [customerId, agreedOf(form.values), method, method === 'typed' ? typedName : drawing.mark].join(' ');
    if (uploaded.current === mark) return true;
    try {
      // With the last step, which shows the paper, its code is there: the first steps do not wait for it.
      const { signaturePng } = await import('#web/widgets/signature-image.ts');
      const file = await signaturePng(method, drawing, typedName);
      const { error } = await upload({ body: { customer_id: customerId }, file, fileName: 'signature.png' });
      if (!error) uploaded.current = mark;
      else refuse(error);
      return !error;
    } catch (error) {
      problem(error);
      return false;
    }
  };
}

/** What a registration makes old. */
const MADE_OLD = ['listCustomers', 'getDashboard', 'listPlans', 'getKeys', 'getCustomerProfile'] as const;

/** Registers the sale; one whose loan a financer made, by the call for those. */
function useRegister({ values }: Form) {
  const [own] = useWrite('registerCustomer', MADE_OLD);
  const [financed] = useWrite('createCustomerHdb', MADE_OLD);
  return (customerId: string, language: Language) =>
    isFinanced(values)
      ? financed({ body: financedRegistration(values, customerId, language) })
      : own({ body: registration(values, customerId, language) });
}

/**
 * The last press: draft, signature, registration. Each may be pressed again: the draft is the same customer, the signature goes once, the
 * registration carries its key until the server gave a definite answer.
 * @param goTo opens the step that a refusal concerns.
 */
export function useSubmit(form: Form, goTo: (step: Step) => void) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  const [isBusy, setBusy] = useState(false);
  /** Of three presses at once the second and third find the first under way, before anything was drawn anew. */
  const isRunning = useRef(false);
  const register = useRegister(form);

  const refuse = (error: ApiError) => {
    const place = placeOf(error, errorText(error, t));
    if (!place) return problem(error);
    goTo(place.step);
    form.complain(place.sentences);
    // A sentence beside its field says it; without one the toast does.
    if (Object.keys(place.sentences).length === 0) toast.error(errorText(error, t));
  };
  const sign = useSignatureOnce(form, refuse);
  /** A form that the server refused says so itself. */
  const sayAway = () => {
    if (awayNow()) toast.warning(awayWords(t));
  };
  const run = async (drawing: Drawing, language: Language) => {
    const customerId = await form.saveNow();
    if (!customerId) return sayAway();
    if (!(await sign(customerId, drawing))) return;
    const { data, error } = await register(customerId, language);
    // Signed already, by an answer that was lost or on another phone: there the remaining steps are.
    if (error?.code === 'STATE_CONFLICT') return navigate(paths.customerNavigate(customerId), { replace: true });
    if (error) return refuse(error);
    await form.finish();
    tick();
    toast.ok(t('add.done', { no: data.agreement_no ?? '' }));
    return navigate(paths.emmQr(customerId), { replace: true });
  };
  /** @param language in which the clause was shown and agreed to. */
  const submit = async (drawing: Drawing, language: Language) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await run(drawing, language);
    isRunning.current = false;
    setBusy(false);
  };
  return { submit, isBusy };
}
