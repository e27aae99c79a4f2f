import { useEffect, useRef } from 'react';
import { useRead } from '#web/api/use-call.ts';
import type { Form } from './use-form.ts';

const TAC_DIGITS = 8;

/** Brand and model of an IMEI that begins like one sold before; what somebody typed there stays. */
export function useModelOfImei({ values, set }: Pick<Form, 'values' | 'set'>): void {
  const tac = values['device.imei1'].slice(0, TAC_DIGITS);
  const { data } = useRead('getPhoneModel', { query: { tac } }, { skip: tac.length < TAC_DIGITS });
  const filled = useRef({ brand: '', model: '' });
  const { 'device.brand': brand, 'device.model': model } = values;
  useEffect(() => {
    if (!data?.brand || !data.model || (data.brand === filled.current.brand && data.model === filled.current.model))
      return;
    const isOurs = brand === filled.current.brand && model === filled.current.model;
    filled.current = { brand: data.brand, model: data.model };
    if (isOurs) set({ 'device.brand': data.brand, 'device.model': data.model });
  }, [data, brand, model, set]);
}
