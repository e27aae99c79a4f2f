import { desiredPolicySchema } from '@kist/contract/agent';
import { LIMITS } from '@kist/contract/limits';
import { expect, test } from 'vitest';
import type { FactRow, TakenRow } from './facts-store.ts';
import { wallpaperChange } from './switches.ts';

const taken = (text: string) => [{ taken: 'wallpaper', cause: 'debt', texts: { en: text } }] as unknown as TakenRow[];
const ROW = {
  agreementId: 'a',
  agreementNo: '20-00001',
  agreementDeviceId: 'd',
  customerId: 'c',
  deviceId: 'd',
  provisioningType: 0,
  language: 'en',
  shopPhone: '+919812345214',
  oldestDueOn: '2026-03-10',
  oldestDuePaise: 267_400,
  overduePaise: 267_400,
  enrolledAt: new Date(0),
  releasedAt: null,
  wallpaperText: null,
} as unknown as FactRow;
const LENGTH = LIMITS.wallpaperTextLength;
const saidOf = (shop: string) => wallpaperChange({ ...ROW, shop }, taken('{shop}: {phone}')).wallpaperText ?? '';
const isTaken = (text: string) => desiredPolicySchema.shape.wallpaper_text.safeParse(text).success;

test('a wallpaper says no more than a phone takes, and all of what fits', () => {
  const rest = ': +919812345214';
  const fits = 'S'.repeat(LENGTH - rest.length);
  expect(saidOf(fits)).toBe(`${fits}${rest}`);
  expect([saidOf(fits).length, isTaken(saidOf(fits))]).toEqual([LENGTH, true]);
  const long = saidOf(`${fits}S`);
  expect([long, isTaken(long), isTaken(`${long}S`)]).toEqual([`${fits}S${rest.slice(0, -1)}`, true, false]);
});

test('no character is cut in two', () => {
  for (const blanks of [0, 1]) {
    const said = saidOf(`${'.'.repeat(blanks)}${'😀'.repeat(LENGTH)}`);
    expect([said.isWellFormed(), said.length]).toEqual([true, LENGTH - blanks]);
  }
});
