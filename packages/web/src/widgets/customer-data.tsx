import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shopToday } from '#web/i18n/formats.ts';
import { useSend } from '#web/api/use-send.ts';
import { Button } from '#web/ui/button.tsx';
import { EraseData } from './erase-data.tsx';
import { useSaveFile } from './save-file.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

/** What a customer may ask of the shop: all that is kept of them as a file, and that it goes. */
export function CustomerDataButtons({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const [send] = useSend('getCustomerData');
  const [isBusy, setBusy] = useState(false);
  const problem = useProblem();
  const save = useSaveFile();
  const download = async () => {
    setBusy(true);
    const { data, error } = await send({ query: { customer_id: customerId } });
    setBusy(false);
    if (error) return problem(error);
    await save(JSON.stringify(data, null, 1), `customer-data-${shopToday()}.json`);
  };
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {can.read && (
        <Button tone="quiet" icon="download" busy={isBusy} onClick={() => void download()}>
          {t('erase.download')}
        </Button>
      )}
      <EraseData customerId={customerId} />
    </div>
  );
}
