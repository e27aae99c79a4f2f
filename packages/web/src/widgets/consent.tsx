import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';
import { useAccess } from './use-access.ts';

/** With words of the sale: a consent is seldom collected afterwards. */
const CollectConsent = late(async () => (await import('./collect-consent.tsx')).CollectConsent);

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
          <CollectConsent customer={customer} needsNoCode={needsNoCode === true} onDone={() => setOpen(false)} />
        )}
      </Sheet>
    </Card>
  );
}
