import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { LockWorld, Sale } from './lock-world.ts';

const policy = { ...POLICY_PRESETS.dealer, compensationPaisePerHour: 250_00, cureWithinMinutes: 60 };

/**
 * Locked on 2026-03-13 at half past twelve, paid at two and free by its own word at half past four: an hour is free, of the next one and a half every hour that
 * began counts, ₹500.
 */
export async function paidLate(world: LockWorld, { tenure = 6, isFree = true } = {}): Promise<Sale> {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell({ policy, tenure });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.obey(sale);
  await world.at('2026-03-13T14:00:00');
  await world.pay(sale, 1);
  await world.at('2026-03-13T16:30:00');
  if (isFree) await world.obey(sale);
  return sale;
}
