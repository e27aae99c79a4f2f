import path from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { quotaFull } from '#server/documents/rules.ts';
import { asKistError, failureReply } from './errors.ts';
import { loadTranslations } from '#server/platform/translations.ts';

const words = loadTranslations(path.join(import.meta.dirname, '../../../web/public/locales'));
const said = (code: string, bodyBytes?: number) =>
  LANGUAGES.map((language) => failureReply(asKistError({ code }, bodyBytes), language, words).body);

test('a request that is too large is told its own bound, a file its own, in every language', () => {
  for (const { code, message } of said('FST_ERR_CTP_BODY_TOO_LARGE', LIMITS.bodyBytes)) {
    expect([code, message]).toEqual(['TOO_LARGE', expect.stringContaining('256 KB')]);
    expect(message).not.toMatch(/5 MB|\{\{/);
  }
  for (const { message } of said('FST_ERR_CTP_BODY_TOO_LARGE', LIMITS.bulkBodyBytes)) expect(message).toContain('4 MB');
  for (const { message, errors } of said('FST_REQ_FILE_TOO_LARGE', LIMITS.bodyBytes)) {
    expect(message).toContain('5 MB');
    expect(errors).toEqual([expect.objectContaining({ path: 'file', message: expect.stringContaining('5 MB') })]);
  }
});

test('a form of too many fields is told how many it may have, in every language', () => {
  for (const code of ['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT'])
    for (const { code: answered, message, errors } of said(code)) {
      expect([answered, errors?.[0]?.code, errors?.[0]?.message]).toEqual([
        'INVALID_INPUT',
        'field.form_fields',
        expect.stringMatching(/\b20\b/),
      ]);
      expect(`${message} ${errors?.[0]?.message}`).not.toMatch(/MB|\{\{/);
    }
});

test('a body that is too large where no call of ours is has the bound of all of them', () => {
  for (const { message } of said('FST_ERR_CTP_BODY_TOO_LARGE')) {
    expect(message).toContain('256 KB');
    expect(message).not.toContain('{{');
  }
});

test('a second file is no matter of bytes', () => {
  for (const { code, message, errors } of said('FST_FILES_LIMIT')) {
    expect([code, errors?.[0]?.path, errors?.[0]?.code]).toEqual(['INVALID_INPUT', 'file', 'field.too_much']);
    expect(`${message} ${errors?.[0]?.message}`).not.toContain('MB');
  }
});

test('whose room for pictures is full, how much it is and when there is some again is said, in every language', () => {
  for (const [scope, type, max, size] of [
    ['customer', 'pan', LIMITS.documentsOfCustomer, '40 MB'],
    ['customer', 'photo', LIMITS.documentsOfCustomer + LIMITS.documentsInReserve, '50 MB'],
    ['shop', 'pan', LIMITS.documentsOfShop, '20 GB'],
    ['organisation', 'pan', LIMITS.documentsOfOrganisation, '2048 GB'],
  ] as const) {
    const bodies = LANGUAGES.map((language) => failureReply(quotaFull(scope, type), language, words).body);
    for (const { message, details } of bodies) {
      for (const part of [max, size, LIMITS.documentsReplacedKeptDays]) expect(message).toContain(String(part));
      expect(message).not.toMatch(/\{\{|quota\./);
      expect(details).toEqual({ scope, max, max_size: size, days: LIMITS.documentsReplacedKeptDays });
    }
    expect(new Set(bodies.map(({ message }) => message)).size).toBe(LANGUAGES.length);
  }
});
