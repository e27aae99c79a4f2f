import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { RadioRows } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { hasReference } from './payment-methods.ts';

/** How it is paid, and the reference of what has one. */
export function TenderFields(props: {
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
  setMethod: (method: PaymentMethod) => void;
  reference: string;
  setReference: (reference: string) => void;
  hint?: string | undefined;
  wrong?: string | undefined;
}) {
  const { methods, method, setMethod, reference, setReference, hint, wrong } = props;
  const { t } = useTranslation();
  return (
    <>
      <RadioRows
        label={t('emi.how')}
        name="method"
        inline
        value={method}
        onChange={setMethod}
        options={methods.map((value) => ({ value, label: t(`emi.pay_${value}`) }))}
      />
      {hasReference(method) && (
        <TextField
          label={t('emi.reference')}
          value={reference}
          onChange={(event) => setReference(event.target.value)}
          maxLength={LIMITS.referenceLength}
          optional={t('common.optional')}
          hint={hint}
          error={wrong}
        />
      )}
    </>
  );
}
