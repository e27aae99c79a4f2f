import { useTranslation } from 'react-i18next';
import { EMI_FREQUENCIES, EMI_METHODS, type EmiFrequency } from '@kist/contract/emi-limits';
import { Card } from '#web/ui/card.tsx';
import { digits } from '#web/ui/clean-text.ts';
import { FilterChip } from '#web/ui/chip.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { EmiPreview } from './emi-preview.tsx';
import { frequencyOf, methodOf } from './fields.ts';
import { FormField } from './inputs.tsx';
import { LenderPart } from './lender-part.tsx';
import type { Lenders } from './lenders.ts';
import { usePlans } from './plan-step.tsx';
import { type Preset, presetOf, withPreset, withPrice } from './presets.ts';
import type { Preview } from './use-preview.ts';
import type { Form } from './use-form.ts';

/** How many EMIs shops usually agree, for one press instead of typing. */
const USUAL: Record<EmiFrequency, readonly number[]> = {
  MONTHLY: [3, 6, 9, 12],
  FORTNIGHTLY: [6, 12, 18, 26],
  WEEKLY: [12, 26, 39, 52],
};
const percent = (text: string) => {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  return rest.length > 0 ? `${whole.slice(0, 3)}.${rest.join('').slice(0, 2)}` : whole.slice(0, 3);
};

/** The deal; what it costs stands beside it and follows every key. */
export function EmiStep({ form, preview, lenders }: { form: Form; preview: Preview; lenders: Lenders }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5">
      <div className="grid content-start gap-3">
        <LenderPart form={form} lenders={lenders} />
        <Terms form={form} />
      </div>
      <div className="md:sticky md:top-[calc(var(--top,0px)+5rem)] md:self-start">
        <EmiPreview preview={preview} form={form} />
      </div>
    </div>
  );
}

function Terms({ form }: { form: Form }) {
  const { t } = useTranslation();
  const frequency = frequencyOf(form.values);
  const presets = usePlans().data?.find((plan) => String(plan.plan_id) === form.values.plan_id)?.presets ?? [];
  return (
    <Card className="grid gap-4">
      <Price form={form} presets={presets} />
      <Presets form={form} presets={presets} />
      <Interest form={form} />
      <SelectField
        label={t('add.frequency')}
        name="emi.frequency"
        value={frequency}
        onChange={(event) => form.set({ 'emi.frequency': event.currentTarget.value })}
        options={EMI_FREQUENCIES.map((one) => ({ value: one, label: t(`add.frequency_${one}`) }))}
      />
      <Tenure form={form} frequency={frequency} />
      <Dates form={form} isMonthly={frequency === 'MONTHLY'} />
    </Card>
  );
}

/** What the organisation offers on this plan, one press each. */
function Presets({ form, presets }: { form: Form; presets: readonly Preset[] }) {
  const { t } = useTranslation();
  if (presets.length === 0) return null;
  const on = presetOf(presets, form.values);
  return (
    <div className="grid gap-1.5">
      <span id="emi-presets" className="text-sm font-semibold">
        {t('add.presets')}
      </span>
      <div role="group" aria-labelledby="emi-presets" className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <FilterChip
            key={preset.name}
            pressed={preset === on}
            onClick={() => form.set(withPreset(preset, form.values['emi.cash_price']))}
          >
            {preset.name}
          </FilterChip>
        ))}
      </div>
    </div>
  );
}

function Price({ form: { values, sentences, set }, presets }: { form: Form; presets: readonly Preset[] }) {
  const { t } = useTranslation();
  const money = (name: 'emi.cash_price' | 'emi.down_payment' | 'emi.fee') => ({
    name,
    valuePaise: values[name] === '' ? undefined : Number(values[name]),
    onPaise: (paise: number | undefined) => {
      const text = paise === undefined ? '' : String(paise);
      set(name === 'emi.cash_price' ? withPrice(presets, values, text) : { [name]: text });
    },
    error: sentences[name],
  });
  // The deposit is asked by every shop; that it may be nothing is no reason to pass it by.
  const wanted = { 'data-wanted': true, enterKeyHint: 'next' } as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <MoneyField label={t('add.price')} big {...wanted} {...money('emi.cash_price')} />
      <MoneyField
        label={t('emi.down')}
        optional={t('common.optional')}
        big
        {...wanted}
        {...money('emi.down_payment')}
      />
      <MoneyField label={t('emi.fee')} hint={t('add.fee_hint')} optional={t('common.optional')} {...money('emi.fee')} />
    </div>
  );
}

function Interest({ form }: { form: Form }) {
  const { t } = useTranslation();
  const method = methodOf(form.values);
  return (
    <>
      <div className="grid gap-1.5">
        <span id="emi-method" className="text-sm font-semibold">
          {t('add.method')}
        </span>
        <div role="group" aria-labelledby="emi-method" className="flex flex-wrap gap-2">
          {EMI_METHODS.map((one) => (
            <FilterChip key={one} pressed={one === method} onClick={() => form.set({ 'emi.method': one })}>
              {t(`emi.method_${one}`)}
            </FilterChip>
          ))}
        </div>
        <span className="text-sm text-ink-2">{t(`add.method_${method}`)}</span>
      </div>
      {method !== 'ZERO' && (
        <FormField
          form={form}
          name="emi.rate_bps"
          label={t('add.rate')}
          wanted
          inputMode="decimal"
          suffix={<span className="text-ink-2">%</span>}
          clean={percent}
        />
      )}
    </>
  );
}

function Tenure({ form, frequency }: { form: Form; frequency: EmiFrequency }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2">
      <FormField form={form} name="emi.tenure" label={t('add.tenure')} wanted inputMode="numeric" clean={digits(3)} />
      <div role="group" aria-label={t('add.tenure')} className="flex flex-wrap gap-2">
        {USUAL[frequency].map((count) => (
          <FilterChip
            key={count}
            pressed={form.values['emi.tenure'] === String(count)}
            onClick={() => form.set({ 'emi.tenure': String(count) })}
          >
            {count}
          </FilterChip>
        ))}
      </div>
    </div>
  );
}

/** @param props `isMonthly`: only then may the instalments fall due on another day than that of the delivery. */
function Dates({ form, isMonthly }: { form: Form; isMonthly: boolean }) {
  const { t } = useTranslation();
  const { values, sentences, set } = form;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <DateField
        label={t('add.delivered')}
        name="emi.delivered_on"
        value={values['emi.delivered_on']}
        error={sentences['emi.delivered_on']}
        onChange={(event) => set({ 'emi.delivered_on': event.currentTarget.value })}
      />
      {isMonthly && (
        <FormField
          form={form}
          name="emi.anchor_day"
          label={t('add.anchor')}
          hint={t('add.anchor_hint')}
          optional={t('common.optional')}
          inputMode="numeric"
          clean={digits(2)}
        />
      )}
    </div>
  );
}
