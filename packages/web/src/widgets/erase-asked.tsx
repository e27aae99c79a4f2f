import { useTranslation } from 'react-i18next';
import type { Erasure } from '@kist/contract/privacy';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { forgetTypedOf } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast.ts';
import { QueryView } from './query-view.tsx';
import { useProblem } from './use-problem.ts';

interface Asking {
  customerId: string;
  title: string;
  onDone: () => void;
}

/** Whether it can be now, what goes and what stays; and the press that does it. */
export function Asked(asking: Asking) {
  const said = useRead('previewErasure', { query: { customer_id: asking.customerId } });
  return <QueryView result={said}>{(found) => <Ask {...asking} said={found} />}</QueryView>;
}

function Ask({ customerId, title, onDone, said }: Asking & { said: Erasure }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [send, { isBusy }] = useWrite('eraseCustomer', ['getCustomerProfile', 'getCustomerDocuments', 'listCustomers']);
  if (said.erased_at) return <p>{t('erase.on', { date: formatDate(said.erased_at) })}</p>;
  const erase = async () => {
    const { error } = await send({ body: { customer_id: customerId } });
    if (error) return problem(error);
    forgetTypedOf(customerId);
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
