import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CustomerProfile } from '@kist/contract/customers';
import { useWrite } from '#web/api/use-call.ts';
import { forgetForm } from '#web/offline/begun-forms.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** Takes the form away, here and on the server; a reserved key comes back. */
export function DeleteDraft({ customer }: { customer: CustomerProfile['customer'] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  const [isAsking, setAsking] = useState(false);
  const [remove, { isBusy }] = useWrite('deleteDraft', ['listCustomers', 'getDashboard', 'listPlans', 'getKeys']);
  const run = async () => {
    const { data, error } = await remove({ body: { customer_id: customer.customer_id } });
    if (error) {
      setAsking(false);
      return problem(error);
    }
    toast.ok(t(data.keys_returned > 0 ? 'navigate.deleted_key' : 'navigate.deleted'));
    await forgetForm(customer.customer_id);
    return navigate(paths.customerList(), { replace: true });
  };
  const name = customer.first_name;
  return (
    <>
      <Button tone="plain" icon="trash" onClick={() => setAsking(true)} className="mt-3 text-over">
        {t('navigate.delete')}
      </Button>
      <Confirm
        open={isAsking}
        title={t('navigate.delete_ask')}
        body={name ? t('navigate.delete_body', { name }) : t('navigate.delete_unnamed')}
        confirmLabel={t('navigate.delete')}
        danger
        busy={isBusy}
        onConfirm={() => void run()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
