import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LostKind } from '@kist/contract/lost-kinds';
import { unlockReasonFor } from '@kist/contract/unlock-reason';
import { type LockWorld, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const ownerOf = (sale: Sale) => customerOf(world, sale);
const report = (sale: Sale, kind: LostKind, by = ownerOf(sale)) =>
  world.inOrg((tx) => world.locking.reportLost(tx, by, { customerId: sale.customerId, kind, note: 'at the market' }));
const withdraw = (sale: Sale, kind: LostKind, by = ownerOf(sale)) =>
  world.inOrg((tx) => world.locking.withdrawLost(tx, by, { customerId: sale.customerId, kind }));
const causesOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ cause: string; level: number }>(
      'select cause, level from locks where device_id = $1 and level > 0 order by cause',
      [deviceId],
    )
  ).map(({ cause, level }) => `${cause} ${level}`);
const actionsOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ action: string }>(
      `select action from audit_lines where subject_kind = 'device' and subject_id = $1 and action like 'lost%' order by seq`,
      [deviceId],
    )
  ).map(({ action }) => action);

/** Held at level 3 for a debt. */
async function late(): Promise<Sale> {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await causesOf(sale)).toEqual(['debt 3']);
  return sale;
}

it('a phone that was stolen or lost is held by its owner’s word at once, paid up as it is, and free when the word is taken back', async () => {
  await world.at('2026-02-11T12:00:00');
  for (const kind of ['theft', 'lost'] as const) {
    const sale = await world.sell();
    expect(await report(sale, kind)).toMatchObject({ state: 'QUEUED' });
    expect(await causesOf(sale)).toEqual([kind === 'theft' ? 'theft 4' : 'customer_request 4']);
    await expect(report(sale, kind)).rejects.toThrow('STATE_CONFLICT');
    expect(await withdraw(sale, kind)).toMatchObject({ level: 0 });
    expect([await causesOf(sale), await world.levelOf(sale)]).toEqual([[], 0]);
    await expect(withdraw(sale, kind)).rejects.toThrow('STATE_CONFLICT');
    expect(await actionsOf(sale)).toEqual(['lost_reported', 'lost_withdrawn']);
  }
});

it('a theft lock and a debt lock never serve as each other: each goes with its own cause and leaves the other', async () => {
  const [paying, finding] = [await late(), await late()];
  for (const sale of [paying, finding]) {
    await report(sale, 'theft');
    expect(await causesOf(sale)).toEqual(['debt 3', 'theft 4']);
  }
  await world.pay(paying, 1);
  expect([await causesOf(paying), await world.levelOf(paying)]).toEqual([['theft 4'], 4]);
  expect(await withdraw(finding, 'theft')).toMatchObject({ level: 3 });
  expect([await causesOf(finding), await world.levelOf(finding)]).toEqual([['debt 3'], 3]);
  await report(finding, 'lost');
  expect(await withdraw(finding, 'lost')).toMatchObject({ level: 3 });
  const owed = await world.db.asOwner('select from holds where agreement_id = $1', [finding.agreement.agreement_id]);
  expect(owed).toEqual([]);
});

it('is the owner’s word alone: no shop says it or takes it back, and no other customer', async () => {
  await world.at('2026-02-11T12:00:00');
  const [sale, other] = [await world.sell(), await world.sell()];
  await expect(report(sale, 'theft', world.shop)).rejects.toThrow('FORBIDDEN');
  await expect(report(sale, 'theft', ownerOf(other))).rejects.toThrow('NOT_FOUND');
  await report(sale, 'theft');
  await expect(withdraw(sale, 'theft', world.shop)).rejects.toThrow('FORBIDDEN');
  await expect(withdraw(sale, 'theft', ownerOf(other))).rejects.toThrow('NOT_FOUND');
  expect(await causesOf(sale)).toEqual(['theft 4']);
  const bell = await world.db.asOwner(`select kind from notifications where customer_id = $1`, [sale.customerId]);
  expect(bell).toContainEqual({ kind: 'lost_reported' });
});

it('of a phone that nobody has set up there is nothing to hold', async () => {
  const sale = await world.sell({ isEnrolled: false });
  await expect(report(sale, 'theft')).rejects.toThrow('STATE_CONFLICT');
});

it('the shop’s unlock takes off what holds the phone, the owner’s request among it, and ends the report; a theft’s lock it is not offered', async () => {
  const spoken = async ({ deviceId }: Sale) =>
    (
      await world.db.asOwner<{ cause: string | null }>(
        `select document -> 'lock' ->> 'cause' as cause from device_desired where device_id = $1`,
        [deviceId],
      )
    )[0]!.cause;
  const unlock = async (sale: Sale) => {
    const reason = unlockReasonFor(await spoken(sale));
    if (reason === null) return 'not offered';
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason }));
    return [reason, await causesOf(sale), await world.levelOf(sale)];
  };
  const indebted = await late();
  const both = await late();
  await report(both, 'lost');
  const lost = await world.sell();
  await report(lost, 'lost');
  const stolen = await world.sell();
  for (const kind of ['lost', 'theft'] as const) await report(stolen, kind);
  expect(await unlock(indebted)).toEqual(['EMI_OVERDUE', [], 0]);
  for (const sale of [both, lost]) {
    expect(await spoken(sale)).toBe('customer_request');
    expect(await unlock(sale)).toEqual(['CUSTOMER_REQUEST', [], 0]);
    await expect(withdraw(sale, 'lost')).rejects.toThrow('STATE_CONFLICT');
  }
  expect(await unlock(stolen)).toBe('not offered');
});
