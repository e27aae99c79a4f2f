import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { isLanguage } from '#web/i18n/languages.ts';
import { toast } from '#web/ui/toast.ts';
import { type Clause, useClause } from '#web/widgets/clause.ts';
import { focusConsentCode } from '#web/widgets/consent-field.ts';
import { Drawing } from '#web/widgets/drawing.ts';
import { type ConsentCode, useConsentCode } from '#web/widgets/use-consent-code.ts';
import { agreedOf, dealOf } from './body.ts';
import type { Step, Values } from './fields.ts';
import type { Form } from './use-form.ts';

/** The language that the clause is wanted in. */
export const clauseLanguage = (values: Values): Language =>
  isLanguage(values['consent.language']) ? values['consent.language'] : 'en';

/** What the customer agrees to, and the code that says so. */
export interface Agreeing {
  /** As shown; null while it loads. */
  clause: Clause | null;
  code: ConsentCode;
  accept: (isOn: boolean) => void;
}

/** The last step: the clause in its language, the tick with which the code leaves, the signature, the code. */
export function useAgreeing(form: Form, step: Step) {
  const { t } = useTranslation();
  const clause = useClause(step === 'consent' ? clauseLanguage(form.values) : currentLanguage());
  const agreed = agreedOf(form.values);
  const code = useConsentCode({
    mobile: form.values['customer.mobile'],
    clause,
    deal: `${form.values['loan.financer_id']} ${dealOf(form.values)}`,
    customerId: form.saveNow,
  });
  // A page that was loaded anew finds the signature again, as long as what was signed is the same.
  const [drawing] = useState(() => new Drawing(form.signed?.deal === agreed ? form.signed : undefined));
  const [isEmpty, setEmpty] = useState(drawing.isEmpty);
  const { values } = form;
  useForgetting(agreed, () => {
    if (!values['consent.accepted'] && !values['consent.typed_name'] && isEmpty) return;
    drawing.clear();
    setEmpty(true);
    form.sign(undefined);
    form.set({ 'consent.accepted': '', 'consent.typed_name': '' });
    toast.info(t('add.agree_again'));
  });
  const onDrawn = (nowEmpty: boolean) => {
    setEmpty(nowEmpty);
    const { drawn } = drawing;
    form.sign(drawn && { ...drawn, deal: agreed });
    form.set({ 'consent.method': 'signature' });
  };
  const accept = (isOn: boolean) => {
    form.set({ 'consent.accepted': isOn ? '1' : '' });
    // Who signed before has nothing else left to do than to tell it.
    if (isOn && code.stage === 'open') void code.ask().then(() => isEmpty || setTimeout(focusConsentCode));
  };
  /** @returns whether the code is told, or left for later. Digits that no answer came to are sent once more. */
  const isSettled = async (): Promise<boolean> => {
    if (code.stage === 'told' || code.stage === 'needless' || code.stage === 'later') return true;
    if (code.stage === 'sent' && code.otp.length === LIMITS.otpDigits) return code.take(code.otp);
    code.complain(t('add.code_or_later'));
    focusConsentCode();
    return false;
  };
  return {
    agreeing: { clause, code, accept },
    signing: { drawing, isEmpty, onDrawn, onDone: focusConsentCode },
    isSettled,
  };
}

/** A tick and a signature are somebody's, for what stood above them: of another person, to another lender, for another phone or other terms they are given anew. */
function useForgetting(deal: string, forget: () => void): void {
  const before = useRef(deal);
  useEffect(() => {
    if (before.current === deal) return;
    before.current = deal;
    forget();
  }, [deal, forget]);
}
