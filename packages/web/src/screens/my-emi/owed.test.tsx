// @vitest-environment jsdom
import { render } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { expect, it } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { Owed } from './owed.tsx';

it('an EMI bears the same number for the customer as on the shop’s page: its place among those that stand', async () => {
  const resources = { en: { translation: { emi: { part_no: 'EMI {{no}}' } } } };
  await i18next.use(initReactI18next).init({ lng: 'en', resources });
  const row = { due_on: '2026-03-04', amount_paise: 100_00, left_paise: 100_00 };
  const details = {
    agreement: {
      state: 'active',
      overdue_paise: 100_00,
      penal_left_paise: 0,
      outstanding_paise: 200_00,
      tenure: 4,
      paid_count: 2,
    },
    instalments: [
      { ...row, no: 7, place: 3, state: 'overdue' },
      { ...row, no: 8, place: 4, state: 'upcoming' },
    ],
  } as unknown as EmiDetails;
  const { container } = render(<Owed details={details} />);
  expect(container.textContent).toContain('EMI 3');
  expect(container.textContent).not.toContain('EMI 7');
});
