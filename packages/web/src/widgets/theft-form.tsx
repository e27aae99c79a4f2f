import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import type { TheftPurpose } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { maskMobile } from '@kist/contract/masked';
import { isNetworkError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { reasonFault } from './reason-fault.ts';
import { ResendButton } from './resend-button.tsx';
import { useFieldProblem } from './use-problem.ts';

type Customer = CustomerProfile['customer'];

/** Asks for the OTP that goes to the customer; one that is on its way already counts as sent. */
function useSentCode(
  { customer_id, mobile }: Customer,
  purpose: TheftPurpose,
  say: { error: (error: undefined) => void; problem: ReturnType<typeof useFieldProblem> },
) {
  const [sentTo, setSentTo] = useState<string>();
  const [resendAtMs, setResendAtMs] = useState(0);
  const [send, { isBusy }] = useWrite('sendTheftCode', []);
  const ask = async () => {
    say.error(undefined);
    const { data, error: refusal } = await send({ body: { customer_id, purpose } });
    const wait = data?.resend_after_s ?? refusal?.retryAfterS;
    if (wait !== undefined) setResendAtMs(phoneNowMs() + wait * 1000);
    if (data) setSentTo(data.masked_mobile);
    // The sheet was closed meanwhile, or the answer was lost.
    else if (refusal.code === 'OTP_TOO_SOON') setSentTo(sentTo ?? maskMobile(mobile));
    else say.problem(refusal);
  };
  return { sentTo, resendAtMs, ask, isBusy };
}

/** Sends the customer's OTP, takes it with what happened, and says in words what was wrong with it. */
function useTheftCode(customer: Customer, purpose: TheftPurpose, onDone: () => void) {
  const { t } = useTranslation();
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const sent = useSentCode(customer, purpose, { error: setError, problem });
  const [report, reporting] = useWrite('reportTheft', PHONE_READS);
  const [lift, lifting] = useWrite('liftTheft', PHONE_READS);
  const take = async (digits: string, words: string) => {
    const told = { customer_id: customer.customer_id, otp: digits };
    if (purpose === 'THEFT_REPORT') {
      const { error: refusal } = await report({ body: { ...told, note: words } });
      if (refusal) return refused(refusal);
      toast.ok(t('theft.reported'));
    } else {
      const { data, error: refusal } = await lift({ body: { ...told, reason: words } });
      if (refusal) return refused(refusal);
      toast.ok(t(data.level > 0 ? 'theft.lifted_still_locked' : 'theft.lifted'));
    }
    onDone();
  };
  const refused = (refusal: Parameters<typeof problem>[0]) => {
    if (!isNetworkError(refusal)) setOtp('');
    problem(refusal);
  };
  const type = (digits: string) => {
    setOtp(digits);
    setError(undefined);
  };
  return { ...sent, otp, error, take, type, isBusy: sent.isBusy || reporting.isBusy || lifting.isBusy };
}

/** What happened, told with the OTP that goes to the customer; or that the phone is back. */
export function TheftForm(props: {
  customer: Customer;
  purpose: TheftPurpose;
  words: string;
  onWords: (words: string) => void;
  onDone: () => void;
}) {
  const { customer, purpose, words, onWords, onDone } = props;
  const { t } = useTranslation();
  const [isShort, setShort] = useState(false);
  const lead = useFirstWrong();
  const code = useTheftCode(customer, purpose, onDone);
  const isLift = purpose === 'THEFT_LIFT';
  // Why a theft lock went must be told; where a phone was stolen one may not know.
  const fault = isLift ? reasonFault(words, t) : undefined;
  const refuse = () => {
    setShort(true);
    lead();
  };
  const next = async () => {
    if (fault) return refuse();
    await code.ask();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{t(isLift ? 'theft.lift_hint' : 'theft.hint')}</p>
      <TextArea
        label={t(isLift ? 'theft.lift_reason' : 'lost.note')}
        optional={isLift ? undefined : t('common.optional')}
        value={words}
        onChange={(event) => onWords(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isShort ? fault : undefined}
      />
      {code.sentTo === undefined ? (
        <Ask code={code} onAsk={() => void next()} />
      ) : (
        <Code
          code={code}
          onComplete={(digits) => (fault ? refuse() : void code.take(digits, words.trim()))}
          onAgain={() => void next()}
        />
      )}
    </div>
  );
}

/** The code is asked for, or why it could not be. */
function Ask({ code, onAsk }: { code: ReturnType<typeof useTheftCode>; onAsk: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      {code.error !== undefined && (
        <p role="alert" className="text-sm text-over">
          {code.error}
        </p>
      )}
      <Button busy={code.isBusy} onClick={onAsk}>
        {t('consent.send_code')}
      </Button>
    </>
  );
}

/** Where the digits go that were sent, and the way to others. */
function Code(props: {
  code: ReturnType<typeof useTheftCode>;
  onComplete: (digits: string) => void;
  onAgain: () => void;
}) {
  const { code, onComplete, onAgain } = props;
  const { t } = useTranslation();
  return (
    <>
      <OtpInput
        label={t('auth.otp_label')}
        hint={t('auth.otp_sent', { mobile: code.sentTo })}
        name="theft-code"
        length={LIMITS.otpDigits}
        value={code.otp}
        error={code.error}
        onValue={code.type}
        onComplete={onComplete}
      />
      <ResendButton atMs={code.resendAtMs} busy={code.isBusy} onPress={onAgain} />
    </>
  );
}
