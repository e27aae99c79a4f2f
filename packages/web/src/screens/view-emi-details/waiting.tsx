import { useTranslation } from 'react-i18next';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { useRead } from '#web/api/use-call.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { ClaimOnPhone, Claims, MoneySaid } from '#web/widgets/claims.tsx';
import { AskedWaiver } from './penalty-sheet.tsx';
import { Refund } from './refund.tsx';

const nothing = () => undefined;

/** What waits for the shop's word, before anything else of the agreement: what the customer says was paid, what goes back, what shall be given up. */
export function Waiting({ details }: { details: EmiDetails }) {
  const { agreement, payments, charges } = details;
  const { t } = useTranslation();
  return (
    <>
      <Claims payments={payments} />
      <ClaimOnPhone details={details} />
      <OpenRefunds payments={payments} isCancelled={agreement.state === 'cancelled'} />
      {charges.map(
        (charge) =>
          charge.asked && (
            <Card key={charge.charge_id} aria-label={t('penalty.waiting')} className="grid gap-3">
              <Chip tone="due" icon="clock">
                {t('penalty.waiting')}
              </Chip>
              <AskedWaiver charge={charge} asked={charge.asked} onDone={nothing} />
            </Card>
          ),
      )}
    </>
  );
}

/** Those that still have to go back: of an agreement that was over when they came, of a cancelled one all; asked for only where there is such money. */
function OpenRefunds({ payments, isCancelled }: { payments: readonly PaymentView[]; isCancelled: boolean }) {
  const { t } = useTranslation();
  const after = payments.filter(({ state, goes_to }) => state === 'posted' && (isCancelled || goes_to === 'suspense'));
  const { data: tasks = [] } = useRead('listRefunds', {}, { skip: after.length === 0 });
  const isOpen = new Set(tasks.filter(({ state }) => state === 'open').map(({ payment_id }) => payment_id));
  return after
    .filter(({ payment_id }) => isOpen.has(payment_id))
    .map((payment) => (
      <Card key={payment.payment_id} aria-label={t('dashboard.do_refund_open')} className="grid gap-3">
        <MoneySaid payment={payment} title={t('dashboard.do_refund_open')} />
        <Refund paymentId={payment.payment_id} onDone={nothing} />
      </Card>
    ));
}
