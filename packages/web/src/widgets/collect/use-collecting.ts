import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { api } from '#web/api/api.ts';
import type { ApiError } from '#web/api/errors.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { tick } from '#web/native/haptics.ts';
import { useQueuedWrite } from '#web/offline/app-outbox.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { toast } from '#web/ui/toast.ts';
import { keptMessageKey } from '#web/widgets/kept-message.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { isRightReference } from '#web/widgets/payment-methods.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { choicesOf, type Choice } from './choices.ts';

interface Tender {
  payment_id: string;
  method: PaymentMethod;
  reference: string;
  accept_overpayment?: true;
}
/** More than everything that is owed: what is, and how much is not; a slip of the finger, or money that came. */
interface TooMuch {
  owed: number;
  rest: number;
}

/**
 * Takes an amount: all that a choice of several instalments comes to pays those, anything else is a part from the oldest on. So is it behind what waits to be
 * sent: were that refused, several instalments would come to more than was taken, and be refused too.
 */
function usePayment({ agreement }: EmiDetails, isAfterQueued: boolean) {
  const { t } = useTranslation();
  const [payOne, { isBusy: isOne }] = useQueuedWrite('updateEmiStatus', MONEY_READS);
  const [payMany, { isBusy: isMany }] = useQueuedWrite('multipleEmiPaid', MONEY_READS);
  const pay = (choice: Choice, paise: number, tender: Tender) => {
    const label = t('emi.outbox_label', { amount: formatMoney(paise), name: agreement.first_name });
    const about = agreement.customer_id;
    const of = { about, paise };
    return choice.paise === paise && choice.ids.length > 1 && !choice.hasPenalty && !isAfterQueued
      ? payMany({ body: { customer_id: about, instalment_ids: [...choice.ids], amount: paise, ...tender } }, label, of)
      : payOne({ body: { instalment_id: choice.ids[0]!, amount: paise, ...tender } }, label, of);
  };
  return { pay, isBusy: isOne || isMany };
}

function tooMuchOf({ code, details }: ApiError): TooMuch | undefined {
  const { owed_paise: owed, rest_paise: rest } = details ?? {};
  return code === 'MORE_THAN_OWED' && typeof owed === 'number' && typeof rest === 'number' ? { owed, rest } : undefined;
}

/** What is collected: of which agreement, as it will stand behind what waits to be sent. */
export interface Collected {
  details: EmiDetails;
  /** One for the open sheet, however often it is sent: an answer that was lost does not make a second payment. */
  paymentId: string;
  isAfterQueued: boolean;
  /** What the button said that was pressed, where it said a sum: that is proposed. */
  saidPaise?: number | undefined;
  onClose: () => void;
  onReceipt: (receipt: Receipt) => void;
}

/** What is taken: of what is owed now as long as nobody chose or typed, and by its instalments whoever did. */
function useAmount(details: EmiDetails, saidPaise: number | undefined) {
  const [chosen, setChosen] = useState<Choice['id']>();
  const [typed, setTyped] = useState<{ paise: number | undefined }>();
  const choices = choicesOf(details);
  const owedPaise = details.agreement.outstanding_paise + details.agreement.penal_left_paise;
  // What was said before money came may be more than is left.
  const said = saidPaise !== undefined && saidPaise <= owedPaise ? saidPaise : undefined;
  const choice = choices.find(({ id, paise }) => (chosen ? id === chosen : paise === said)) ?? choices[0]!;
  const setPaise = (paise: number | undefined) => setTyped({ paise });
  const pick = ({ id, paise }: Choice) => {
    setChosen(id);
    setPaise(paise);
  };
  return { choices, choice, pick, paise: typed ? typed.paise : (said ?? choice.paise), setPaise, owedPaise };
}

/** How it came; `wrongReference` says in words what its number has to be. */
function useTender() {
  const { t } = useTranslation();
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const [reference, setReference] = useState('');
  return {
    tender: { method, reference: reference.trim() },
    tenderFields: { method, setMethod, reference, setReference },
    wrongReference: isRightReference(method, reference) ? undefined : t('emi.utr'),
  };
}

/** What is taken and how; `wrong` says in words why it cannot be, `collect` takes it. */
export function useCollecting(collected: Collected) {
  const { details, paymentId: payment_id, isAfterQueued, saidPaise, onClose, onReceipt } = collected;
  const { t } = useTranslation();
  const problem = useProblem();
  const dispatch = useAppDispatch();
  const { pay, isBusy } = usePayment(details, isAfterQueued);
  const { owedPaise, ...amount } = useAmount(details, saidPaise);
  const { choice, paise, setPaise } = amount;
  const { tender, tenderFields, wrongReference } = useTender();
  const wrong = paise === undefined || paise <= 0 ? t('field.required') : undefined;
  const [isAsked, setIsAsked] = useState(false);
  const lead = useFirstWrong();
  const [tooMuch, setTooMuch] = useState<TooMuch>();
  const ask = (more: TooMuch) => {
    // The question is about this sum, whatever is read anew behind it.
    setPaise(paise);
    setTooMuch(more);
  };
  const isUnderWay = useRef(false);
  const collect = async (isMeant = false) => {
    // Presses come faster than a busy button is drawn.
    setIsAsked(true);
    if (wrong || wrongReference || paise === undefined) return lead();
    if (isUnderWay.current) return;
    if (paise > owedPaise && !isMeant) return ask({ owed: owedPaise, rest: paise - owedPaise });
    isUnderWay.current = true;
    const given = { payment_id, ...tender, ...(isMeant && { accept_overpayment: true as const }) };
    const outcome = await pay(choice, paise, given);
    isUnderWay.current = false;
    setTooMuch(undefined);
    if (outcome.state === 'failed') {
      // The page may have stood open: what is owed now is read anew.
      dispatch(api.util.invalidateTags([...MONEY_READS]));
      // Somebody else took money meanwhile: asked here too, by the server's figures.
      const told = tooMuchOf(outcome.error);
      return told && !isMeant ? ask(told) : problem(outcome.error);
    }
    tick();
    onClose();
    if (outcome.state === 'sent') onReceipt(outcome.data);
    else toast.info(t(keptMessageKey()));
  };
  const asking = { tooMuch, no: () => setTooMuch(undefined), yes: () => void collect(true) };
  return {
    ...amount,
    tenderFields,
    wrong,
    wrongReference: isAsked ? wrongReference : undefined,
    collect,
    isBusy,
    asking,
  };
}
