import { ADVISORY_MAX_LEVEL } from '@kist/contract/commands';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LockFacts, isSamePhone, lockView } from './rules.ts';

const level = fc.integer({ min: 0, max: 4 });
const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
const facts: fc.Arbitrary<LockFacts> = fc.record({
  desiredLevel: level,
  reportedLevel: level,
  desiredRevision: fc.nat({ max: 9 }),
  reportedRevision: fc.nat({ max: 9 }),
  toldRevision: fc.nat({ max: 9 }),
  lockChangedAt: date,
  levelChangedAt: fc.option(date),
  reportedAt: fc.option(date),
  desiredCause: fc.constant('debt'),
  isStrong: fc.boolean(),
  isUnproven: fc.boolean(),
  silentSince: fc.option(date),
});

test('a phone shows as locked only by its own report, and never when it only reminds', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const view = lockView(given);
      expect(view.lock_status).toBe(given.isStrong && given.reportedLevel >= LOCKED_FROM_LEVEL ? 1 : 0);
      const reach = (at: number) => (given.isStrong ? at : Math.min(at, ADVISORY_MAX_LEVEL));
      expect(view.pending === null).toBe(reach(given.desiredLevel) === reach(given.reportedLevel));
      expect(lockView({ ...given, desiredLevel: 0 }).lock_status).toBe(view.lock_status);
      expect(lockView({ ...given, isStrong: false })).toMatchObject({ lock_status: 0, strength: 'advisory' });
    }),
  );
});

test('an agent that nobody vouches for is never shown as enforcing, and a held phone that says nothing shows as silent', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { strength, silent_since } = lockView(given);
      expect(strength === 'enforced').toBe(given.isStrong && !given.isUnproven);
      const isHeld = given.isStrong && Math.max(given.desiredLevel, given.reportedLevel) >= LOCKED_FROM_LEVEL;
      expect(silent_since).toBe(isHeld && given.silentSince ? given.silentSince.toISOString() : null);
    }),
  );
});

test('the cause shown is the one of our order, and none when we ordered the phone free, whatever it says of itself', () => {
  fc.assert(
    fc.property(facts, fc.constantFrom('debt', 'theft', null), (given, reportedCause) => {
      const says = { ...given, reportedCause };
      expect(lockView({ ...says, desiredLevel: 3, desiredCause: 'override' }).cause).toBe('override');
      expect(lockView({ ...says, desiredLevel: 0, desiredCause: null }).cause).toBeNull();
    }),
  );
});

test('what is pending says where to and how far it got', () => {
  const base = {
    desiredRevision: 2,
    reportedRevision: 1,
    toldRevision: 1,
    lockChangedAt: new Date(0),
    levelChangedAt: null,
    reportedAt: null,
    desiredCause: null,
    isStrong: true,
    isUnproven: false,
    silentSince: null,
  };
  expect(lockView({ ...base, desiredLevel: 4, reportedLevel: 0 }).pending).toMatchObject({
    to: 'locked',
    state: 'QUEUED',
  });
  expect(lockView({ ...base, desiredLevel: 0, reportedLevel: 4, toldRevision: 2 }).pending).toMatchObject({
    to: 'unlocked',
    state: 'SENT',
  });
  expect(lockView({ ...base, desiredLevel: 2, reportedLevel: 1, reportedRevision: 2 }).pending).toMatchObject({
    to: 'level',
    state: 'SENT',
  });
});

test('a phone is the agreement’s by IMEI or serial, and by nothing that contradicts', () => {
  const contract = { imei1: '1'.repeat(15), imei2: null, serial: null };
  const phone = { imei: ['1'.repeat(15)], serial: 'S', agent: 'DPC' as const };
  expect(isSamePhone('DPC', contract, phone)).toBe(true);
  expect(isSamePhone('DPC', contract, { ...phone, imei: ['2'.repeat(15), '1'.repeat(15)] })).toBe(true);
  expect(isSamePhone('DPC', contract, { ...phone, imei: ['2'.repeat(15)] })).toBe(false);
  expect(isSamePhone('DPC', contract, { ...phone, imei: [] })).toBe(false);
  expect(isSamePhone('DPC', { ...contract, serial: 'T' }, phone)).toBe(false);
  expect(isSamePhone('DPC', { ...contract, serial: 'S' }, { ...phone, imei: [] })).toBe(true);
  expect(isSamePhone('AMAPI', contract, phone)).toBe(false);
  expect(isSamePhone('LINKFL', contract, { imei: [], serial: '', agent: 'LINKFL' })).toBe(true);
  expect(isSamePhone('LINKFL', contract, { imei: ['2'.repeat(15)], serial: '', agent: 'LINKFL' })).toBe(false);
  expect(isSamePhone('LINKFL', contract, phone)).toBe(false);
});

test('a phone that only reminds is not on its way for ever: at its highest level it has done what it can', () => {
  const linked = {
    desiredLevel: 3,
    reportedLevel: 2,
    desiredRevision: 5,
    reportedRevision: 5,
    isStrong: false,
    lockChangedAt: new Date(0),
    desiredCause: 'debt',
    levelChangedAt: null,
    reportedAt: null,
    toldRevision: 5,
    isUnproven: false,
    silentSince: null,
  };
  expect(lockView(linked)).toMatchObject({ lock_status: 0, pending: null, strength: 'advisory', desired_level: 3 });
  expect(lockView({ ...linked, reportedLevel: 1 }).pending).not.toBeNull();
  expect(lockView({ ...linked, isStrong: true }).pending).not.toBeNull();
});
