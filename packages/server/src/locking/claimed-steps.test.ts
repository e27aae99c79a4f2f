import { beforeEach, describe, expect, it } from 'vitest';
import type { Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** One report of a phone that was out of reach: what it did by itself, and that its holder says it is paid or wrong. Which came first decides. */
const world = useLockWorld();
let sale: Sale;
let seq: number;
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
});

const bell = () =>
  world.db
    .asOwner<{ kind: string }>('select kind from notifications where customer_id = $1 order by created_at', [
      sale.customerId,
    ])
    .then((rows) => rows.map(({ kind }) => kind));
const seqOf = async () => (await world.leaseOf(sale)).seq;
const wanted = async () =>
  (
    await world.db.asOwner<{ revision: number }>('select revision::int from device_desired where device_id = $1', [
      sale.deviceId,
    ])
  )[0]!.revision;
/** At level 2 by the server, out of reach since; the next step was allowed by its lease on the 13th. */
async function outOfReach(): Promise<void> {
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  seq = await seqOf();
  await world.at('2026-03-14T12:00:00');
}
const step = (at: string, level = 3) => ({ kind: 'lease_step', at, data: { level, from: level - 1, lease_seq: seq } });
const claim = (at: string) => ({ kind: 'payment_claimed', at });
const dispute = (at: string) => ({ kind: 'dispute', at, data: { text: 'I paid in cash' } });

describe.each([
  ['paid', claim, 'payment_claimed'],
  ['wrong', dispute, 'dispute_opened'],
] as const)('a phone whose holder says that it is %s', (_, word, ring) => {
  beforeEach(outOfReach);

  it('has the step that it took before confirmed, in whatever order they are told', async () => {
    await world.tell(sale, word('2026-03-13T12:00:00'), step('2026-03-13T11:00:00'));
    expect(await world.levelOf(sale)).toBe(3);
    expect(await bell()).toContain(ring);
    expect(await bell()).not.toContain('lock_beyond_lease');
  });

  it('has a step that it took after that put back, and the shop hears of it', async () => {
    const before = await wanted();
    await world.tell(sale, step('2026-03-13T11:00:00'), word('2026-03-13T10:30:00'));
    expect(await world.levelOf(sale)).toBe(2);
    expect(await wanted()).toBeGreaterThan(before);
    expect(await bell()).toEqual(expect.arrayContaining([ring, 'lock_beyond_lease']));
  });

  it('whose clock is ahead is heard in the order in which it tells', async () => {
    await world.tell(sale, word('2026-03-15T10:00:00'), step('2026-03-14T20:00:00'));
    expect(await world.levelOf(sale)).toBe(2);
  });

  it('whose clock is ahead keeps the step that it tells of first', async () => {
    await world.tell(sale, step('2026-03-15T10:00:00'), word('2026-03-14T20:00:00'));
    expect(await world.levelOf(sale)).toBe(3);
  });
});

describe('a phone on which it was said to be paid and that nobody reached for days', () => {
  beforeEach(async () => {
    await outOfReach();
    await world.at('2026-03-17T12:00:00');
  });

  it('has the step confirmed that it took after as long as the server would have waited; the shop hears of the word, and the next raise waits for its answer', async () => {
    await world.tell(sale, claim('2026-03-13T10:30:00'), step('2026-03-16T10:30:00'));
    expect(await world.levelOf(sale)).toBe(3);
    expect(await bell()).toContain('payment_claimed');
    expect(await bell()).not.toContain('lock_beyond_lease');
    for (const day of ['2026-03-18', '2026-03-19']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
    await world.day('2026-03-20');
    expect(await world.levelOf(sale)).toBe(4);
  });

  it('has one put back that it took a minute before that, or after a complaint', async () => {
    await world.tell(sale, claim('2026-03-13T10:30:00'), step('2026-03-15T17:59:00'));
    expect(await world.levelOf(sale)).toBe(2);
    expect(await bell()).toContain('lock_beyond_lease');
  });

  it('has one put back that it took after a complaint, whatever was said before that', async () => {
    await world.tell(sale, claim('2026-03-13T10:30:00'), dispute('2026-03-15T12:00:00'), step('2026-03-16T10:30:00'));
    expect(await world.levelOf(sale)).toBe(2);
  });
});

it('said again of the same instalment it stops no step, and the phone has a lease that knows of it all the same', async () => {
  await world.day('2026-03-11');
  await world.tell(sale, claim('2026-03-11T12:20:00'));
  for (const day of ['2026-03-12', '2026-03-13', '2026-03-14']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(2);
  seq = await seqOf();
  await world.at('2026-03-15T13:00:00');
  await world.tell(sale, claim('2026-03-15T10:30:00'), step('2026-03-15T11:00:00'));
  expect(await world.levelOf(sale)).toBe(3);
  expect(await bell()).not.toContain('lock_beyond_lease');
  const before = await seqOf();
  await world.tell(sale, claim('2026-03-15T12:30:00'), claim('2026-03-15T12:31:00'));
  expect(await seqOf()).toBe(before + 1);
});
