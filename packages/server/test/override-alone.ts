import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { LockWorld, Sale } from './lock-world.ts';

/** Restricts from the tenth day, so that an override has something to stand in for. */
const late = {
  ...POLICY_PRESETS.dealer,
  steps: POLICY_PRESETS.dealer.steps.map((step) => (step.level < 3 ? step : { ...step, fromDpd: 10 })),
};

/** A phone that two people's override holds, and nothing else does. */
export async function heldByOverrideAlone(world: LockWorld): Promise<Sale> {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell({ policy: late });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.at('2026-03-13T14:00:00');
  const ask = { reason: 'ORG_OVERRIDE', note: 'the owner agreed in writing' } as const;
  for (const by of [world.shop, world.second])
    await world.inOrg((tx) => world.locking.requestLock(tx, by, sale.customerId, ask));
  // Past every door: what the ladder took before.
  await world.db.plant(['locks'], `delete from locks where device_id = $1 and cause <> 'override'`, [sale.deviceId]);
  return sale;
}

/** Which causes hold the phone of a sale. */
export const causesOf = async (world: LockWorld, { deviceId }: Sale): Promise<string[]> =>
  (
    await world.db.asOwner<{ cause: string }>('select cause from locks where device_id = $1 and level > 0', [deviceId])
  ).map(({ cause }) => cause);
