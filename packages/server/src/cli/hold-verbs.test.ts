import { addDays, isoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deskOf } from '#test/kist-command.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { holdVerbs } from './hold-verbs.ts';
import { explain, read } from './verbs.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

async function kist(verb: string, ...typed: string[]) {
  const asked = read('hold', holdVerbs, [verb, String(ORG), ...typed]);
  if (typeof asked === 'string') throw new Error(asked);
  return asked.verb.run(deskOf(world.db), asked.given).catch(explain);
}
const why = ['--reason', 'in hospital, says the shop'];

test('a hold is granted to an agreement by its number, rests its locks until its day, and is lifted by its id', async () => {
  const sale = await world.sell();
  const { agreement_no } = sale.agreement;
  expect((await kist('list', agreement_no)).lines).toEqual(['Nothing rests them.']);
  const { data } = await kist('grant', agreement_no, '--kind', 'medical', '--until', '2026-03-20', ...why);
  const { hold_id } = data as { hold_id: string };
  expect((await kist('list', agreement_no)).lines).toEqual([`${hold_id}  medical until 2026-03-20`]);
  for (const day of ['2026-03-11', '2026-03-13', '2026-03-15', '2026-03-20']) await world.day(day);
  expect(await world.levelOf(sale)).toBeLessThan(3);
  const history = () =>
    world.db.asOwner<{ action: string }>(
      `select action from audit_lines where subject_id = $1 and action like 'hold%' order by seq`,
      [sale.agreement.agreement_id],
    );
  await kist('lift', hold_id, '--reason', 'the customer is back at work');
  expect((await kist('list', agreement_no)).lines).toEqual(['Nothing rests them.']);
  expect((await history()).map(({ action }) => action)).toEqual(['hold_recorded', 'hold_lifted']);
  await expect(kist('lift', hold_id, ...why)).rejects.toThrow('STATE_CONFLICT');
  for (const day of ['2026-03-21', '2026-03-22', '2026-03-23', '2026-03-24']) await world.day(day);
  expect(await world.levelOf(sale)).toBeGreaterThanOrEqual(3);
});

test('what is typed wrongly is said, and nothing is granted', async () => {
  const { agreement } = await world.sell();
  const grant = (kind: string, until: string, ...reason: string[]) =>
    kist('grant', agreement.agreement_no, '--kind', kind, '--until', until, ...reason);
  await expect(grant('manual', '2026-03-30', ...why)).rejects.toThrow('--kind is one of: hardship, holiday, medical');
  await expect(grant('medical', '30-03-2026', ...why)).rejects.toThrow('YYYY-MM-DD');
  await expect(grant('medical', '2026-03-30')).rejects.toThrow('--reason is missing');
  await expect(grant('medical', '2026-03-01', ...why)).rejects.toThrow('INVALID_INPUT');
  await expect(grant('medical', addDays(isoDate('2026-03-24'), LIMITS.holdDays + 1), ...why)).rejects.toThrow(
    'INVALID_INPUT',
  );
  await expect(kist('grant', '20-99999', '--kind', 'medical', '--until', '2026-03-30', ...why)).rejects.toThrow(
    'there is no agreement 20-99999',
  );
  expect((await kist('list', agreement.agreement_no)).lines).toEqual(['Nothing rests them.']);
});
