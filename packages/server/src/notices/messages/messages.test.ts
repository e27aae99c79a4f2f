import { createHash } from 'node:crypto';
import { LANGUAGES, CODE_PURPOSES } from '@kist/contract/codes';
import { describe, expect, it } from 'vitest';
import { secondsToDaytime } from '#server/notices/daytime.ts';
import { screenTextProblems } from '#server/notices/screen-text.ts';
import { MESSAGES, type NoticeText, PHONE_MESSAGES, amountText, fill } from './messages.ts';
import { NOTICE_TEXT_IDS, registeredTexts } from './template-ids.ts';

const names = (text: string) =>
  [...text.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name ?? '').toSorted((a, b) => a.localeCompare(b));
const templates = Object.keys(MESSAGES.en).filter((key) => key !== 'otp' && key !== 'on_phone') as NoticeText[];

describe.each(LANGUAGES)('messages in %s', (language) => {
  const messages = MESSAGES[language];
  it('carry the same values as the English ones, each once', () => {
    for (const template of templates) expect(names(messages[template])).toEqual(names(MESSAGES.en[template]));
    for (const purpose of CODE_PURPOSES)
      expect(names(messages.otp[purpose])).toEqual(
        {
          CONSENT: ['amount', 'code', 'emis', 'financed', 'minutes', 'total'],
          TERMS: ['amount', 'code', 'minutes', 'outstanding', 'until_on'],
          NUMBER: ['code', 'ending', 'minutes'],
        }[purpose as string] ?? ['code', 'minutes'],
      );
  });
  it('name every sum of a sale within the parts that a long one takes', () => {
    const money = amountText(language);
    const sums = { financed: money(1_25_000_00), amount: money(12_345_00), total: money(1_48_140_00) };
    const text = fill(messages.otp.CONSENT, { ...sums, code: '123456', emis: '12', minutes: '5' });
    for (const said of [...Object.values(sums), ' 12']) expect(text).toContain(said);
    // Two parts of 153 letters, five of 67.
    expect(text.length).toBeLessThanOrEqual(language === 'en' ? 306 : 335);
  });
  it('fit a gateway’s thousand characters, and are no copy of the English ones', () => {
    for (const template of templates) {
      expect(messages[template].length).toBeLessThan(700);
      if (language !== 'en') expect(messages[template]).not.toBe(MESSAGES.en[template]);
    }
  });
  it('on a phone keep to what an organisation’s own words must keep to', () => {
    const texts = (name: (typeof PHONE_MESSAGES)[number]) =>
      Object.fromEntries(LANGUAGES.map((code) => [code, MESSAGES[code].on_phone[name]]));
    for (const name of PHONE_MESSAGES) expect(screenTextProblems(texts(name))).toEqual([]);
  });
  it('say in every lock and every warning how to pay and whom to call', () => {
    for (const template of ['notice', 'locked'] as const) {
      expect(messages[template]).toContain('UPI');
      expect(messages[template]).toContain('{phone}');
    }
  });
});

/** The basic letters of GSM 03.38; one letter outside makes a part of a message 67 letters long, not 153. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
it('English messages keep to the letters that are sent cheaply, their amounts too', () => {
  const values = {
    shop: 'Asha Mobiles',
    amount: amountText('en')(1_25_000_50),
    outstanding: amountText('en')(-500_00),
  };
  expect(values.amount).toBe('Rs. 1,25,000.50');
  for (const template of templates) expect(fill(MESSAGES.en[template], values).replaceAll(/[{}]/g, '')).toMatch(GSM);
  for (const purpose of CODE_PURPOSES) expect(MESSAGES.en.otp[purpose].replaceAll(/[{}]/g, '')).toMatch(GSM);
  expect(amountText('hn')(500_00)).toBe('₹500');
});

it('a value that is missing is seen, not hidden', () => {
  expect(fill('{a} and {b}', { a: 'x' })).toBe('x and {b}');
});

it('a value brings no line, no template and nothing unseen into a message', () => {
  const shop = 'Asha\r\nBcc: 900\u2028\u202E{amount}\u0000<b>\u200B Mobiles';
  expect(fill('{shop}: {amount}. {toString}', { shop, amount: '₹1' })).toBe(
    'Asha Bcc: 900 {amount} <b> Mobiles: ₹1. {toString}',
  );
  expect(fill('{shop}', { shop: 'x'.repeat(10_000) }).length).toBe(120);
});

it('a message made at night waits for nine o’clock', () => {
  const at = (ist: string) => secondsToDaytime(Date.parse(`2026-03-11T${ist}+05:30`));
  expect([at('08:59:00'), at('09:00:00'), at('20:59:59'), at('21:00:00'), at('00:05:00')]).toEqual([
    60, 0, 0, 43_200, 32_100,
  ]);
});

describe('the texts that operators register', () => {
  const texts = LANGUAGES.flatMap((language) => registeredTexts(language));
  it('are all there, each under an id of its own words', () => {
    expect(texts).toHaveLength(LANGUAGES.length * (templates.length + CODE_PURPOSES.length));
    expect(new Set(texts.map(({ id }) => id)).size).toBe(texts.length);
    for (const { id } of texts) expect(id).toMatch(/^[a-z_]+\.[a-z]{2}\.[0-9a-f]{8}$/);
    expect(NOTICE_TEXT_IDS.en.locked).toMatch(/^locked\.en\./);
    expect(NOTICE_TEXT_IDS.en.locked.slice(-8)).toBe(
      createHash('sha256').update(MESSAGES.en.locked).digest('hex').slice(0, 8),
    );
  });
  it('have a mark for each value, and none left by its name', () => {
    for (const { text } of texts) expect(text.replaceAll('{#var#}', '')).not.toMatch(/[{}]/);
    expect(texts.find(({ id }) => id.startsWith('otp_login.en.'))?.text).toMatch(
      /^\{#var#\} is your OTP to log in\. Valid/,
    );
  });
});
