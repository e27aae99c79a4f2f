import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { upiLink } from '@kist/contract/upi';
import { type CallReply } from '#web/api/calls.ts';
import { useRead } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { newId } from '#web/state/ids.ts';
import { QrCode } from '#web/widgets/qr-code.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';

interface Asked {
  details: EmiDetails;
  paise: number | undefined;
}
type Shop = CallReply<'getUserDetails'>;

/** What a customer scans at the counter to pay the shop that collects: a code with the amount in it, and the shop's own as it was uploaded. */
export function UpiCodes(asked: Asked) {
  const shop = useRead('getUserDetails', { query: {} });
  return <QueryView result={shop}>{(data) => <Codes shop={data} {...asked} />}</QueryView>;
}

function Codes({ shop, details, paise }: Asked & { shop: Shop }) {
  const { t } = useTranslation();
  if (!shop.upi_id && !shop.has_qr) return <p className="text-ink-2">{t('upi_codes.none')}</p>;
  return (
    <div className="grid justify-items-center gap-4 text-center">
      {shop.upi_id && paise !== undefined && paise > 0 && (
        <WithAmount shop={shop} upiId={shop.upi_id} agreementNo={details.agreement.agreement_no} paise={paise} />
      )}
      {shop.has_qr && <Own paise={paise} />}
    </div>
  );
}

/** Made for this one payment: its `tr` is in no code before. */
function WithAmount(props: { shop: Shop; upiId: string; agreementNo: string; paise: number }) {
  const { shop, upiId, agreementNo, paise } = props;
  const { t } = useTranslation();
  const [mark] = useState(newId);
  const payee = shop.shop_name || shop.first_name;
  const link = upiLink({ upiId, payee, amountPaise: paise, agreementNo }, mark);
  return (
    <div className="grid justify-items-center gap-2">
      <div className="w-full max-w-60 overflow-hidden rounded-xl border border-line">
        <QrCode text={link} label={t('mine.code_of', { shop: payee })} />
      </div>
      <b>{formatMoney(paise)}</b>
      <span className="text-sm break-all text-ink-2">{upiId}</span>
    </div>
  );
}

/** It names no amount: the customer does. */
function Own({ paise }: { paise: number | undefined }) {
  const { t } = useTranslation();
  const { data: picture } = useRead('getUserPicture', { query: { kind: 'qr' } });
  if (!picture) return null;
  return (
    <div className="grid justify-items-center gap-2">
      <b>{t('upi_codes.own')}</b>
      <img src={picture.data_url} alt={t('upi_codes.own')} className="max-h-64 rounded-md bg-white" />
      {paise !== undefined && paise > 0 && (
        <p className="text-sm text-ink-2">{t('upi_codes.own_hint', { amount: formatMoney(paise) })}</p>
      )}
    </div>
  );
}
