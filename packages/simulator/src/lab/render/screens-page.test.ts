import { LANGUAGES } from '@kist/contract/codes';
import { expect, test } from 'vitest';
import { lockWords } from '#simulator/lab/words/lock-words.ts';
import { REMINDER_NAMES, SCREEN_NAMES, screenPage } from './screens-page.ts';

const NUMBER = /9000000001/;

test('wherever a held phone names its shop’s number, one touch calls it', () => {
  const named = SCREEN_NAMES.filter((name) =>
    NUMBER.test(screenPage(name, 'en', 100).text.replaceAll(/<a [^]*?<\/a>/g, '')),
  );
  expect(named).toEqual([]);
  expect(SCREEN_NAMES.filter((name) => screenPage(name, 'en', 100).text.includes('href="tel:9000000001'))).not.toEqual(
    [],
  );
});

test('every held phone says how to pay or whom to call, also where the shop takes no UPI', () => {
  for (const name of SCREEN_NAMES) {
    const { text } = screenPage(name, 'en', 100);
    expect(/href="(upi:\/\/pay\?|tel:9000000001)/.test(text), name).toBe(true);
  }
});

test('a lock that is for no debt names no amount and asks for no payment', () => {
  for (const name of ['lost', 'test']) {
    const { text } = screenPage(name, 'en', 100);
    expect(text, name).not.toMatch(/₹|class="money"|upi:\/\/|claim_paid/);
  }
});

test('only a reminder that locks nothing can be put away', () => {
  const later = lockWords('en').later;
  expect(SCREEN_NAMES.filter((name) => screenPage(name, 'en', 100).text.includes(later))).toEqual(['advisory']);
});

test.each(LANGUAGES)('from the first reminder on its holder can say that it is paid, or wrong (%s)', (language) => {
  const words = lockWords(language);
  const forDebt = [...REMINDER_NAMES, 'apps', 'kiosk', 'advisory'];
  for (const name of forDebt) {
    const { text } = screenPage(name, language, 200);
    expect(text.match(/data-act="claim_paid"/g), name).toHaveLength(1);
    expect(text.match(/\{&quot;sheet&quot;:&quot;dispute&quot;\}/g), name).toHaveLength(1);
    expect(text, name).toContain(words.havePaid);
    expect(text, name).toContain(words.isWrong);
  }
});

test('a reminder that locks nothing takes no call into its own hands', () => {
  for (const name of REMINDER_NAMES) expect(screenPage(name, 'en', 100).text, name).not.toContain('class="sos"');
});

test.each(LANGUAGES)(
  'a phone says when the shop was told, its no, or what is left, each in its own words (%s)',
  (language) => {
    const toldOn = (name: string) =>
      /<p class="told">([^<]*)<\/p>/.exec(screenPage(name, language, 100).text)?.[1] ?? '';
    const [told, refused, part] = ['kiosk-told', 'kiosk-refused', 'kiosk-part-paid'].map(toldOn);
    for (const text of [told, refused, part]) {
      expect(text).toContain('18-07-2026 10:30 AM');
      expect(text).not.toMatch(/[{}]/);
    }
    expect(new Set([told, refused, part, toldOn('kiosk-claimed')]).size).toBe(4);
    expect(part).toContain('14,281.50');
    const { paidOpens } = lockWords(language);
    expect([told, refused, part].map((text) => text!.includes(paidOpens))).toEqual([true, false, false]);
    // Nothing is held yet, so nothing opens.
    expect(toldOn('reminder-told')).not.toContain(paidOpens);
  },
);
