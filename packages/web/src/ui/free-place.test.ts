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
function header(): void {
  const head = at('header', 0, 64);
  head.innerHTML = '<h1 id="screen-title">QR</h1>';
}
const message = () => at('div', 480, 56);

beforeEach(() => document.body.replaceChildren());

it('a message that lies on nothing stays where it is', () => {
  header();
  at('button', 300, 48);
  expect(freerTop(message())).toBeUndefined();
});

it('one that lies on a button goes up under the header, where nothing is', () => {
  header();
  at('button', 490, 48);
  expect(freerTop(message())).toBe(72);
});

it('where everything is a row it stays: it would lie on one there too', () => {
  header();
  at('a', 70, 72, { href: '/customers/1' });
  at('a', 490, 72, { href: '/customers/2' });
  expect(freerTop(message())).toBeUndefined();
});

it('a code that a camera reads counts for more than a button', () => {
  header();
  at('div', 70, 300, { 'data-needed': '' });
  at('button', 490, 48);
  expect(freerTop(message())).toBeUndefined();
});
