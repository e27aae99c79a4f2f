import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { LockWorld, Sale } from './lock-world.ts';
import { newId } from '#server/platform/ids.ts';

/** Restricts from the tenth day, so that an override has something to stand in for. */
export const LATE_POLICY = {
  ...POLICY_PRESETS.dealer,
  steps: POLICY_PRESETS.dealer.steps.map((step) => (step.level < 3 ? step : { ...step, fromDpd: 10 })),
};

/** The shop's phone, which nothing but an override could lock, on 2026-03-13 at two. */
export async function lateSale(world: LockWorld): Promise<Sale> {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell({ policy: LATE_POLICY });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.at('2026-03-13T14:00:00');
  return sale;
}

/** A shop asks for an override, which waits. @returns its rule */
export const askOverride = (world: LockWorld, { customerId }: Sale, actor: Actor = world.shop): Promise<string> =>
  world.inOrg(async (tx) => {
    const order = { reason: 'ORG_OVERRIDE' as const, note: 'the owner agreed in writing' };
    const outcome = await world.locking.requestLock(tx, actor, customerId, order);
    return 'refused' in outcome ? outcome.refused.rule : 'ordered';
  });

/** A lock of more phones than the hour has room for, which waits. @returns its id */
export const askLargeLock = (world: LockWorld, actor: Actor = world.shop): Promise<string> =>
  world.inOrg((tx) =>
    commands.askBatch(tx, actor, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: 60,
      customerIds: Array.from({ length: 60 }, () => newId()),
      size: 100,
      room: null,
      isWaiting: true,
    }),
  );
