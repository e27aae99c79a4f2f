// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { freerTop } from './free-place.ts';

/** jsdom lays nothing out: each element says where it stands. */
function at(tag: string, top: number, height: number, more: Record<string, string> = {}): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(more)) element.setAttribute(name, value);
  element.getBoundingClientRect = () => new DOMRect(16, top, 328, height);
  document.body.append(element);
  return element;
}
/** With the way back in it. */
function header(): void {
  const head = at('header', 0, 64);
  head.innerHTML = '<h1 id="screen-title">QR</h1>';
  at('a', 8, 48, { href: '/' });
}
const message = () => at('div', 480, 56);

beforeEach(() => document.body.replaceChildren());

it('a message that lies on nothing stays where it is', () => {
  header();
  at('button', 300, 48);
  expect(freerTop(message())).toBeUndefined();
});

it('one that lies on a button goes to the nearest place where nothing is', () => {
  header();
  at('button', 490, 48);
  expect(freerTop(message())).toBe(426);
});

it('between what fills the page it goes up under the header, where that is the one place where nothing is', () => {
  header();
  for (const top of [136, 206, 276, 346, 416, 486, 556, 626, 696]) at('button', top, 62);
  expect(freerTop(message())).toBe(72);
});

it('a message lies on no choice among the rows, where it can lie on a row', () => {
  header();
  for (let n = 0; n < 2; n += 1) at('button', 76, 64, { 'aria-pressed': 'false' });
  for (const top of [144, 216, 288, 360, 432, 504, 576, 648, 720]) {
    at('a', top, 72, { href: '/customers/1' });
    at('button', top + 12, 48);
  }
  expect(freerTop(message())).toBeGreaterThan(140);
});

it('in a form it lies on the header rather than on a field', () => {
  header();
  for (const top of [80, 150, 220, 290, 360, 430, 500, 570, 640, 710]) at('input', top, 64);
  expect(freerTop(message())).toBe(8);
});

it('of fields it lies on the one that is typed into last of all', () => {
  header();
  for (let n = 0; n < 3; n += 1) at('a', 8, 48, { href: '/' });
  const fields = [112, 184, 256, 328, 400, 472, 544, 616, 688].map((top) => at('input', top, 72));
  const lying = message();
  expect(freerTop(lying)).toBeUndefined();
  fields[5]!.focus();
  expect(freerTop(lying)).toBe(408);
});

it('where everything is a row it stays: it would lie on one there too', () => {
  header();
  for (const top of [40, 112, 184, 256, 328, 400, 472, 544, 616, 688]) at('a', top, 72, { href: '/customers/1' });
  expect(freerTop(message())).toBeUndefined();
});

it('a message lies on no code that is read out either', () => {
  header();
  at('div', 470, 72, { 'data-needed': '' });
  expect(freerTop(message())).toBe(550);
});

it('a code that a camera reads counts for more than a button', () => {
  header();
  at('div', 70, 300, { 'data-needed': '' });
  for (const top of [378, 442, 506, 570, 634, 698]) {
    at('button', top, 64);
    at('button', top, 64);
  }
  expect(freerTop(message())).not.toBe(72);
});
