import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import type { TheftPurpose } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { isNetworkError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useFieldProblem } from '#web/widgets/use-problem.ts';

/** What the customer says of the phone, and the way to say it at the counter: by the OTP that goes to the customer, never by the shop's word. */
export function Theft({ profile: { customer, device, lost_reports: reports } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isShop, can } = useAccess();
  const [asked, setAsked] = useState<TheftPurpose | null>(null);
  if (!isShop || !device?.enrolled_at || device.released_at) return null;
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
        {asked && <Form key={asked} customerId={customer.customer_id} purpose={asked} onDone={close} />}
      </Sheet>
    </>
  );
}

/** Sends the customer's OTP, takes it with what happened, and says in words what was wrong with it. */
function useTheftCode(customerId: string, purpose: TheftPurpose, onDone: () => void) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [send, sending] = useWrite('sendTheftCode', []);
  const [report, reporting] = useWrite('reportTheft', PHONE_READS);
  const [lift, lifting] = useWrite('liftTheft', PHONE_READS);
  const ask = async () => {
    setError(undefined);
    const { data, error: refusal } = await send({ body: { customer_id: customerId, purpose } });
    if (refusal) problem(refusal);
    else setSentTo(data.masked_mobile);
  };
  const take = async (digits: string, words: string) => {
    const told = { customer_id: customerId, otp: digits };
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
  return { sentTo, otp, error, ask, take, type, isBusy: sending.isBusy || reporting.isBusy || lifting.isBusy };
}

function Form({ customerId, purpose, onDone }: { customerId: string; purpose: TheftPurpose; onDone: () => void }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [isShort, setShort] = useState(false);
  const { sentTo, otp, error, ask, take, type, isBusy } = useTheftCode(customerId, purpose, onDone);
  const isLift = purpose === 'THEFT_LIFT';
  // Why a theft lock went must be told; where a phone was stolen one may not know.
  const isTooShort = isLift && words.trim().length < LIMITS.reasonLengthMin;
  const next = async () => {
    if (isTooShort) return setShort(true);
    await ask();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{t(isLift ? 'theft.lift_hint' : 'theft.hint')}</p>
      <TextArea
        label={t(isLift ? 'theft.lift_reason' : 'lost.note')}
        optional={isLift ? undefined : t('common.optional')}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isShort && isTooShort ? t('field.required') : undefined}
      />
      {sentTo === undefined ? (
        error !== undefined && (
          <p role="alert" className="text-sm text-over">
            {error}
          </p>
        )
      ) : (
        <OtpInput
          label={t('auth.otp_label')}
          hint={t('auth.otp_sent', { mobile: sentTo })}
          name="theft-code"
          length={LIMITS.otpDigits}
          value={otp}
          error={error}
          onValue={type}
          onComplete={(digits) => (isTooShort ? setShort(true) : void take(digits, words.trim()))}
        />
      )}
      <Button tone={sentTo === undefined ? undefined : 'plain'} busy={isBusy} onClick={() => void next()}>
        {t(sentTo === undefined ? 'consent.send_code' : 'auth.resend')}
      </Button>
    </div>
  );
}
