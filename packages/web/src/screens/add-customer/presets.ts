import type { CallReply } from '#web/api/calls.ts';
import type { Values } from './fields.ts';

export type Preset = CallReply<'listPlans'>[number]['presets'][number];

const RUPEE = 100;
/** @returns what is paid down of a price, to the rupee; '' while there is no price. */
const downOf = ({ down_bps: bps }: Preset, price: string): string =>
  price === '' ? '' : String(Math.round((Number(price) * bps) / 10_000 / RUPEE) * RUPEE);

const termsOf = (preset: Preset): Partial<Values> => ({
  'emi.method': preset.method,
  'emi.frequency': preset.frequency,
  'emi.rate_bps': preset.method === 'ZERO' ? '' : String(preset.rate_bps / 100),
  'emi.tenure': String(preset.tenure),
});

/** @returns the fields that one press fills. */
export const withPreset = (preset: Preset, price: string): Partial<Values> => ({
  ...termsOf(preset),
  'emi.down_payment': downOf(preset, price),
});

/** @returns the preset that the form stands at; undefined where somebody chose otherwise. */
export const presetOf = (presets: readonly Preset[], values: Values): Preset | undefined =>
  presets.find((preset) =>
    Object.entries(withPreset(preset, values['emi.cash_price'])).every(
      ([name, value]) => values[name as keyof Values] === value,
    ),
  );

/** @returns the fields that another price changes: the share paid down follows it while a preset is on. */
export function withPrice(presets: readonly Preset[], values: Values, price: string): Partial<Values> {
  const preset = presetOf(presets, values);
  return { 'emi.cash_price': price, ...(preset && { 'emi.down_payment': downOf(preset, price) }) };
}
