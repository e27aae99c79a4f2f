import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { useClause } from './clause.ts';
import { CodeProblem, ConsentCodeField, SendCode } from './consent-code.tsx';
import { useAccess } from './use-access.ts';
import { useConsentCode } from './use-consent-code.ts';

/** What is missing of the customer's consent, and the way to it: the signature, then the code from the customer's own number. */
export function Consent({
  profile: { customer, consent_missing: missing, consent_needs_no_code: needsNoCode, lock_timeline: timeline },
}: {
  profile: CustomerProfile;
}) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  if (missing.length === 0) return null;
  return (
    <Card className="grid gap-2">
      {/* The phone's own card says it as soon as there is one. */}
      {timeline === null && <p>{t('rules.CONSENT_MISSING')}</p>}
      {isStaff && can.activate && (
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
          <Code customer={customer} needsNoCode={needsNoCode === true} onDone={() => setOpen(false)} />
        )}
      </Sheet>
    </Card>
  );
}

function Code({
  customer,
  needsNoCode,
  onDone,
}: {
  customer: CustomerProfile['customer'];
  needsNoCode: boolean;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const clause = useClause(customer.language as Language);
  const code = useConsentCode({
    mobile: customer.mobile,
    clause,
    customerId: async () => customer.customer_id,
    onTold: (missing, isShopNumber) => {
      if (missing.length > 0) return;
      if (isShopNumber) toast.warning(t('consent.saved_no_login'));
      else toast.ok(t('consent.saved'));
      onDone();
    },
  });
  if (clause === null) return null;
  return (
    <div className="grid gap-3">
      {/* It scrolls: whoever has a keyboard and no wheel must be able to reach it. */}
      <p
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t('consent.collect')}
        className="max-h-60 overflow-y-auto text-sm whitespace-pre-line text-ink-2"
        lang={LANGUAGE_TAGS[clause.language]}
      >
        {clause.text}
      </p>
      {code.stage === 'sent' ? (
        <ConsentCodeField code={code} />
      ) : (
        <>
          <CodeProblem code={code} />
          <SendCode code={code} label={t(needsNoCode ? 'consent.agrees' : 'consent.send_code')} />
        </>
      )}
    </div>
  );
}
