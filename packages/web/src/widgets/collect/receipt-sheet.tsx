import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Money } from '#web/widgets/money.tsx';
import { usePaymentPage } from '#web/widgets/payment-page.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { PaperActions } from './paper-actions.tsx';
import { paperText, receiptPaper } from './paper.ts';
import { useShopSignature } from './shop-signature.ts';
import { useTheirWords } from './their-words.ts';

/** The money is in: receipt to give, and what became of the phone. Never says "unlocked" before the phone did. */
export function ReceiptSheet(props: {
  receipt: Receipt | undefined;
  details: EmiDetails | undefined;
  onClose: () => void;
}) {
  const { receipt, details, onClose } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={receipt !== undefined} onClose={onClose} title={t('emi.receipt')}>
      {receipt && details && <Body receipt={receipt} agreement={details.agreement} />}
    </Sheet>
  );
}

function Body({ receipt, agreement }: { receipt: Receipt; agreement: EmiDetails['agreement'] }) {
  const { t } = useTranslation();
  const paymentPage = usePaymentPage();
  const shop = useMe().data?.shop_name ?? '';
  const signature = useShopSignature();
  const theirs = useTheirWords(agreement.customer_id);
  const of = {
    shop,
    customer: `${agreement.first_name} ${agreement.last_name}`.trim(),
    device: agreement.device,
    agreementNo: agreement.agreement_no,
    paymentPage,
    signature,
  };
  const paper = receiptPaper(of, receipt, t);
  const text = paperText(receiptPaper(of, receipt, theirs), theirs);
  return (
    <div className="grid gap-3">
      <div className="grid justify-items-center gap-1 text-center">
        <span className="grid size-12 place-items-center rounded-full bg-ok-soft text-ok">
          <Icon name="check" />
        </span>
        <Money paise={receipt.amount_paise} />
        <span className="text-sm text-ink-2">{t('emi.receipt_no', { no: receipt.receipt_no })}</span>
      </div>
      {receipt.unlock && <PhoneSays customerId={agreement.customer_id} />}
      {receipt.warnings.includes('CASH_LIMIT') && (
        <p className="rounded-lg bg-over-soft p-3 text-over">{t('emi.cash_limit')}</p>
      )}
      <Facts items={paper.lines} />
      <PaperActions paper={paper} mobile={agreement.mobile} text={text} />
      <ButtonLink to={paths.customerDetails(agreement.customer_id)} tone="quiet" block>
        {t('emi.see_phone')}
      </ButtonLink>
    </div>
  );
}

/** Most phones open within a second of the payment, and the shop looks on. */
const ASK_MS = 800;

/** What the phone itself says of the unlock that went out: under way until it confirms. */
function PhoneSays({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const { data } = useRead('getCustomerProfile', { query: { customer_id: customerId } }, { pollMs: ASK_MS });
  const lock = data?.lock;
  const isFree = lock != null && lock.lock_status === 0 && !lock.pending;
  return (
    <p
      role="status"
      className={cx('flex items-center gap-3 rounded-lg p-3', isFree ? 'bg-ok-soft text-ok' : 'bg-due-soft text-due')}
    >
      <Icon name={isFree ? 'unlock' : 'clock'} />
      {t(isFree ? 'emi.phone_unlocked' : 'emi.unlock_sent')}
    </p>
  );
}
