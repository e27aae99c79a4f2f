import { expect, it } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { CustomerData } from '@kist/contract/privacy';
import { keptCounts, keptFile } from './kept.ts';

it('the file is what the server answered, whole, with the page of messages', () => {
  const data = { customer: { first_name: 'Asha' }, history: [{ action: 'customer_begun' }] } as unknown as CustomerData;
  expect(JSON.parse(keptFile(data, 'https://kist.example/n/abc'))).toEqual({
    ...data,
    messages_page: 'https://kist.example/n/abc',
  });
  expect(JSON.parse(keptFile(data, null)).messages_page).toBeNull();
});

it('what only the file has in full is counted', () => {
  const profile = { disputes: [{ dispute_id: 'd' }] } as unknown as CustomerProfile;
  const emi = { instalments: [{ no: 1 }, { no: 2 }, { no: 3 }], payments: [{}] } as unknown as EmiDetails;
  expect(keptCounts({ profile, emi })).toEqual([
    ['my_data.emis', 3],
    ['emi.payments', 1],
    ['my_data.complaints', 1],
  ]);
});
