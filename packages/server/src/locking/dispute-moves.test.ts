import { addDays, isoDate } from '@kist/contract/dates';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { disputesToDecide } from './locking.ts';

/** What each move of a dispute does at once: to the phone's lease, to the organisation's list, to the next objection. */
const world = useLockWorld();
let admin: Actor;
beforeAll(async () => {
  admin = { ...world.shop, userType: 'admin', visibleOwnerIds: [] };
});
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
});

const DUE = isoDate('2026-03-10');
const { ownerOf, open, answer, further, decide } = disputeActs(() => world);
const toDecide = () => world.db.read(ORG, (tx) => disputesToDecide(tx, admin));
const noon = (days: number) => world.at(`${addDays(DUE, days)}T12:00:00`);

describe('each move gives the phone a new lease at once', () => {
  /** Late, and told of it: its lease would let the phone climb by itself. */
  async function late(): Promise<Sale> {
    const sale = await world.sell();
    for (const days of [1, 2]) await world.day(addDays(DUE, days));
    expect((await world.leaseOf(sale)).ladder).not.toEqual([]);
    return sale;
  }
  /** @returns the steps that the phone may take by itself after a move */
  async function after(sale: Sale, move: Promise<unknown>) {
    const before = await world.leaseOf(sale);
    await move;
    const now = await world.leaseOf(sale);
    expect(now.seq).toBeGreaterThan(before.seq);
    return now.ladder;
  }

  it('an answer, one taken further, and its last answer: none of them waits for the day’s run', async () => {
    const sale = await late();
    const { dispute_id } = await open(sale);
    expect((await world.leaseOf(sale)).ladder).toEqual([]);
    await after(sale, answer(dispute_id));
    await noon(4);
    expect(await after(sale, further(dispute_id, ownerOf(sale)))).toEqual([]);
    await after(sale, answer(dispute_id, admin));
  });

  it('what the organisation decides of a third one', async () => {
    const [held, refused] = [await late(), await world.sell()];
    for (const sale of [held, refused])
      for (const days of [3, 11]) {
        await noon(days);
        await answer((await open(sale)).dispute_id);
      }
    await noon(20);
    for (const [sale, holds] of [
      [held, true],
      [refused, false],
    ] as const) {
      const { dispute_id, state } = await open(sale);
      expect(state).toBe('undecided');
      await after(sale, decide(dispute_id, holds));
    }
  });
});

it('what was taken further is on the organisation’s list until it is answered', async () => {
  const sale = await world.sell();
  const { dispute_id } = await open(sale);
  const listed = async () => (await toDecide()).filter((one) => one.dispute_id === dispute_id);
  await answer(dispute_id);
  expect(await listed()).toEqual([]);
  await further(dispute_id, ownerOf(sale));
  expect(await listed()).toMatchObject([{ state: 'escalated', customer_id: sale.customerId }]);
  await answer(dispute_id, admin);
  expect(await listed()).toEqual([]);
});

it('a dispute of before disputes named an instalment counts as one about every instalment', async () => {
  const sale = await world.sell();
  const { dispute_id } = await open(sale);
  await world.db.plant(['disputes'], 'update disputes set instalment_no = null where dispute_id = $1', [dispute_id]);
  await expect(open(sale)).rejects.toThrow('DISPUTE_ALREADY_OPEN');
});
