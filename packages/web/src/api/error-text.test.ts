import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { mapPluralRules } from '#web/i18n/plurals.ts';
import { learnUserType } from '#web/state/who-allows.ts';
import { errorText } from './error-text.ts';
import { toApiError } from './errors.ts';

const files = import.meta.glob<object>('../../public/locales/{en,mr}.json', { import: 'default', eager: true });
const words = (language: string) => files[`../../public/locales/${language}.json`] ?? {};

beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    resources: { en: { translation: words('en') }, mr: { translation: words('mr') } },
    interpolation: { escapeValue: false },
  });
  mapPluralRules(i18next);
});

describe('the sentence of an error', () => {
  const limited = (seconds: string | null) =>
    toApiError(429, { response: 'failure', code: 'RATE_LIMITED', message: 'from the server' }, seconds);
  it('says when to come back, in hours when it is hours', async () => {
    expect(errorText(limited('25200'), i18next.t)).toBe('Too many attempts. Try again in 7 hours.');
    expect(errorText(limited('1'), i18next.t)).toBe('Too many attempts. Try again in 1 second.');
    expect(errorText(limited(null), i18next.t)).toBe('Too many attempts. Try again in a moment.');
    await i18next.changeLanguage('mr');
    expect(errorText(limited('25200'), i18next.t)).toContain('7 तासांनंतर');
    await i18next.changeLanguage('en');
  });
  it.each([
    ['retailer', 'states.ask_distributor'],
    ['miniretailer', 'states.ask_retailer'],
    ['admin', 'states.ask_company'],
    ['customer', 'states.no_permission_body'],
  ] as const)('names who gives access to a %s', (userType, key) => {
    learnUserType(userType);
    const refused = toApiError(403, { response: 'failure', code: 'FEATURE_NOT_ALLOWED', message: '' });
    expect(errorText(refused, i18next.t)).toContain(i18next.t(key));
    learnUserType(undefined);
  });
  it('names who has keys when none is left', () => {
    const none = toApiError(409, { response: 'failure', code: 'INSUFFICIENT_KEYS', message: 'from the server' });
    learnUserType('retailer');
    expect(errorText(none, i18next.t)).toBe('No keys left for this plan. Ask your distributor for keys.');
    learnUserType('miniretailer');
    expect(errorText(none, i18next.t)).toBe('No keys left for this plan. Ask your retailer for keys.');
    learnUserType(undefined);
  });
});
