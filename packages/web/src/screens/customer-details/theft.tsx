import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import type { TheftPurpose } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { isNetworkError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { maskMobile } from '@kist/contract/masked';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { ResendButton } from '#web/widgets/resend-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useFieldProblem } from '#web/widgets/use-problem.ts';

type Customer = CustomerProfile['customer'];

/** What the customer says of the phone, and the way to say it at the counter: by the OTP that goes to the customer, never by the shop's word. */
export function Theft({ profile: { customer, device, lost_reports: reports } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [asked, setAsked] = useState<TheftPurpose | null>(null);
  // What was typed outlives a sheet that was closed by a slip of the thumb.
  const [notes, setNotes] = useState<Partial<Record<TheftPurpose, string>>>({});
  if (!isStaff || !device?.enrolled_at || device.released_at) return null;
  const isStolen = reports.some(({ kind }) => kind === 'theft');
  const close = () => setAsked(null);
  return (
    <>
      {reports.map(({ kind, at, by }) => (
        <Card key={kind + by} className="grid gap-2" aria-label={t('theft.report')}>
          <Chip tone="over" icon="shield">
            {t(`theft.said_${kind}`)}
          </Chip>
          <p className="text-sm text-ink-2">{t('lost.since', { at: formatDateTime(at) })}</p>
          {kind === 'theft' && can.useFeatures && (
            <Button tone="plain" onClick={() => setAsked('THEFT_LIFT')}>
              {t('theft.lift')}
            </Button>
          )}
        </Card>
      ))}
      {!isStolen && can.useFeatures && (
        <Button tone="quiet" icon="shield" onClick={() => setAsked('THEFT_REPORT')}>
          {t('theft.start')}
        </Button>
      )}
      <Sheet open={asked !== null} onClose={close} title={t(asked === 'THEFT_LIFT' ? 'theft.lift' : 'theft.start')}>
        {asked && (
          <Form
            key={asked}
            customer={customer}
            purpose={asked}
            words={notes[asked] ?? ''}
            onWords={(words) => setNotes({ ...notes, [asked]: words })}
            onDone={() => {
              setNotes({});
              close();
            }}
          />
        )}
      </Sheet>
    </>
  );
}

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

function Form(props: {
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
  const { sentTo, error, isBusy } = code;
  const isLift = purpose === 'THEFT_LIFT';
  // Why a theft lock went must be told; where a phone was stolen one may not know.
  const isTooShort = isLift && words.trim().length < LIMITS.reasonLengthMin;
  const refuse = () => {
    setShort(true);
    lead();
  };
  const next = async () => {
    if (isTooShort) return refuse();
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
        error={isShort && isTooShort ? t('field.required') : undefined}
      />
      {sentTo === undefined ? (
        <>
          {error !== undefined && (
            <p role="alert" className="text-sm text-over">
              {error}
            </p>
          )}
          <Button busy={isBusy} onClick={() => void next()}>
            {t('consent.send_code')}
          </Button>
        </>
      ) : (
        <Code
          code={code}
          onComplete={(digits) => (isTooShort ? refuse() : void code.take(digits, words.trim()))}
          onAgain={() => void next()}
        />
      )}
    </div>
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
