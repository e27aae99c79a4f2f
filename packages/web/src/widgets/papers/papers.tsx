import { useRead } from '#web/api/use-call.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { PaperList } from './paper-list.tsx';
import { PaperSheet } from './paper-sheet.tsx';
import { pictureIn, type Slot } from './slots.ts';

/** The pictures kept of a customer, and the one whose place is open. */
export function Papers(props: {
  customerId: string;
  /** Whether pictures may be added and replaced. */
  isOpen: boolean;
  /** First and last name, as far as it is known. */
  whose: string;
  slot: Slot | undefined;
  onSlot: (slot: Slot | undefined) => void;
}) {
  const { customerId, isOpen, whose, slot, onSlot } = props;
  const result = useRead('getCustomerDocuments', { query: { customer_id: customerId } });
  return (
    <QueryView result={result}>
      {(documents) => (
        <>
          <PaperList customerId={customerId} documents={documents} isOpen={isOpen} onOpen={onSlot} />
          {slot && (
            <PaperSheet
              key={`${slot.type} ${slot.name}`}
              customerId={customerId}
              slot={slot}
              kept={slot.type === 'other' && !slot.name ? undefined : pictureIn(slot, documents)}
              isOpen={isOpen}
              whose={whose}
              onClose={() => onSlot(undefined)}
            />
          )}
        </>
      )}
    </QueryView>
  );
}
