import { describe, expect, it } from 'vitest';
import { SCREEN_TEXTS } from '#test/screen-texts.ts';
import { screenTextProblems } from './screen-text.ts';

const said = (change: object = {}) => ({ ...SCREEN_TEXTS, ...change });
const en = (text: string) => screenTextProblems(said({ en: text })).filter((problem) => problem.startsWith('en:'));

describe('words for a customer’s screen', () => {
  it('may stand there in all ten languages', () => {
    expect(screenTextProblems(said())).toEqual([]);
  });

  it('may not in nine, in an eleventh, in English for all, or naming other things', () => {
    expect(screenTextProblems(said({ tm: undefined }))).toEqual(['tm: is missing']);
    expect(screenTextProblems(said({ ur: 'x' }))).toEqual([expect.stringMatching(/^ur: is no language/)]);
    expect(screenTextProblems(said({ hn: SCREEN_TEXTS.en }))).toEqual([
      'hn: is the English text',
      'hn: is not in its own script',
    ]);
    expect(screenTextProblems(said({ sp: '{shop}: pague, por favor. Ayuda: {phone}' }))).toEqual([
      'sp: names other things than the English text',
    ]);
  });

  it.each([
    ['', 'is empty'],
    ['{shop}: pay {amount}.', 'says no {phone}'],
    ['{shop} {shop}: pay {amount}. {phone}', 'names something twice'],
    ['{shop}: pay {amount} {otp}. {phone}', 'names something else'],
    ['{shop}: pay {amount {phone}', 'has a bracket'],
    ['{shop}: <b>pay</b> {amount}. {phone}', 'has markup'],
    ['{shop}: pay {amount} at www.x.in. {phone}', 'has markup or an address'],
    ['{shop}: pay {amount} at https://x.in. {phone}', 'has markup or an address'],
    ['{shop}: pay {amount} to 98765 43210. {phone}', 'has a number'],
    ['{shop}: pay {amount} to me@upi. {phone}', 'has a number or an address'],
    ['{shop}: pay \u202E{amount}. {phone}', 'that nobody sees'],
    ['{shop}: p\u200Bay {amount}. {phone}', 'that nobody sees'],
    ['{shop}: pay\n{amount}. {phone}', 'has line ends'],
    ['{shop}: p\0ay {amount}. {phone}', 'that nobody sees'],
    ['{shop}: pay {amount} to me＠upi. {phone}', 'has a number or an address'],
    ['{shop}: pay {amount} to ９８７６５. {phone}', 'has a number'],
    ['{shop}: pay {amount} to ⑨⑧⑦⑥⑤. {phone}', 'has a number'],
    ['{shop}: pay {amount} to ९८७६५. {phone}', 'has a number'],
    ['{shop}: pay {amount} to 98/76/5. {phone}', 'has a number'],
    ['{shop}: pay {amount} to 9,8,7,6,5. {phone}', 'has a number'],
    ['{shop}: pay {amount} to 9 . 8 _ 7 * 6 – 5. {phone}', 'has a number'],
    ['{shop}: pay {amount} at evil.in/pay. {phone}', 'has markup or an address'],
    ['{shop}: pay {amount} at kist-pay.com. {phone}', 'has markup or an address'],
    ['{shop}: pay {amount} at evil。in. {phone}', 'has markup or an address'],
    ['{shop}: pay {amount} at ｅｖｉｌ．in. {phone}', 'has markup or an address'],
    [`{shop}: pay {amount}. {phone}${'!'.repeat(180)}`, 'is longer than'],
  ])('are refused: %j', (text, problem) => {
    expect(en(text).join('; ')).toContain(problem);
  });
});
