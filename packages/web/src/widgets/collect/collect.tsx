import { useState } from 'react';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { useRead } from '#web/api/use-call.ts';
import { CollectSheet } from './collect-sheet.tsx';
import { ReceiptSheet } from './receipt-sheet.tsx';

/**
 * Taking money of one customer, wherever one stands: the sheet with what is usually collected, then the receipt.
 * @param customerId whose; null: nobody's, and nothing is asked for or shown.
 * @param saidPaise what the button said that was pressed, where it said a sum.
 */
export function Collect(props: { customerId: string | null; saidPaise?: number | undefined; onClose: () => void }) {
  const { customerId, saidPaise, onClose } = props;
  const details = useRead('getEmiDetails', { body: { customer_id: customerId ?? '' } }, { skip: customerId === null });
  const [done, setDone] = useState<{ receipt: Receipt; details: EmiDetails } | null>(null);
  return (
    <>
      <CollectSheet
        open={customerId !== null}
        onClose={onClose}
        details={details}
        saidPaise={saidPaise}
        onReceipt={(receipt, of) => setDone({ receipt, details: of })}
      />
      <ReceiptSheet receipt={done?.receipt} details={done?.details} onClose={() => setDone(null)} />
    </>
  );
}
