import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { describe, expect, test } from 'vitest';
import { onDay, dayOfDate, overdue } from '#test/lock-facts.ts';
import type { FactRow } from './facts-store.ts';
import type { Phone } from './facts.ts';
import { leaseTerms } from './lease-terms.ts';
import { lockScreen } from './screen.ts';

/** A phone whose instalment is due on a day, seen `daysBefore` it. */
function phone(dueOn: string, daysBefore: number, offsets: number[]): Phone {
  const nowMs = onDay(dayOfDate(dueOn) - daysBefore);
  const policy = { ...POLICY_PRESETS.dealer, reminderOffsetDays: offsets };
  const row = {
    deviceId: 'device-1',
    state: 'active',
    releasedAt: null,
    oldestDueOn: isoDate(dueOn),
    oldestDuePaise: 1000_00,
    overduePaise: 0,
    overdueCount: 0,
    language: 'hn',
    shop: 'Sunita Mobile',
    shopPhone: '+919000000000',
    agreementNo: '20-000001',
    upiId: 'sunita@upi',
    locks: null,
    restrictions: null,
  } as unknown as FactRow;
  const place: Phone['place'] = {
    cell: { provisioning: 'DPC', lockState: 'unlocked', status: 1, plan: 'DPC' },
    allowed: undefined,
  };
  return { row, nowMs, policy, place, facts: () => ({ ...overdue(-daysBefore), policy, nowMs }) };
}
const free = { level: 0, sinceMs: null } as const;

describe('the terms of a lease', () => {
  test('remind at the opening of the automatic hours so many days from the due day, across months, years and 29 February', () => {
    const at = (dueOn: string, offsets: number[]) => leaseTerms(phone(dueOn, 10, offsets), free).reminders;
    expect(at('2026-03-02', [0, -3, 2])).toEqual([
      { at: '2026-02-27T04:30:00.000Z', key: 'D-3' },
      { at: '2026-03-02T04:30:00.000Z', key: 'D0' },
      { at: '2026-03-04T04:30:00.000Z', key: 'D2' },
    ]);
    expect(at('2028-03-01', [-1]).map((one) => one.at)).toEqual(['2028-02-29T04:30:00.000Z']);
    expect(at('2027-01-01', [-1]).map((one) => one.at)).toEqual(['2026-12-31T04:30:00.000Z']);
    expect(at('2026-03-20', [-10, -9, -11]).map(({ key }) => key)).toEqual(['D-10', 'D-9']);
  });

  test('show the debt, whatever the phone shows now, and are nothing of their own where that is the debt', () => {
    const one = phone('2026-03-20', 3, []);
    const debt = lockScreen(one.row, 'EMI_OVERDUE');
    for (const shown of [null, lockScreen(one.row, 'THEFT_REPORTED'), lockScreen(one.row, 'ORG_OVERRIDE'), debt])
      expect(leaseTerms(one, free, shown).screen).toEqual(debt);
    expect(leaseTerms(one, free, debt).screen).toBe(debt);
    const closed: Phone = { ...one, row: { ...one.row, state: 'completed' } };
    expect(leaseTerms(closed, free, debt)).toMatchObject({ screen: null, reminders: [], ladder: [] });
  });

  test('let a phone that was let go do nothing, though its agreement still owes', () => {
    const late = phone('2026-03-10', -1, [3]);
    expect(leaseTerms(late, free).ladder).not.toEqual([]);
    const gone: Phone = { ...late, row: { ...late.row, releasedAt: new Date('2026-03-11T06:00:00.000Z') } };
    expect(leaseTerms(gone, free)).toMatchObject({ screen: null, reminders: [], notices: [], ladder: [] });
  });
});
