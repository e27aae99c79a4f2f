import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOBILE } from '@kist/contract/patterns';
import type { CallName } from '@kist/contract/paths';
import type { ApiError } from '#web/api/errors.ts';
import { errorText } from '#web/api/error-text.ts';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { SentCode } from '#web/widgets/sent-code.tsx';
import { useCodes, useSending } from '#web/widgets/sent-codes.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { PersonFields, type Sentences } from './person-fields.tsx';
import {
  type Customer,
  KEPT,
  type PersonField,
  type TypedPerson,
  changesOf,
  fieldOf,
  personOf,
} from './typed-person.ts';

/** What a name or a number is written on. */
const PERSON_READS: readonly CallName[] = [...PHONE_READS, 'getUpcomingEmi'];
const CODE_REFUSALS: readonly string[] = ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_USED_UP', 'NUMBER_IS_NEW'];

/** Of the papers' numbers nothing lies on this phone. */
const UNKEPT: readonly PersonField[] = ['aadhaar_last4', 'pan'];

function usePerson(customer: Customer) {
  const { t } = useTranslation();
  const stands = personOf(customer);
  const [begun, type, forget] = useTyped<TypedPerson>(`person/${customer.customer_id}`, UNKEPT);
  const [refused, setRefused] = useState<Sentences>({});
  const lead = useFirstWrong();
  const typed: TypedPerson = { ...stands, ...begun };
  const emptied = KEPT.filter((name) => stands[name] !== '' && typed[name].trim() === '');
  return {
    typed,
    changes: changesOf(customer, typed),
    isWhole: emptied.length === 0,
    sentences: { ...refused, ...Object.fromEntries(emptied.map((name) => [name, t('field.required')])) },
    put: (part: Partial<TypedPerson>) => {
      type(part);
      setRefused((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !(name in part))));
    },
    refuse: (sentences: Sentences) => {
      setRefused(sentences);
      lead();
    },
    lead,
    forget,
  };
}

/** Sentences of the fields that a refusal names; undefined when it names none. */
function sentencesOf(error: ApiError, sentence: string): Sentences | undefined {
  if (error.code === 'STAFF_NUMBER') return { mobile: sentence };
  const named = error.fields.flatMap(({ path, message }): [PersonField, string][] => {
    const field = fieldOf(path);
    return field ? [[field, message]] : [];
  });
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}

/** Another number that is typed, and the OTP from the one on file. */
function useNewNumber({ customer_id }: Customer, typed: string | undefined) {
  const mobile = typed ?? '';
  const code = useCodes()(mobile);
  const [send, { isBusy }] = useWrite('sendNumberCode', []);
  return { code, isBusy, ...useSending(code, () => send({ body: { customer_id, mobile } })) };
}

/** The customer as they are on file, to be put right; another mobile number counts at once with an OTP from the old one. */
export function Person({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const person = usePerson(customer);
  const { changes } = person;
  const mobile = changes?.mobile;
  const number = useNewNumber(customer, mobile);
  const { code } = number;
  const [send, { isBusy }] = useWrite('updateCustomerDetails', PERSON_READS);
  const refusedBy = (error: ApiError) => {
    if (CODE_REFUSALS.includes(error.code) && code.sentTo !== undefined) return number.refused(error);
    const sentences = sentencesOf(error, errorText(error, t));
    return sentences ? person.refuse(sentences) : problem(error);
  };
  const save = async (otp = code.otp) => {
    if (!changes) return;
    if (!person.isWhole) return person.lead();
    const { data, error } = await send({ body: { ...changes, ...(mobile && otp !== '' && { otp }) } });
    if (error) return refusedBy(error);
    person.forget();
    const speaksAt = 'number_speaks_at' in data ? data.number_speaks_at : null;
    toast.ok(
      [t('person.saved'), speaksAt && t('person.waits', { at: formatDateTime(speaksAt) })].filter(Boolean).join(' '),
    );
    onDone();
  };
  const ofNumber = mobile && (
    <Card className="grid gap-3">
      <p>{t('person.number_waits')}</p>
      <SentCode
        code={code}
        isReady={MOBILE.test(mobile)}
        isBusy={number.isBusy || isBusy}
        isOptional
        onAsk={() => void number.ask()}
        onDigits={(digits) => void save(digits)}
      />
    </Card>
  );
  const { typed, sentences, put } = person;
  return (
    <div className="grid gap-4">
      <PersonFields {...{ customer, typed, sentences, ofNumber }} onTyped={put} />
      <Button busy={isBusy} disabled={!changes} onClick={() => void save()}>
        {t('common.save')}
      </Button>
    </div>
  );
}
