import { useTranslation } from 'react-i18next';
import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { toast } from '#web/ui/toast.ts';
import { useClause } from './clause.ts';
import { CodeProblem, ConsentCodeField, SendCode } from './consent-code.tsx';
import { AgreementSums } from './consent-sums.tsx';
import { useConsentCode } from './use-consent-code.ts';

/** The sums and the text that the customer agrees to, and the code that says so: sent, and told here. */
export function CollectConsent({
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
      <AgreementSums customerId={customer.customer_id} />
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
