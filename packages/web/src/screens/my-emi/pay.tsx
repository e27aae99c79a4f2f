import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import type { PayTo } from '@kist/contract/pay-to';
import { upiLink } from '@kist/contract/upi';
import { formatMoney } from '#web/i18n/formats.ts';
import { telUrl } from '#web/native/share.ts';
import { newId } from '#web/state/ids.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { ClaimSheet, Waiting, waitingClaims } from '#web/widgets/claim-sheet.tsx';
import { PaymentPage } from '#web/widgets/payment-page.tsx';
import { QrCode } from '#web/widgets/qr-code.tsx';

/** Paying by a UPI app of this phone first; the code is for another phone. Neither proves anything to the shop, so the customer says it. */
export function Pay({ details, pay }: { details: EmiDetails; pay: PayTo }) {
  const { t } = useTranslation();
  const [isClaiming, setClaiming] = useState(false);
  const claim = () => setClaiming(true);
  return (
    <Card className="grid gap-2.5" aria-label={t('mine.pay')}>
      <Waiting claims={waitingClaims(details)} />
      {pay.upi_id ? <ByUpi pay={pay} upiId={pay.upi_id} onClaim={claim} /> : <AtShop pay={pay} onClaim={claim} />}
      <PaymentPage />
      <ClaimSheet open={isClaiming} onClose={() => setClaiming(false)} details={details} />
    </Card>
  );
}

function ByUpi({ pay, upiId, onClaim }: { pay: PayTo; upiId: string; onClaim: () => void }) {
  const { t } = useTranslation();
  // No link and no code is given out twice: each has a `tr` of its own.
  const [mark, setMark] = useState(newId);
  const [isCode, setCode] = useState(false);
  const renew = () => setMark(newId());
  const { shop: payee, amount_paise: amountPaise, agreement_no: agreementNo } = pay;
  const link = upiLink({ upiId, payee, amountPaise, agreementNo }, mark);
  const title = t('mine.pay_upi', { amount: formatMoney(amountPaise) });
  const close = () => {
    setCode(false);
    renew();
  };
  return (
    <>
      <ButtonAnchor href={link} tone="accent" icon="rupee" block onClick={renew}>
        {title}
      </ButtonAnchor>
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <Button tone="plain" icon="qr" onClick={() => setCode(true)}>
          {t('mine.pay_elsewhere')}
        </Button>
        <IPaid onPress={onClaim} />
      </div>
      <p className="text-sm text-ink-2">{t('mine.upi_unseen')}</p>
      <Sheet open={isCode} onClose={close} title={title}>
        {isCode && <Code link={link} pay={pay} />}
      </Sheet>
    </>
  );
}

function AtShop({ pay, onClaim }: { pay: PayTo; onClaim: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('mine.pay_at_shop', { amount: formatMoney(pay.amount_paise) })}</p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        {pay.shop_phone && (
          <ButtonAnchor href={telUrl(pay.shop_phone)} icon="call">
            {t('mine.call_shop')}
          </ButtonAnchor>
        )}
        <IPaid onPress={onClaim} />
      </div>
    </>
  );
}

function IPaid({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <Button tone="plain" icon="check" onClick={onPress}>
      {t('emi.i_paid')}
    </Button>
  );
}

function Code({ link, pay }: { link: string; pay: PayTo }) {
  const { t } = useTranslation();
  return (
    <div className="grid justify-items-center gap-2 text-center">
      <div className="w-full max-w-60 overflow-hidden rounded-xl border border-line">
        <QrCode text={link} label={t('mine.code_of', { shop: pay.shop })} />
      </div>
      <b>{pay.shop}</b>
      <span className="text-sm break-all text-ink-2">{pay.upi_id}</span>
      <p className="text-sm text-ink-2">{t('mine.code_hint')}</p>
    </div>
  );
}
