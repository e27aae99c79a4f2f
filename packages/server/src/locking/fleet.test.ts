import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockCause } from '@kist/contract/agent';
import { LOCK_REASONS, type LockReason } from '@kist/contract/lock-policy';
import { type LockWorld, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { overdue } from '#test/lock-facts.ts';
import type { Ask, Phone } from './facts.ts';
import { unlockFleet } from './fleet.ts';
import { unlockedButForTheft } from './unlocking.ts';
import { recordReport } from './manual.ts';

const REASONS = Object.keys(LOCK_REASONS) as LockReason[];
const CAUSES = REASONS.map((reason) => LOCK_REASONS[reason].cause);

describe('what comes off when the fleet is freed', () => {
  /** Every set of causes, each holding a level or (where it can) a switch. */
  const held = Array.from({ length: 2 ** CAUSES.length }, (_, set) => CAUSES.filter((_cause, at) => set & (1 << at)));

  it.each(['level', 'switch'] as const)('is every cause but theft, whichever hold the phone (%s)', (what) => {
    for (const causes of held) {
      const of = (list: readonly LockCause[]) => list.map((cause) => ({ cause, level: 4, taken: 'wallpaper' }));
      const row =
        what === 'level' ? { locks: of(causes), restrictions: null } : { locks: null, restrictions: of(causes) };
      const facts = ({ reason, level }: Ask) => ({
        ...overdue(3),
        request: { reason, level, trigger: 'manual' as const },
      });
      const { changes } = unlockedButForTheft({ row, facts } as unknown as Phone);
      const off = causes.filter((cause) => cause !== 'theft');
      expect(new Set(changes.map(({ cause }) => cause))).toEqual(new Set(off.length > 0 ? off : ['debt']));
      expect(changes.every(({ level }) => level === 0)).toBe(true);
    }
  });
});

describe('the fleet unlock leaves nothing but what its owner reported stolen', () => {
  let world: LockWorld;
  beforeAll(async () => {
    world = await createLockWorld();
  });
  beforeEach(async () => {
    await world.forgetDays();
    await world.at('2026-03-05T12:00:00');
  });
  afterAll(() => world.close());

  const ownerOf = (sale: Sale) => customerOf(world, sale);
  const lock = (sale: Sale, reason: LockReason, actor = world.shop) =>
    world.inOrg((tx) => world.locking.requestLock(tx, actor, sale.customerId, { reason }));
  const turn = (sale: Sale, type: 'camera_lock' | 'set_wallpaper', reason: LockReason) =>
    world.inOrg((tx) => world.locking.requestSwitch(tx, world.shop, { customerId: sale.customerId, type, reason }));
  const asks = (sale: Sale, kind: 'theft' | 'request') =>
    world.inOrg((tx) => recordReport(tx, ownerOf(sale), sale.customerId, { kind, note: '' }));
  const free = () => world.inOrg((tx) => unlockFleet(tx, world));

  async function stateOf({ deviceId }: Sale) {
    const [row] = await world.db.asOwner<{ level: number; on: string[]; text: string | null; released: boolean }>(
      `select lock_level as level, document ->> 'wallpaper_text' as text, (document -> 'released')::boolean as released,
         array(select k from jsonb_each(document -> 'toggles') t(k, v) where v = 'true' order by k) as on
       from device_desired where device_id = $1`,
      [deviceId],
    );
    const left = await world.db.asOwner<{ cause: string }>(
      `select cause from locks where device_id = $1 and level > 0 union all
       select cause from restrictions where device_id = $1 and given_back_at is null`,
      [deviceId],
    );
    return { ...row!, causes: left.map(({ cause }) => cause) };
  }
  const FREE = { level: 0, on: [], text: null, released: false, causes: [] };

  it('a test lock', async () => {
    const sale = await world.sell();
    expect(await lock(sale, 'ENROLMENT_TEST')).toMatchObject({ state: 'QUEUED' });
    expect(await free()).toBe(1);
    expect(await stateOf(sale)).toEqual(FREE);
    const [order] = await world.db.asOwner(
      `select type, reason, state from commands where device_id = $1 order by seq desc limit 1`,
      [sale.deviceId],
    );
    expect(order).toEqual({ type: 'unlock', reason: 'ENROLMENT_TEST', state: 'QUEUED' });
  });

  it('a hold and a camera at the customer’s request; and the request is closed', async () => {
    const sale = await world.sell();
    await lock(sale, 'CUSTOMER_REQUEST', ownerOf(sale));
    await turn(sale, 'camera_lock', 'CUSTOMER_REQUEST');
    expect(await stateOf(sale)).toMatchObject({ level: 4, on: ['camera_lock'] });
    await free();
    expect(await stateOf(sale)).toEqual(FREE);
    expect(await lock(sale, 'CUSTOMER_REQUEST')).toMatchObject({ refused: { rule: 'REQUEST_NOT_RECORDED' } });
  });

  it('a debt beside a theft lock comes off, the theft lock and the camera it took stay', async () => {
    const sale = await world.sell();
    const only = await world.sell();
    for (const one of [sale, only]) await lock(one, 'THEFT_REPORTED', ownerOf(one));
    await turn(sale, 'camera_lock', 'THEFT_REPORTED');
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    await turn(sale, 'set_wallpaper', 'EMI_OVERDUE');
    await free();
    expect(await stateOf(sale)).toMatchObject({ level: 4, on: ['camera_lock'], causes: ['theft', 'theft'] });
    expect(await stateOf(only)).toMatchObject({ level: 4, causes: ['theft'] });
    expect(await free()).toBe(0);
  });

  it('what a phone says of itself, whatever cause it names, and what no cause carries', async () => {
    const liar = await world.sell();
    const stray = await world.sell();
    await world.db.asOwner(`update device_reports set lock_level = 4, lock_cause = 'theft' where device_id = $1`, [
      liar.deviceId,
    ]);
    await world.db.asOwner(
      `update device_desired set document = jsonb_set(document, '{toggles,camera_lock}', 'true') where device_id = $1`,
      [stray.deviceId],
    );
    const before = await world.db.asOwner<{ revision: number }>(
      'select revision::int from device_desired where device_id = $1',
      [liar.deviceId],
    );
    expect(await free()).toBe(2);
    const after = await world.db.asOwner<{ revision: number }>(
      'select revision::int from device_desired where device_id = $1',
      [liar.deviceId],
    );
    expect(after[0]!.revision).toBe(before[0]!.revision + 1);
    expect(await stateOf(stray)).toEqual(FREE);
  });

  it('a paid-off phone that only its owner’s request held is let go', async () => {
    const sale = await world.sell({ tenure: 1 });
    await lock(sale, 'CUSTOMER_REQUEST', ownerOf(sale));
    await world.pay(sale, 1);
    expect(await stateOf(sale)).toMatchObject({ level: 4, released: false });
    await asks(sale, 'request');
    await free();
    expect(await stateOf(sale)).toEqual({ ...FREE, released: true });
    expect(await world.violations()).toEqual([]);
  });
});
