import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INT4_MAX, LIMITS } from '@kist/contract/limits';
import { CODES_A_DAY } from './askers.ts';
import { createFailureWatch } from './failure-watch.ts';
import { isBirthday } from './profile.ts';
import { afterWrongMpin, isTrivialMpin, otpRefusal, otpVerdict } from './rules.ts';
import { newOrgToken, orgOfToken } from './tokens.ts';

const stored = { is_consumed: false, is_expired: false, tries: 0 };

describe('a presented code', () => {
  test('is accepted only when it matches, is unused, in time and not guessed at five times', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.nat(7), fc.boolean(), (isConsumed, isExpired, tries, isMatch) => {
        const isGood = isMatch && !isConsumed && !isExpired && tries < LIMITS.otpTries;
        expect(otpVerdict({ is_consumed: isConsumed, is_expired: isExpired, tries }, isMatch) === 'accepted').toBe(
          isGood,
        );
      }),
    );
  });
  test('that was never sent is as wrong as a wrong one', () => {
    expect([
      otpVerdict(undefined, true),
      otpVerdict(stored, false),
      otpVerdict({ ...stored, tries: 4 }, false),
    ]).toEqual(['OTP_INVALID', 'OTP_INVALID', 'OTP_USED_UP']);
  });
});

test('codes: 30 s apart, five open ones a day for an asker, so many for its lane, with the time to wait', () => {
  const none = {
    by_asker: 0,
    by_site: 0,
    by_lane: 0,
    since_last_s: null,
    asker_waits_s: 0,
    site_waits_s: 0,
    lane_waits_s: 0,
  };
  const budget = { each: 5, together: 20 };
  expect(otpRefusal(none, budget)).toBeUndefined();
  expect(otpRefusal({ ...none, by_asker: 1, by_lane: 19, since_last_s: 29.2 }, budget)).toEqual({
    code: 'OTP_TOO_SOON',
    retryAfterS: 1,
  });
  expect(otpRefusal({ ...none, by_asker: 4, by_lane: 19, since_last_s: 30 }, budget)).toBeUndefined();
  const full = { ...none, by_asker: 5, by_lane: 20, since_last_s: 1, asker_waits_s: 99.5, lane_waits_s: 40 };
  expect(otpRefusal(full, budget)).toEqual({ code: 'OTP_DAILY_LIMIT', retryAfterS: 100 });
  expect(otpRefusal({ ...full, by_asker: 1 }, budget)).toEqual({ code: 'OTP_DAILY_LIMIT', retryAfterS: 40 });
});

test('a code is guessed on less than one mobile in a thousand in a day, even by who has every way of asking', () => {
  const codes = Object.values(CODES_A_DAY).reduce((sum, { together }) => sum + together, 0);
  expect((codes * LIMITS.otpTries) / 10 ** LIMITS.otpDigits).toBeLessThanOrEqual(1e-3);
  expect((CODES_A_DAY.stranger.together * LIMITS.otpTries) / 10 ** LIMITS.otpDigits).toBeLessThanOrEqual(1e-4);
  // Two addresses, or three, do not use up what strangers have.
  expect(CODES_A_DAY.stranger.together / CODES_A_DAY.stranger.each).toBeGreaterThan(3);
});

describe('an M-PIN', () => {
  const owner = { mobile: '+919845012387', birth_on: '1984-11-23' };
  test.each([
    '0000',
    '7777',
    '0123',
    '1234',
    '6789',
    '9012',
    '4321',
    '3210',
    '0987',
    '1212',
    '9090',
    '1122',
    '1984',
    '2311',
    '1123',
    '2387',
    '9845',
  ])('%s is too simple for its owner', (mpin) => {
    expect(isTrivialMpin(mpin, owner)).toBe(true);
  });
  test.each(['1990', '0702', '0207', '1985', '3012', '1230'])(
    '%s is too simple for a customer who is born then',
    (mpin) => {
      expect(isTrivialMpin(mpin, owner, ['1990-02-07', '1985-12-30'])).toBe(true);
      expect(isTrivialMpin(mpin, owner)).toBe(false);
      expect(isTrivialMpin(mpin, { ...owner, birth_on: null })).toBe(false);
    },
  );
  test('is good otherwise: at most one in forty is banned', () => {
    const all = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0'));
    expect(all.filter((mpin) => isTrivialMpin(mpin, owner)).length).toBeLessThan(250);
    expect(isTrivialMpin('8305', owner)).toBe(false);
  });
  test('locks at each fifth wrong try and loses its devices at the tenth', () => {
    const after = [1, 4, 5, 6, 9, 10].map((failed) => afterWrongMpin(failed));
    expect(after).toEqual([
      { isLocked: false, isUntrusted: false, triesLeft: 4 },
      { isLocked: false, isUntrusted: false, triesLeft: 1 },
      { isLocked: true, isUntrusted: false, triesLeft: 0 },
      { isLocked: false, isUntrusted: false, triesLeft: 4 },
      { isLocked: false, isUntrusted: false, triesLeft: 1 },
      { isLocked: true, isUntrusted: true, triesLeft: 0 },
    ]);
  });
});

test('a token names its organisation, whatever its number; nothing else is one', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: INT4_MAX }), (orgId) => orgOfToken(newOrgToken(orgId)) === orgId));
  fc.assert(fc.property(fc.string(), (text) => orgOfToken(text) === undefined));
  for (const prefix of ['0', 'zzzzzz', 'K', '']) expect(orgOfToken(`${prefix}.${'A'.repeat(43)}`)).toBeUndefined();
});

test('wrong tries over many mobiles raise the alarm once in ten minutes; one clumsy person does not', () => {
  let nowMs = 0;
  const counted: string[] = [];
  const alarms: number[] = [];
  const watch = createFailureWatch({
    count: (kind) => counted.push(kind),
    alarm: (failures) => alarms.push(failures),
    nowMs: () => nowMs,
  });
  for (let n = 0; n < 200; n++) watch.failed('mpin', 'one');
  expect(alarms).toEqual([]);
  nowMs = 600_000;
  for (let n = 0; n < 100; n++) watch.failed('otp', String(n % 25));
  expect([alarms, counted.length]).toEqual([[40], 300]);
});

test('a birthday comes once a year, on the 28th for those of 29 February', () => {
  expect([
    isBirthday('1990-03-05', '2026-03-05'),
    isBirthday('1990-03-05', '2026-03-06'),
    isBirthday(null, '2026-03-05'),
  ]).toEqual([true, false, false]);
  expect([
    isBirthday('1992-02-29', '2026-02-28'),
    isBirthday('1992-02-29', '2028-02-28'),
    isBirthday('1992-02-29', '2028-02-29'),
  ]).toEqual([true, false, true]);
});
