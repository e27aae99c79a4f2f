import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CustomerProfile } from '@kist/contract/customers';
import type { ExchangePreview } from '@kist/contract/exchanging';
import { isImei } from '@kist/contract/imei';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { paths } from '#web/paths.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { isLetGo } from '#web/widgets/let-go.ts';
import { NoKeys } from '#web/widgets/no-keys.tsx';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { ScanSheet } from '#web/widgets/scan/scan-sheet.tsx';
import { imeiDigits, secondOf } from '#web/widgets/scan/scan-text.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** What changing the phone does first, then which phone it is now. */
export function Asked({ profile }: { profile: CustomerProfile }) {
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
  const ofPhone: [IconName, string] = kind === 'EXCHANGED' ? ['unlock', 'exchanging.old'] : ['qr', 'exchanging.qr_new'];
  return [
    ...(channel === 'NONE' ? [] : [ofPhone]),
    ['key', `exchanging.key_${key}`],
    ...(consent === 'ANEW' ? [['sign', 'exchanging.consent'] as [IconName, string]] : []),
  ];
}

const nameOf = ({ brand, model }: { brand: string; model: string }) =>
  [brand, model].map((name) => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()).join('/');

/** A number that is put right keeps the consent only of the model that was agreed to; the server says the same when it is done. */
function foretold(said: ExchangePreview, { device }: CustomerProfile, phone: NewPhone): ExchangePreview {
  const isNamed = phone.brand.trim() !== '' && phone.model.trim() !== '';
  return device && isNamed && nameOf(phone) !== nameOf(device) ? { ...said, consent: 'ANEW' } : said;
}

function Consequences({ said }: { said: ExchangePreview }) {
  const { t } = useTranslation();
  return (
    <ul className="grid gap-2">
      {consequences(said).map(([icon, key]) => (
        <li key={key} className="flex items-start gap-2">
          <Icon name={icon} size={18} className="mt-0.5 text-ink-2" />
          <span>{t(key, { left: said.keys_left })}</span>
        </li>
      ))}
    </ul>
  );
}

type Typed = Record<'imei1' | 'imei2' | 'brand' | 'model' | 'reason', string>;

/** The phone that comes, and why; brand and model of a wrong number stay as they were. */
function useNewPhone({ customer, device }: CustomerProfile, isSame: boolean) {
  const [typed, type, forget] = useTyped<Typed>(`exchange/${customer.customer_id}`);
  const { imei1 = '', imei2 = '', reason = '' } = typed;
  const { brand = isSame ? (device?.brand ?? '') : '', model = isSame ? (device?.model ?? '') : '' } = typed;
  const isRight =
    isImei(imei1) && (imei2 === '' || (isImei(imei2) && imei2 !== imei1)) && brand.trim() !== '' && model.trim() !== '';
  return { imei1, imei2, brand, model, reason, type, forget, isRight };
}
type NewPhone = ReturnType<typeof useNewPhone>;

/** What another phone makes old. */
const EXCHANGE_READS: readonly CallName[] = [...PHONE_READS, 'getKeys', 'listPlans', 'getCustomerQrCode'];

type Slot = 'first' | 'second';

function PhoneFields({ phone, isSame, isAsked }: { phone: NewPhone; isSame: boolean; isAsked: boolean }) {
  const { t } = useTranslation();
  const { imei1, imei2 } = phone;
  const [scanning, setScanning] = useState<Slot | null>(null);
  const wrong = (imei: string, isWanted: boolean) =>
    imei.length === 15 ? !isImei(imei) : isAsked && (isWanted || imei !== '');
  const missing = (text: string) => (isAsked && text.trim() === '' ? t('field.required') : undefined);
  const comes = (read: readonly string[]) => phone.type({ imei1: read[0] ?? '', imei2: secondOf(phone, read) });
  const take = (imeis: readonly string[]) => {
    const [read = '', other] = imeis;
    if (scanning === 'second') phone.type({ imei2: read === imei1 ? (other ?? '') : read });
    else comes(imeis);
    tick();
    setScanning(null);
  };
  const scan = (slot: Slot, field: string) => (
    <IconButton icon="scan" label={t('add.scan_for', { field })} onClick={() => setScanning(slot)} className="-mr-3" />
  );
  const first = t(isSame ? 'exchanging.imei' : 'exchanging.imei_new');
  return (
    <>
      <TextField
        label={first}
        value={imei1}
        inputMode="numeric"
        onChange={(event) => comes([imeiDigits(event.target.value)])}
        error={wrong(imei1, true) ? t(imei1 === '' ? 'field.required' : 'field.imei') : undefined}
        suffix={scan('first', first)}
      />
      <TextField
        label={t('exchanging.imei2')}
        optional={t('common.optional')}
        value={imei2}
        inputMode="numeric"
        onChange={(event) => phone.type({ imei2: imeiDigits(event.target.value) })}
        error={wrong(imei2, false) || (imei2 !== '' && imei2 === imei1) ? t('field.imei') : undefined}
        suffix={scan('second', t('exchanging.imei2'))}
      />
      <Make phone={phone} missing={missing} />
      <ScanSheet open={scanning !== null} onClose={() => setScanning(null)} onImeis={take} />
    </>
  );
}

function Make({ phone, missing }: { phone: NewPhone; missing: (text: string) => string | undefined }) {
  const { t } = useTranslation();
  const { brand, model, type } = phone;
  return (
    <div className="grid grid-cols-2 gap-2">
      <TextField
        label={t('exchanging.brand')}
        value={brand}
        maxLength={LIMITS.nameLength}
        onChange={(event) => type({ brand: event.target.value })}
        error={missing(brand)}
      />
      <TextField
        label={t('exchanging.model')}
        value={model}
        maxLength={LIMITS.nameLength}
        onChange={(event) => type({ model: event.target.value })}
        error={missing(model)}
      />
    </div>
  );
}

function Ask({ profile, said }: { profile: CustomerProfile; said: ExchangePreview }) {
  const { customer_id } = profile.customer;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  // Of a phone that was let go no number is put right: another one comes.
  const kind = isLetGo(profile) ? 'EXCHANGED' : said.kind;
  const isSame = kind === 'CORRECTED';
  const phone = useNewPhone(profile, isSame);
  const { reason } = phone;
  const [isAsked, setAsked] = useState(false);
  const [isWithoutKey, setWithoutKey] = useState(false);
  const lead = useFirstWrong();
  const [send, { isBusy }] = useWrite('updateCustomerDetails', EXCHANGE_READS);
  const fault = reasonFault(reason, t);
  const change = async () => {
    setAsked(true);
    if (fault || !phone.isRight) return lead();
    setWithoutKey(false);
    const { imei1, imei2, brand, model } = phone;
    const device = { imei1, ...(imei2 && { imei2 }), brand, model };
    const { error } = await send({ body: { customer_id, edit: 'IMEI_EDIT', device, reason: reason.trim() } });
    if (error) return error.code === 'INSUFFICIENT_KEYS' ? setWithoutKey(true) : problem(error);
    phone.forget();
    // Told on the next screen itself: a message over it would lie on the code or its buttons.
    void navigate(paths.emmQr(customer_id), { state: { isExchanged: true } });
  };
  return (
    <div className="grid gap-3">
      <p>{t(`exchanging.intro_${kind}`, { no: said.agreement_no })}</p>
      <Consequences said={foretold(said, profile, phone)} />
      <PhoneFields phone={phone} isSame={isSame} isAsked={isAsked} />
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        rows={2}
        onChange={(event) => phone.type({ reason: event.target.value })}
        maxLength={LIMITS.noteLength}
        error={isAsked ? fault : undefined}
      />
      {isWithoutKey && <NoKeys />}
      <Button busy={isBusy} onClick={() => void change()}>
        {t('exchange.title')}
      </Button>
    </div>
  );
}
