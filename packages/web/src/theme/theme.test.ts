// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { languageDetector } from '#web/i18n/detect.ts';
import css from './theme.css?raw';
import { applyBrand, type Brand, paint, storedBrand } from './theme.ts';

const brand: Brand = {
  name: 'Asha',
  accent: '#0b7a4b',
  logo: null,
  languages: ['en', 'mr'],
  layout: 'compact',
  isDemo: false,
};
afterEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
  document.cookie = 'i18next=; path=/; max-age=0';
  document.documentElement.removeAttribute('class');
  document.documentElement.removeAttribute('lang');
});
const isCompact = () => document.documentElement.classList.contains('compact');

it('the layout that an organisation chose is drawn at once, at the next start before anything is asked, and taken off with another', async () => {
  await applyBrand(brand);
  expect(isCompact()).toBe(true);
  document.documentElement.className = '';
  paint();
  expect(isCompact()).toBe(true);
  await applyBrand({ ...brand, layout: 'classic' });
  expect(isCompact()).toBe(false);
});

it('what the page came with is the organisation, until the app knows better', () => {
  document.head.innerHTML = '<meta name="brand">';
  document.querySelector('meta')!.content = JSON.stringify(brand);
  paint();
  expect([isCompact(), storedBrand()?.languages]).toEqual([true, ['en', 'mr']]);
});

it('a language that the organisation does not speak is passed over, wherever it is found', async () => {
  document.cookie = 'i18next=tg';
  localStorage.setItem('language', 'mr');
  expect(languageDetector.detect()).toBe('tg');
  await applyBrand(brand);
  expect(languageDetector.detect()).toBe('mr');
  await applyBrand({ ...brand, languages: ['en'] });
  expect(languageDetector.detect()).toBeUndefined();
});

it('a name of one long word breaks where several things share a line: titles, values, the name above a login', () => {
  const [, selectors = ''] = /\n((?:[^{}]*,\n)*[^{}]*)\{\s*overflow-wrap: anywhere;/.exec(css) ?? [];
  const named = selectors.split(',').map((one) => one.replace(/\/\*.*\*\//s, '').trim());
  expect(named).toEqual(['h1', 'h2', 'dd', 'header > span']);
});
