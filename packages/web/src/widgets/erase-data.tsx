import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Erasure } from '@kist/contract/privacy';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { QueryView } from './query-view.tsx';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

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

interface Asking {
  customerId: string;
  title: string;
  onDone: () => void;
}

function Asked(asking: Asking) {
  const said = useRead('previewErasure', { query: { customer_id: asking.customerId } });
  return <QueryView result={said}>{(found) => <Ask {...asking} said={found} />}</QueryView>;
}

function Ask({ customerId, title, onDone, said }: Asking & { said: Erasure }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [send, { isBusy }] = useWrite('eraseCustomer', ['getCustomerProfile', 'getCustomerDocuments', 'listCustomers']);
  if (said.erased_at) return <p>{t('erase.on', { date: formatDate(said.erased_at.slice(0, 10)) })}</p>;
  const erase = async () => {
    const { error } = await send({ body: { customer_id: customerId } });
    if (error) return problem(error);
    toast.ok(t('customers.erased'));
    onDone();
  };
  const kept = { books: formatDate(said.books_until), evidence: formatDate(said.evidence_until) };
  return (
    <div className="grid gap-3">
      {said.refused && (
        <p role="status" className="font-bold">
          {t(`erase.no_${said.refused}`)}
        </p>
      )}
      <ul className="grid gap-2">
        <li className="flex items-start gap-2">
          <Icon name="trash" size={18} className="mt-0.5 text-ink-2" />
          <span>{t('erase.goes')}</span>
        </li>
        <li className="flex items-start gap-2">
          <Icon name="shield" size={18} className="mt-0.5 text-ink-2" />
          <span>{t('erase.stays', kept)}</span>
        </li>
      </ul>
      <Button tone="danger" busy={isBusy} disabled={said.refused !== null} onClick={() => void erase()}>
        {title}
      </Button>
    </div>
  );
}
