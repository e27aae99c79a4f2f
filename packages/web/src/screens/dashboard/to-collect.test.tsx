// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Dashboard } from '@kist/contract/reports';
import { paths } from '#web/paths.ts';
import { ToCollect } from './to-collect.tsx';

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    interpolation: { escapeValue: false },
    resources: {
      en: {
        translation: {
          dashboard: {
            to_collect_other: 'To collect today · {{count}}',
            of_morning: 'of {{amount}}',
            received: '{{amount}} of it',
            collected: '{{amount}} in all',
          },
        },
      },
    },
  }),
);
afterEach(cleanup);

const show = (today: Dashboard['today']) =>
  render(
    <MemoryRouter>
      <ToCollect today={today} />
    </MemoryRouter>,
  ).container.textContent;

it('what is still owed of today’s EMIs and what came in for them make what they owed in the morning', () => {
  show({ due_paise: 9_000_00, left_paise: 6_500_00, collected_paise: 4_000_00, customers: 3 });
  const [dues, received] = screen.getAllByRole('link');
  const opens = within(dues!);
  expect(dues).toHaveAttribute('href', paths.upcomingEmi('today'));
  for (const words of ['To collect today · 3', 'of ₹9,000']) expect(opens.getByText(words)).toBeVisible();
  expect(dues).toHaveTextContent('₹6,500');
  // What came in is none of what the press opens.
  expect(opens.queryByText('₹2,500 of it')).toBeNull();
  expect(within(received!).getByText('₹2,500 of it')).toBeVisible();
  expect(within(received!).getByText('₹4,000 in all')).toBeVisible();
  expect(received, 'it opens what came in').toHaveAttribute('href', '/collections');
  expect(screen.getByRole('progressbar')).toHaveAccessibleName('₹2,500 of it');
});

it('one figure stands once: nothing came in for old dues, or nothing is due today', () => {
  const today = { due_paise: 9_000_00, left_paise: 6_500_00, collected_paise: 2_500_00, customers: 2 };
  expect(show(today)).toBe('To collect today · 2₹6,500of ₹9,000₹2,500 of it');
  cleanup();
  const none = { due_paise: 0, left_paise: 0, customers: 0 };
  expect(show({ ...none, collected_paise: 300_00 })).toBe('To collect today · 0₹0₹300 in all');
  cleanup();
  expect(show({ ...none, collected_paise: 0 })).toBe('To collect today · 0₹0');
  expect(screen.getAllByRole('link'), 'no link stands without words').toHaveLength(1);
});
