import { expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { ladderOf } from './ladder.ts';

const t = ((key: string, values: Record<string, unknown> = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as Parameters<typeof ladderOf>[1];

it('reads day by day, a notice before what it warns of', () => {
  expect(ladderOf(POLICY_PRESETS.dealer, t).map(({ day, what }) => `${day}: ${what}`)).toEqual([
    'lock_rules.before 3: lock_rules.reminder',
    'lock_rules.before 1: lock_rules.reminder',
    'lock_rules.on_day: lock_rules.reminder',
    expect.stringContaining('lock_rules.late 1: lock_rules.notice 1'),
    ...POLICY_PRESETS.dealer.steps.map(({ fromDpd, level }) => `lock_rules.late ${fromDpd}: lock.level_${level}`),
  ]);
});

it('says of each notice and step what it waits for', () => {
  const rows = ladderOf(POLICY_PRESETS['rbi-2026'], t);
  expect(rows.find(({ what }) => what === 'lock_rules.notice 2')?.detail).toBe('lock_rules.after 1 · lock_rules.pay 7');
  expect(rows.find(({ what }) => what === 'lock.level_3')?.detail).toBe('lock_rules.after 2');
});
