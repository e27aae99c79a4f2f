import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';

/** One customer, or all who have to pay by some day; the words of a filter. */
export type Reminding = { customer_id: string } | { due: 'overdue' | 'today' | 'week' | 'month' };

const Asked = late(
  async () => (await import('./remind-asked.tsx')).Asked,
  () => Promise.resolve(),
);

/** Nobody is reminded before the shop has read the very words. @param whom null: it is closed. */
export function RemindSheet(props: { whom: Reminding | null; title: string; onClose: () => void }) {
  const { whom, title, onClose } = props;
  return (
    <Sheet open={whom !== null} onClose={onClose} title={title}>
      {whom && <Asked whom={whom} onDone={onClose} />}
    </Sheet>
  );
}
