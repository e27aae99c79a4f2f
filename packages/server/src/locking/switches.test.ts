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
const REST = ': +919812345214';
/** The shop's name thrice, which alone is never too long. */
const saidOf = (shop: string, before = '') =>
  wallpaperChange({ ...ROW, shop }, taken(`${before}{shop}{shop}{shop}: {phone}`)).wallpaperText ?? '';
const isTaken = (text: string) => desiredPolicySchema.shape.wallpaper_text.safeParse(text).success;

test('a wallpaper says no more than a phone takes, and all of what fits', () => {
  const fits = 'S'.repeat((LENGTH - REST.length) / 3);
  expect(saidOf(fits)).toBe(`${fits.repeat(3)}${REST}`);
  expect([saidOf(fits).length, isTaken(saidOf(fits))]).toEqual([LENGTH, true]);
  const long = saidOf(fits, '.');
  expect(long).toBe(`.${fits.repeat(3)}${REST.slice(0, -1)}`);
  expect([isTaken(long), isTaken(`${long}4`)]).toEqual([true, false]);
});

test('no character is cut in two', () => {
  for (const before of ['', '.']) {
    const said = saidOf('😀'.repeat(60), before);
    expect([said.isWellFormed(), said.length]).toEqual([true, LENGTH - before.length]);
  }
});
