import { LANGUAGES, type Language } from '@kist/contract/codes';
import { expect, it } from 'vitest';

const files = import.meta.glob<{ consent: Record<string, string> }>('../../public/locales/*.json', {
  import: 'default',
  eager: true,
});
const clause = (language: Language, version: number) =>
  files[`../../public/locales/${language}.json`]?.consent[`text_v${version}`] ?? '';

/** What customers signed: each consent is kept with the hash of its words. New words are a new version beside the old one. */
const SIGNED: Record<Language, string> = {
  en: 'a5d6d314aecd34177b99417efb13b4cf785bac700aa6424697934687805bf5ab',
  hn: '878dc3739890dec4a798aca6a71a8d11c7f9c1d10e078ff07749598ea02e3048',
  mr: 'fee908789f057090a127f7a49e9ced55d043584a8c0e88cb4849d71972fe2eb3',
  gj: '16312c63955c32cc2e2040d749a2d9d87b4e7935246b8ab39dd1707d00669ba3',
  sp: '41e387fbe1ab8702ca1fffb1eaf91d48e33f8ae65227f630903d9bfbc0b148c0',
  bd: '3d61828b58562ba441ca4cd98063b663f441f265d1d670798044f5bd4090d246',
  kn: 'a0ece4724e05d9422d88b1cd82696dd215e01c83b598071bdcda41dc0a5603f4',
  tg: '0bc52858c4abb38d3fc1251f000d1d41e5208073be7a7e866e952a7a12a6bc05',
  tm: '83ffaf469c33dfa07acc1ccce971d1d4a01dc20aae029ee3cc5c9d5ce9f1e1db',
  pp: '4d3b12787d267dcd04bc8965bbabe3cb16e919d3546030ca3ad72748e50e7cc4',
};

it.each(LANGUAGES)('a clause that was signed keeps its words (%s)', async (language) => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(clause(language, 1)));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(hex).toBe(SIGNED[language]);
});

it.each(LANGUAGES)('the clause of today says what the signed one said, paragraph by paragraph (%s)', (language) => {
  const [old, today] = [clause(language, 1), clause(language, 2)];
  expect(today).not.toBe(old);
  expect(today.split('\n')).toHaveLength(old.split('\n').length);
  expect(today).toContain('112');
});
