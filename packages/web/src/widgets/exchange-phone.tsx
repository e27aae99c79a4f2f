import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import type { ExchangePreview } from '@kist/contract/exchanging';
import { isImei } from '@kist/contract/imei';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { Sheet } from '#web/ui/sheet.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { QueryView } from './query-view.tsx';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

/** Another phone under a running agreement, or its wrong number put right (IMEI_EDIT): a sheet says first what becomes of phone, key and consent. */
export function ExchangePhone({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isShop, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const { customer, agreement, edit_actions: edits } = profile;
  if (!isShop || !can.activate || agreement?.state !== 'active') return null;
  if (!edits.includes('IMEI_EDIT') || customer.status === CUSTOMER_STATUS.deactivate) return null;
  return (
    <>
      <Button tone="plain" icon="phone" onClick={() => setOpen(true)}>
        {t('exchange.title')}
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('exchange.title')}>
        <Asked profile={profile} />
      </Sheet>
    </>
  );
}

function Asked({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { customer_id } = profile.customer;
  const said = useRead('previewExchange', { query: { customer_id } });
  return (
    <QueryView result={said}>
      {(found) => (found.refused ? <p>{t('exchange.held')}</p> : <Ask profile={profile} said={found} />)}
    </QueryView>
  );
}

/** What changing the phone does, a line for each thing that it does it to. */
function consequences({ kind, channel, key, consent }: ExchangePreview): [IconName, string][] {
  const ofPhone: [IconName, string] = kind === 'EXCHANGED' ? ['unlock', 'exchange.old'] : ['qr', 'exchange.qr_new'];
  return [
    ...(channel === 'NONE' ? [] : [ofPhone]),
    ['key', `exchange.key_${key}`],
    ...(consent === 'ANEW' ? [['sign', 'exchange.consent'] as [IconName, string]] : []),
  ];
}

/** The phone that comes; brand and model of a wrong number stay as they were. */
function useNewPhone({ device }: CustomerProfile, isSame: boolean) {
  const [imei1, setImei1] = useState('');
  const [imei2, setImei2] = useState('');
  const [brand, setBrand] = useState(isSame ? (device?.brand ?? '') : '');
  const [model, setModel] = useState(isSame ? (device?.model ?? '') : '');
  const isRight =
    isImei(imei1) && (imei2 === '' || (isImei(imei2) && imei2 !== imei1)) && brand.trim() !== '' && model.trim() !== '';
  return { imei1, imei2, brand, model, setImei1, setImei2, setBrand, setModel, isRight };
}
type NewPhone = ReturnType<typeof useNewPhone>;

/** What another phone makes old. */
const EXCHANGE_READS: readonly CallName[] = [...PHONE_READS, 'getKeys', 'listPlans', 'getCustomerQrCode'];

const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, 15);

function PhoneFields({ phone, isSame, isAsked }: { phone: NewPhone; isSame: boolean; isAsked: boolean }) {
  const { t } = useTranslation();
  const { imei1, imei2, brand, model } = phone;
  const wrong = (imei: string, isWanted: boolean) =>
    imei.length === 15 ? !isImei(imei) : isAsked && (isWanted || imei !== '');
  const missing = (text: string) => (isAsked && text.trim() === '' ? t('field.required') : undefined);
  return (
    <>
      <TextField
        label={t(isSame ? 'exchange.imei' : 'exchange.imei_new')}
        value={imei1}
        inputMode="numeric"
        onChange={(event) => phone.setImei1(digitsOf(event.target.value))}
        error={wrong(imei1, true) ? t('field.imei') : undefined}
      />
      <TextField
        label={t('exchange.imei2')}
        optional={t('common.optional')}
        value={imei2}
        inputMode="numeric"
        onChange={(event) => phone.setImei2(digitsOf(event.target.value))}
        error={wrong(imei2, false) || (imei2 !== '' && imei2 === imei1) ? t('field.imei') : undefined}
      />
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label={t('exchange.brand')}
          value={brand}
          maxLength={LIMITS.nameLength}
          onChange={(event) => phone.setBrand(event.target.value)}
          error={missing(brand)}
        />
        <TextField
          label={t('exchange.model')}
          value={model}
          maxLength={LIMITS.nameLength}
          onChange={(event) => phone.setModel(event.target.value)}
          error={missing(model)}
        />
      </div>
    </>
  );
}

function Ask({ profile, said }: { profile: CustomerProfile; said: ExchangePreview }) {
  const { customer_id } = profile.customer;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  const isSame = said.kind === 'CORRECTED';
  const phone = useNewPhone(profile, isSame);
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [send, { isBusy }] = useWrite('updateCustomerDetails', EXCHANGE_READS);
  const isTold = reason.trim().length >= LIMITS.reasonLengthMin;
  const change = async () => {
    setAsked(true);
    if (!isTold || !phone.isRight) return;
    const { imei1, imei2, brand, model } = phone;
    const device = { imei1, ...(imei2 && { imei2 }), brand, model };
    const { error } = await send({ body: { customer_id, edit: 'IMEI_EDIT', device, reason: reason.trim() } });
    if (error) return problem(error);
    toast.ok(t('exchange.done'));
    void navigate(paths.emmQr(customer_id));
  };
  return (
    <div className="grid gap-3">
      <p>{t(`exchange.intro_${said.kind}`, { no: said.agreement_no })}</p>
      <ul className="grid gap-2">
        {consequences(said).map(([icon, key]) => (
          <li key={key} className="flex items-start gap-2">
            <Icon name={icon} size={18} className="mt-0.5 text-ink-2" />
            <span>{t(key, { left: said.keys_left })}</span>
          </li>
        ))}
      </ul>
      <PhoneFields phone={phone} isSame={isSame} isAsked={isAsked} />
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        rows={2}
        onChange={(event) => setReason(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isAsked && !isTold ? t('field.required') : undefined}
      />
      <Button busy={isBusy} onClick={() => void change()}>
        {t('exchange.title')}
      </Button>
    </div>
  );
}
