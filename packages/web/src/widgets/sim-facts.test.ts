import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { simFacts } from './sim-facts.ts';

const screens = import.meta.glob<string>('../screens/**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('SIM cards are counted from 1, on every screen that tells of them', () => {
  const t = ((key: string, { slot }: { slot: number }) => `${key} ${slot}`) as unknown as TFunction;
  expect(
    simFacts(
      [
        { slot: 0, operator: 'Jio', iccid_tail: '1234' },
        { slot: 1, operator: 'Airtel', iccid_tail: '5678' },
      ],
      t,
    ),
  ).toEqual([
    { label: 'device.sim 1', value: 'Jio ••1234' },
    { label: 'device.sim 2', value: 'Airtel ••5678' },
  ]);
  expect(Object.entries(screens).flatMap(([file, text]) => (text.includes("t('device.sim'") ? [file] : []))).toEqual(
    [],
  );
});
