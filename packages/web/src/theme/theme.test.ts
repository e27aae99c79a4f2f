// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { languageDetector } from '#web/i18n/detect.ts';
import css from './theme.css?raw';
import { applyBrand, type Brand, chooseTheme, followSystemTheme, paint, storedBrand, themeChoice } from './theme.ts';
import { useBrand, useLanguages } from './use-brand.ts';

const brand: Brand = {
  name: 'Asha',
  accent: '#0b7a4b',
  logo: null,
  languages: ['en', 'mr'],
  layout: 'compact',
  isDemo: false,
};
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  document.head.replaceChildren();
  document.cookie = 'i18next=; path=/; max-age=0';
  document.documentElement.removeAttribute('class');
  document.documentElement.removeAttribute('style');
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

/** A phone that is dark or light, and may turn. @returns a function that turns it */
function phone(isDark: boolean): (isDark: boolean) => void {
  const query = Object.assign(new EventTarget(), { matches: isDark });
  vi.stubGlobal('matchMedia', () => query);
  return (nowDark) => {
    query.matches = nowDark;
    query.dispatchEvent(new Event('change'));
  };
}
const isDark = () => document.documentElement.classList.contains('dark');

it('light or dark that was chosen is painted at once and at the next start, whatever the phone is', () => {
  phone(false);
  chooseTheme('dark');
  expect([isDark(), themeChoice()]).toEqual([true, 'dark']);
  // What a portal's 511 clears does not take it away.
  localStorage.clear();
  document.documentElement.className = '';
  paint();
  expect(isDark()).toBe(true);
  chooseTheme('light');
  expect(isDark()).toBe(false);
});

it('without a choice the page is as the phone, also when the phone turns; a choice holds against it', () => {
  const turn = phone(true);
  followSystemTheme();
  paint();
  expect([isDark(), themeChoice()]).toEqual([true, 'system']);
  turn(false);
  expect(isDark()).toBe(false);
  chooseTheme('light');
  turn(true);
  expect(isDark()).toBe(false);
  chooseTheme('system');
  expect(isDark()).toBe(true);
});

it('the organisation’s colour is the page’s and the browser bar’s, in light and dark each its own', async () => {
  phone(false);
  document.head.innerHTML = '<meta name="theme-color" content="#000000">';
  const { style } = document.documentElement;
  const bar = () => document.querySelector('meta')!.content;
  await applyBrand(brand);
  const { light, dark } = storedBrand()!;
  expect(style.getPropertyValue('--accent')).toBe(light['--accent']);
  document.documentElement.style.setProperty('--band', '#123456');
  chooseTheme('dark');
  expect(light['--accent']).not.toBe(dark['--accent']);
  expect(style.getPropertyValue('--accent')).toBe(dark['--accent']);
  expect(bar()).toBe('#123456');
});

it('what shows the organisation’s name shows the new one as soon as it is known', async () => {
  const { result } = renderHook(() => useBrand()?.name);
  expect(result.current).toBeUndefined();
  await act(() => applyBrand(brand));
  expect(result.current).toBe('Asha');
  await act(() => applyBrand({ ...brand, name: 'Asha Finance' }));
  expect(result.current).toBe('Asha Finance');
});

it('languages to choose from are those of the organisation, and one that is chosen already; all until it is known', async () => {
  const of = (chosen?: string) => renderHook(() => useLanguages(chosen)).result.current;
  expect(of()).toEqual(LANGUAGES);
  await applyBrand(brand);
  expect(of()).toEqual(['en', 'mr']);
  expect(of('tg')).toEqual(['en', 'mr', 'tg']);
});

it('what was kept of an organisation and cannot be read is none', () => {
  localStorage.setItem('brand', '{"name": "As');
  expect(storedBrand()).toBeUndefined();
});
