import { describe, expect, test } from 'vitest';
import { HOUR_MS, asking, dayOfDate, onDay, overdue } from '#test/lock-facts.ts';
import type { GateFacts } from './facts.ts';
import { gate } from './gate.ts';

const DUE = dayOfDate('2026-03-10');

describe('the lock may be tried out', () => {
  const BEGAN = onDay(DUE - 9);
  const MINUTE = HOUR_MS / 60;
  const trying = (test: Partial<GateFacts['device']['test']> = {}, nowMs = BEGAN, enrolledAtMs = BEGAN): GateFacts => {
    const base = overdue(-9);
    const tested = { firstEnrolledAtMs: BEGAN, startedAtMs: null, isOn: false, ...test };
    return asking({ ...base, nowMs, device: { ...base.device, enrolledAtMs, test: tested } }, 'ENROLMENT_TEST', 4);
  };

  test('for 15 minutes, on the day after the first enrolment', () => {
    expect(gate(trying())).toMatchObject({
      allowed: true,
      level: 4,
      rule: 'TEST_WINDOW',
      expires_at: new Date(BEGAN + 15 * MINUTE).toISOString(),
    });
    expect(gate(trying({}, onDay(DUE - 8) - 1)).allowed).toBe(true);
    expect(gate(trying({}, onDay(DUE - 8)))).toMatchObject({ allowed: false, rule: 'TEST_WINDOW_OVER', level: 0 });
  });

  test('no longer than the day on which something is due', () => {
    const last = trying({ firstEnrolledAtMs: onDay(DUE) }, onDay(DUE + 1) - 5 * MINUTE);
    expect(gate(last)).toMatchObject({ allowed: true, expires_at: new Date(onDay(DUE + 1)).toISOString() });
  });

  test('not as new because the phone has enrolled again', () => {
    expect(gate(trying({}, onDay(DUE - 3), onDay(DUE - 3))).rule).toBe('TEST_WINDOW_OVER');
  });

  test('once, however short it was; one that is on keeps its end', () => {
    const on = { startedAtMs: BEGAN, isOn: true };
    const at = (minutes: number) => BEGAN + minutes * MINUTE;
    expect(gate(trying(on, at(14)))).toMatchObject({ allowed: true, expires_at: new Date(at(15)).toISOString() });
    expect(gate(trying(on, at(15)))).toMatchObject({ allowed: false, rule: 'TEST_USED', level: 0 });
    expect(gate(trying({ ...on, isOn: false }, at(2))).rule).toBe('TEST_USED');
  });

  test('not of who is late, in a dispute, of another phone, or when the agreement is over or none', () => {
    const late = trying({ firstEnrolledAtMs: onDay(DUE) }, onDay(DUE + 1) - 1);
    expect(gate(late).allowed).toBe(true);
    expect(gate({ ...late, nowMs: onDay(DUE + 1) })).toMatchObject({ level: 0 });
    expect(gate(trying({ firstEnrolledAtMs: onDay(DUE + 1) }, onDay(DUE + 1))).rule).toBe('TEST_OVERDUE');
    const fresh = trying();
    expect(gate({ ...fresh, disputes: [{ openedAtMs: 0, untilMs: null }] }).rule).toBe('DISPUTE_OPEN');
    expect(gate({ ...fresh, device: { ...fresh.device, imeis: [], serial: 'X' } }).rule).toBe('NOT_THIS_PHONE');
    expect(gate({ ...fresh, agreement: null }).rule).toBe('NO_AGREEMENT');
    for (const state of ['completed', 'cancelled'] as const)
      expect(gate({ ...fresh, agreement: { ...fresh.agreement!, state } }).rule).toBe('AGREEMENT_CLOSED');
  });
});
