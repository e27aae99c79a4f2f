import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import { isNetworkError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { CONSENT_VERSION, type Clause, useClause } from '#web/widgets/clause.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useFieldProblem } from '#web/widgets/use-problem.ts';

/** What is missing of the customer's consent, and the way to it: the signature, then the code from the customer's own number. */
export function Consent({
  profile: { customer, consent_missing: missing, lock_timeline: timeline },
}: {
  profile: CustomerProfile;
}) {
  const { t } = useTranslation();
  const { isShop, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  if (missing.length === 0) return null;
  return (
    <Card className="grid gap-2">
      {/* The phone's own card says it as soon as there is one. */}
      {timeline === null && <p>{t('rules.CONSENT_MISSING')}</p>}
      {isShop && can.activate && (
        <Button tone="plain" icon="sign" onClick={() => setOpen(true)}>
          {t('consent.collect')}
        </Button>
      )}
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('consent.collect')}>
        {missing.includes('signature') ? (
          <ButtonLink to={paths.signature(customer.customer_id)} icon="sign">
            {t('consent.sign_first')}
          </ButtonLink>
        ) : (
          <Code customer={customer} onDone={() => setOpen(false)} />
        )}
      </Sheet>
    </Card>
  );
}

/** Sends the code, takes it, and says in words what was wrong with it. */
function useCode(customerId: string, clause: Clause | null, onDone: () => void) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [send, sending] = useWrite('sendConsentCode', []);
  const [collect, collecting] = useWrite('collectConsent', PHONE_READS);
  const of = { customer_id: customerId, text_version: CONSENT_VERSION, language: clause?.language ?? 'en' };
  const take = async (digits?: string): Promise<boolean> => {
    const { data, error: refusal } = await collect({ body: { ...of, ...(digits && { otp: digits }) } });
    if (refusal && !isNetworkError(refusal)) setOtp('');
    if (refusal) problem(refusal);
    if (refusal || data.missing.length > 0) return false;
    toast.ok(t('consent.saved'));
    onDone();
    return true;
  };
  const ask = async (): Promise<void> => {
    setError(undefined);
    // Told before, and only the signature was missing: then it is all there.
    if (sentTo === undefined && (await take())) return;
    const { data, error: refusal } = await send({ body: of });
    if (refusal) problem(refusal);
    else setSentTo(data.masked_mobile);
  };
  const type = (digits: string): void => {
    setOtp(digits);
    setError(undefined);
  };
  return { sentTo, otp, error, ask, take, type, isBusy: sending.isBusy || collecting.isBusy };
}

function Code({ customer, onDone }: { customer: CustomerProfile['customer']; onDone: () => void }) {
  const { t } = useTranslation();
  const clause = useClause(customer.language as Language);
  const { sentTo, otp, error, ask, take, type, isBusy } = useCode(customer.customer_id, clause, onDone);
  if (clause === null) return null;
  return (
    <div className="grid gap-3">
      <p className="max-h-60 overflow-y-auto text-sm whitespace-pre-line text-ink-2" lang={clause.language}>
        {clause.text}
      </p>
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
          name="consent-code"
          length={LIMITS.otpDigits}
          value={otp}
          error={error}
          onValue={type}
          onComplete={(digits) => void take(digits)}
        />
      )}
      <Button tone={sentTo === undefined ? undefined : 'plain'} busy={isBusy} onClick={() => void ask()}>
        {t(sentTo === undefined ? 'consent.send_code' : 'auth.resend')}
      </Button>
    </div>
  );
}
