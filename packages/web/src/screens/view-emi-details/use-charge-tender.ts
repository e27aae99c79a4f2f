import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { isRightReference } from '#web/widgets/payment-methods.ts';

/** How the money of a late fee came: it is asked as of an EMI, for cash that nobody took would be missing in the till. */
export function useChargeTender() {
  const { t } = useTranslation();
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const [reference, setReference] = useState('');
  const [isTried, setTried] = useState(false);
  const lead = useFirstWrong();
  const isRight = isRightReference(method, reference);
  return {
    /** As it is sent. */
    tender: { method, reference: reference.trim() },
    fields: {
      method,
      setMethod,
      reference,
      setReference,
      hint: method === 'UPI' ? t('emi.utr') : undefined,
      wrong: isTried && !isRight ? t('emi.utr') : undefined,
    },
    /** @returns whether it can be sent; where it cannot, the field that is wrong is led to */
    check: (): boolean => {
      setTried(true);
      if (!isRight) lead();
      return isRight;
    },
  };
}
