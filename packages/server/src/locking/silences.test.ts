import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROVISIONING } from '@kist/contract/codes';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { timersOf } from '#server/jobs/timers.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(() => world.forgetDays());
afterAll(() => world.close());

const tell = () => world.locking.tellOfSilences(world.db, ORG);
const bell = async ({ customerId }: Sale) =>
  (
    await world.db.asOwner<{ user_id: string }>(
      `select user_id from notifications where customer_id = $1 and kind = 'phone_silent'`,
      [customerId],
    )
  ).map(({ user_id }) => user_id);

/** A phone locked for its debt on the 13th, which said so at noon and nothing after. */
async function held(given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell(given);
  await world.obey(sale);
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.at('2026-03-13T13:00:00');
  await world.obey(sale);
  return sale;
}

describe('a held phone that fell silent rings the bell of its shop', () => {
  it('once its policy’s days are over, once, and anew when it spoke and fell silent again', async () => {
    const sale = await held();
    expect(await world.levelOf(sale)).toBe(3);
    await world.at('2026-03-16T12:59:00');
    expect(await tell()).toBe(0);
    await world.at('2026-03-16T13:01:00');
    expect(await tell()).toBe(1);
    expect(await bell(sale)).toEqual([world.shop.userId]);
    // Whether somebody read it or not, and however long it lasts.
    await tell();
    await world.db.asOwner('update notifications set read_at = now() where customer_id = $1', [sale.customerId]);
    await world.at('2026-03-30T13:00:00');
    expect(await tell()).toBe(0);
    await world.obey(sale);
    await world.at('2026-04-02T12:59:00');
    expect(await tell()).toBe(0);
    await world.at('2026-04-02T13:01:00');
    expect(await tell()).toBe(1);
    expect(await bell(sale)).toHaveLength(2);
  });

  it('after as many days as its agreement was signed under', async () => {
    const sale = await held({ policy: { ...POLICY_PRESETS.dealer, silentAfterDays: 5 } });
    await world.at('2026-03-18T12:59:00');
    expect(await tell()).toBe(0);
    await world.at('2026-03-18T13:01:00');
    expect(await tell()).toBe(1);
    expect(await bell(sale)).toHaveLength(1);
  });

  it('told by two runs at the same moment it is told once', async () => {
    const sale = await held();
    await world.at('2026-03-17T13:00:00');
    const counts = await Promise.all([tell(), tell()]);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(await bell(sale)).toHaveLength(1);
  });

  it('when something is taken from it for a debt, though it is not locked', async () => {
    const sale = await held();
    await world.db.asOwner(
      `insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, taken_at)
       select org_id, device_id, 'wallpaper', 'debt', agreement_id, 'EMI_OVERDUE', gen_random_uuid(), kist_now() from agreements where device_id = $1`,
      [sale.deviceId],
    );
    await world.db.plant(['locks'], 'delete from locks where device_id = $1', [sale.deviceId]);
    await world.at('2026-03-17T13:00:00');
    expect(await tell()).toBe(1);
    expect(await bell(sale)).toHaveLength(1);
  });

  it('not one that is free, that only reminds, that was let go of, or that never said anything', async () => {
    const free = await held({ deliveredOn: '2026-03-05' });
    const reminds = await held({ provisioningType: PROVISIONING.LINKFL });
    await world.db.asOwner('update device_reports set is_strong = false where device_id = $1', [reminds.deviceId]);
    const gone = await held();
    await world.db.asOwner('update devices set released_at = kist_now() where device_id = $1', [gone.deviceId]);
    const mute = await held();
    await world.db.asOwner('update device_reports set last_seen_at = null where device_id = $1', [mute.deviceId]);
    await world.at('2026-03-20T13:00:00');
    expect(await world.levelOf(free)).toBe(0);
    await tell();
    for (const sale of [free, reminds, gone, mute]) expect(await bell(sale)).toEqual([]);
  });

  it('every hour, by itself', async () => {
    const sale = await held();
    await world.at('2026-03-17T13:00:00');
    const timer = timersOf({ ...world.run, onReports: async () => undefined }).find(({ name }) => name === 'silences')!;
    expect(timer.cron).toMatch(/^\d+ \* \* \* \*$/);
    await timer.work();
    expect(await bell(sale)).toHaveLength(1);
  });
});
