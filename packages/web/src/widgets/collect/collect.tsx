import { useState } from 'react';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { useRead } from '#web/api/use-call.ts';
import { CollectSheet } from './collect-sheet.tsx';
import { ReceiptSheet } from './receipt-sheet.tsx';

/**
 * Taking money of one customer, wherever one stands: the sheet with what is usually collected, then the receipt.
 * @param customerId whose; null: nobody's, and nothing is asked for or shown.
 */
export function Collect({ customerId, onClose }: { customerId: string | null; onClose: () => void }) {
  const details = useRead('getEmiDetails', { body: { customer_id: customerId ?? '' } }, { skip: customerId === null });
  const [done, setDone] = useState<{ receipt: Receipt; details: EmiDetails } | null>(null);
  return (
    <>
      <CollectSheet
        open={customerId !== null}
        onClose={onClose}
        details={details}
        onReceipt={(receipt, of) => setDone({ receipt, details: of })}
      />
      <ReceiptSheet receipt={done?.receipt} details={done?.details} onClose={() => setDone(null)} />
    </>
  );
}
