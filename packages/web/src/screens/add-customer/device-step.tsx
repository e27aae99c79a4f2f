import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { PHONE_BRANDS } from '@kist/contract/phone-brands';
import { useRead } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Choices } from '#web/ui/choices.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ScanSheet } from '#web/widgets/scan/scan-sheet.tsx';
import { imeiDigits, imeiState, secondOf } from '#web/widgets/scan/scan-text.ts';
import { FormField } from './inputs.tsx';
import { useModelOfImei } from './use-model.ts';
import type { Form } from './use-form.ts';

type ImeiName = 'device.imei1' | 'device.imei2';

/** Which phone. The IMEI is read by the camera or typed; its check digit speaks while it is typed. */
export function DeviceStep({ form }: { form: Form }) {
  const { t } = useTranslation();
  const [scanning, setScanning] = useState<ImeiName | null>(null);
  useModelOfImei(form);
  const take = (imeis: readonly string[]) => {
    const [first = ''] = imeis;
    const { 'device.imei1': imei1, 'device.imei2': imei2 } = form.values;
    if (scanning === 'device.imei2') form.set({ 'device.imei2': imeis.find((imei) => imei !== imei1) ?? first });
    else form.set({ 'device.imei1': first, 'device.imei2': secondOf({ imei1, imei2 }, imeis) });
    tick();
    setScanning(null);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2 lg:items-start lg:gap-5">
      <Card className="grid gap-4">
        <ImeiField form={form} name="device.imei1" label={t('add.imei1')} onScan={setScanning} />
        <ImeiField
          form={form}
          name="device.imei2"
          label={t('add.imei2')}
          optional={t('common.optional')}
          onScan={setScanning}
        />
        <p className="flex gap-2 text-sm text-ink-2">
          <Icon name="info" size={16} className="mt-px" />
          {t('add.imei_where')}
        </p>
      </Card>
      <Make form={form} />
      <ScanSheet open={scanning !== null} onClose={() => setScanning(null)} onImeis={take} />
    </div>
  );
}

/** Brand and model, which the IMEI's first eight digits bring where they are known. */
function Make({ form }: { form: Form }) {
  const { t } = useTranslation();
  const most = { maxLength: LIMITS.nameLength } as const;
  const { brands, models } = useMakes(form.values['device.brand']);
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FormField form={form} name="device.brand" label={t('add.brand')} wanted list="phone-brands" {...most} />
      <Choices id="phone-brands" of={brands} />
      <FormField form={form} name="device.model" label={t('add.model')} wanted list="phone-models" {...most} />
      <Choices id="phone-models" of={models} />
    </Card>
  );
}

/** Makers and, of the one that is typed, models: those that most sell where the organisation's own are not known. */
function useMakes(typed: string): { brands: readonly string[]; models: readonly string[] } {
  const { data } = useRead('getBrands', {});
  const brands = data?.map(({ name }) => name) ?? PHONE_BRANDS;
  const brand = brands.find((name) => name.toLowerCase() === typed.trim().toLowerCase());
  const made = useRead('getBrands', { query: { brand } }, { skip: brand === undefined });
  return { brands, models: (brand !== undefined && made.data?.[0]?.models) || [] };
}

function ImeiField(props: {
  form: Form;
  name: ImeiName;
  label: string;
  optional?: string;
  onScan: (name: ImeiName) => void;
}) {
  const { form, name, label, optional, onScan } = props;
  const { t } = useTranslation();
  const text = form.values[name];
  const state = imeiState(text);
  const hint = {
    empty: t('add.imei_hint'),
    typing: t('add.imei_typing', { typed: text.length }),
    wrong: undefined,
    right: t('add.imei_right'),
  }[state];
  const shown =
    state === 'wrong' && !form.sentences[name]
      ? { ...form, sentences: { ...form.sentences, [name]: t('field.imei') } }
      : form;
  return (
    <FormField
      form={shown}
      name={name}
      label={label}
      wanted={!optional}
      optional={optional}
      hint={hint}
      inputMode="numeric"
      clean={imeiDigits}
      suffix={
        <>
          {state === 'right' && <Icon name="check" size={20} className="text-ok" />}
          <IconButton
            icon="scan"
            label={t('add.scan_for', { field: label })}
            onClick={() => onScan(name)}
            className="-mr-3"
          />
        </>
      }
    />
  );
}
