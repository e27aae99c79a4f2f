import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';
import { useAccess } from './use-access.ts';

/** It needs the network, so its code comes when it is opened; its words came with the screen's. */
const Asked = late(
  async () => (await import('./erase-asked.tsx')).Asked,
  () => Promise.resolve(),
);

/** Deletes what is kept of a customer for good; a sheet says first what goes, what the law keeps, or why it cannot be yet. The customer's own, or the shop's on request. */
export function EraseData({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  if (isStaff && !can.activate) return null;
  const title = t(isStaff ? 'erase.theirs' : 'erase.mine');
  const close = () => setOpen(false);
  return (
    <>
      <Button tone="quiet" icon="trash" className="text-over" onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Sheet open={isOpen} onClose={close} title={title}>
        <Asked customerId={customerId} title={title} onDone={close} />
      </Sheet>
    </>
  );
}
