import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compensation, type RestrictionSpan } from './compensation.ts';

const MINUTE_MS = 60_000;
const RBI = POLICY_PRESETS['rbi-2026'];
const owed = (kind: RestrictionSpan['kind'], minutes: number) =>
  compensation({ kind, fromMs: 0, confirmedAtMs: minutes * MINUTE_MS }, RBI, Infinity).owedPaise;

describe('the wrongful-hours meter', () => {
  test.each<[number, number]>([
    [0, 0],
    [60, 0],
    [60.001, 25_000],
    [120, 25_000],
    [120.001, 50_000],
    [60 * 25, 24 * 25_000],
  ])('a phone freed %d minutes after the payment: %d paise', (minutes, paise) => {
    expect(owed('late_reversal', minutes)).toBe(paise);
  });

  test.each<[number, number]>([
    [0, 0],
    [1, 25_000],
    [60, 25_000],
    [61, 50_000],
  ])('a wrong lock of %d minutes has no free hour: %d paise', (minutes, paise) => {
    expect(owed('wrongful', minutes)).toBe(paise);
  });

  test('it runs until the phone says it is free, and says when the next hour counts', () => {
    const span = { kind: 'late_reversal' as const, fromMs: 1000, confirmedAtMs: null };
    expect(compensation(span, RBI, 1000 + 90 * MINUTE_MS)).toEqual({
      elapsedMs: 90 * MINUTE_MS,
      hours: 1,
      owedPaise: 25_000,
      isRunning: true,
      nextHourAtMs: 1000 + 120 * MINUTE_MS,
    });
  });

  test('a clock set back owes nothing, and time never lowers what is owed', () => {
    const kindArb = fc.constantFrom<RestrictionSpan['kind']>('late_reversal', 'wrongful');
    fc.assert(
      fc.property(kindArb, fc.integer({ min: -1e9, max: 1e9 }), fc.nat(1e9), (kind, nowMs, laterMs) => {
        const at = (ms: number) => compensation({ kind, fromMs: 0, confirmedAtMs: null }, RBI, ms).owedPaise;
        expect(at(nowMs + laterMs)).toBeGreaterThanOrEqual(at(nowMs));
        expect(at(Math.min(0, nowMs))).toBe(0);
      }),
    );
  });

  test('the next hour counts one millisecond after its moment', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (nowMs) => {
        const at = (ms: number) => compensation({ kind: 'late_reversal', fromMs: 0, confirmedAtMs: null }, RBI, ms);
        const { hours, nextHourAtMs } = at(nowMs);
        expect([at(nextHourAtMs ?? 0).hours, at((nextHourAtMs ?? 0) + 1).hours]).toEqual([hours, hours + 1]);
      }),
    );
  });
});
