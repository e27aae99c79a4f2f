import { expect, it } from 'vitest';
import { sumsOf } from './collected-sums.ts';

const asha = { user_id: 'a', name: 'Asha', shop_name: 'Asha Mobile' };
const ravi = { user_id: 'r', name: 'Ravi', shop_name: '' };

it('the same money stands in sum, by how it came in and by who took it, the most first; cash is of its taker', () => {
  const rows = [
    { ...asha, method: 'CASH', payments: 2, paise: 300_00 },
    { ...asha, method: 'UPI', payments: 1, paise: 50_00 },
    { ...ravi, method: 'UPI', payments: 3, paise: 500_00 },
  ] as const;
  expect(sumsOf(rows)).toEqual({
    total: 6,
    paise: 850_00,
    methods: [
      { method: 'UPI', payments: 4, paise: 550_00 },
      { method: 'CASH', payments: 2, paise: 300_00 },
    ],
    takers: [
      { ...ravi, payments: 3, paise: 500_00, cash_paise: 0 },
      { ...asha, payments: 3, paise: 350_00, cash_paise: 300_00 },
    ],
  });
});

it('what is equal stands in one order, and nothing is nothing', () => {
  const equal = (['UPI', 'CASH'] as const).map((method) => ({ ...asha, method, payments: 1, paise: 1_00 }));
  expect(sumsOf(equal).methods.map(({ method }) => method)).toEqual(['CASH', 'UPI']);
  expect(sumsOf([])).toEqual({ total: 0, paise: 0, methods: [], takers: [] });
});
