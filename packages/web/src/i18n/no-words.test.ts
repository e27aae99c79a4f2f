// @vitest-environment jsdom
import i18next from 'i18next';
import { expect, it, vi } from 'vitest';
import { formatDay } from './formats.ts';
import { currentLanguage, setLanguage, startI18n } from './i18n.ts';

it('a visit whose language cannot be had is in English, dates and all, until its words are there', async () => {
  let isCut = true;
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/en.json') && isCut) throw new TypeError('no line');
    return Response.json({ common: { close: url.includes('/en.json') ? 'Close' : 'बंद करें' } });
  });
  document.cookie = 'i18next=hn';
  expect(await startI18n()).toBe(true);
  expect([i18next.t('common.close'), formatDay('2026-12-28'), document.documentElement.lang]).toEqual([
    'Close',
    '28 Dec',
    'en',
  ]);
  expect(document.cookie).toContain('i18next=hn');
  isCut = false;
  await setLanguage('hn');
  expect([i18next.t('common.close'), formatDay('2026-12-28'), currentLanguage()]).toEqual(['बंद करें', '28 दिस॰', 'hn']);
});
