import { beforeEach, describe, expect, it } from 'vitest';
import { disputeActs } from '#test/dispute-acts.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { HOUR, PAYS_PER_HOUR, cureActs } from '#test/wrong-lock.ts';
import { reckonClocks } from './clocks.ts';
import { lockTimeline } from './lock-timeline.ts';

const world = useLockWorld();
let sale: Sale;
const { locked, cureOf, curesOf, recorded, owedOf, payFor } = cureActs(world);
beforeEach(async () => {
  sale = await locked();
});

const { open, answer, uphold, further, ownerOf } = disputeActs(() => world);
const clock = async () => (await world.db.read(ORG, reckonClocks)).cure_to_unlock;
const payAt = (paidAt: string, amount?: number, which?: number) => payFor(sale, paidAt, { amount, which });

describe('a lock that came although the money was there', () => {
  it('counts from its first moment, to the phone’s own word that it is free', async () => {
    expect(await world.levelOf(sale)).toBe(3);
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-12T19:00:00');
    expect(await world.levelOf(sale)).toBe(0);
    // An hour and a half: two hours began, and none is free.
    expect(await cureOf(sale)).toMatchObject({ confirmed_at: null, compensation_paise: 2 * HOUR });
    await world.at('2026-03-13T15:00:00');
    expect(await owedOf(sale)).toBe(3 * HOUR);
    await world.obey(sale);
    await world.at('2026-03-13T19:00:00');
    expect(await owedOf(sale)).toBe(3 * HOUR);
    expect(await recorded(sale)).toHaveLength(1);
    expect(await clock()).toMatchObject({ wrongful: 1, late: 0, owed_paise: 3 * HOUR });
    expect(await world.violations()).toEqual([]);
  });

  it('is owed beside what came later', async () => {
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-12T19:00:00');
    await world.obey(sale);
    for (const day of ['2026-04-11', '2026-04-12', '2026-04-13']) await world.day(day);
    await world.obey(sale);
    await world.at('2026-04-13T14:00:00');
    await payAt('2026-04-13T14:00:00', undefined, 2);
    await world.at('2026-04-13T16:30:00');
    const told = await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id));
    // The second was taken off rightly, and an hour and a half too late.
    expect(told).toMatchObject({ cure: { held_since: null, compensation_paise: 2 * HOUR }, owed_paise: 4 * HOUR });
  });

  it.each([
    ['the money came after the lock', () => payAt('2026-03-13T13:00:00')],
    [
      'what was there before it was less than the EMI',
      async () => {
        await payAt('2026-03-12T19:00:00', 100_00);
        await payAt('2026-03-13T13:00:00');
      },
    ],
  ])('is none where %s', async (_why, pay) => {
    await world.at('2026-03-13T14:00:00');
    await pay();
    expect(await cureOf(sale)).toMatchObject({ held_since: null, compensation_paise: 0 });
    expect(await recorded(sale)).toEqual([]);
  });
});

describe('money that was there before a lock and is told later', () => {
  it('counts together, however many entries it comes in', async () => {
    await world.at('2026-03-13T18:00:00');
    await payAt('2026-03-12T19:00:00', 1_000_00);
    expect([await world.levelOf(sale), await cureOf(sale)]).toEqual([3, null]);
    await payAt('2026-03-12T19:30:00');
    expect(await world.levelOf(sale)).toBe(0);
    expect(await owedOf(sale)).toBe(6 * HOUR);
    expect(await recorded(sale)).toHaveLength(1);
    expect(await world.violations()).toEqual([]);
  });

  it('counts where another EMI is late by now and the phone is only told of that one', async () => {
    for (const day of ['2026-03-17', '2026-03-18', '2026-04-11']) await world.day(day);
    await world.obey(sale);
    expect(await world.levelOf(sale)).toBe(4);
    await world.at('2026-04-11T14:00:00');
    await payAt('2026-03-09T19:00:00');
    expect(await world.levelOf(sale)).toBe(1);
    await world.at('2026-04-11T15:00:00');
    await world.obey(sale);
    await world.at('2026-04-20T15:00:00');
    expect(await curesOf(sale)).toEqual([{ held: '13 12:30', cured: '11 14:00', confirmed: '11 15:00' }]);
    expect(await recorded(sale)).toHaveLength(1);
    expect(await world.violations()).toEqual([]);
  });

  it('counts up to when it is told, where the phone is locked anew for the next EMI', async () => {
    for (const day of [
      '2026-03-17',
      '2026-03-18',
      '2026-04-11',
      '2026-04-12',
      '2026-04-13',
      '2026-04-17',
      '2026-04-18',
    ])
      await world.day(day);
    await world.obey(sale);
    await world.at('2026-04-18T14:00:00');
    await payAt('2026-03-09T19:00:00');
    await world.obey(sale);
    for (const day of ['2026-04-21', '2026-04-22', '2026-04-23']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
    await world.at('2026-04-23T14:00:00');
    await payAt('2026-04-23T14:00:00', undefined, 2);
    expect(await curesOf(sale)).toEqual([
      { held: '13 12:30', cured: '18 14:00', confirmed: '18 14:00' },
      { held: null, cured: '23 14:00', confirmed: null },
    ]);
    expect(await recorded(sale)).toHaveLength(1);
  });

  it('counts for a lock that a person had taken off before it was told', async () => {
    await world.at('2026-03-13T14:00:00');
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    await world.db.asOwner(
      `update commands set applied_at = created_at + interval '10 minutes' where device_id = $1 and type = 'unlock'`,
      [sale.deviceId],
    );
    await world.obey(sale);
    await world.at('2026-03-13T15:00:00');
    await payAt('2026-03-12T19:00:00');
    expect(await curesOf(sale)).toEqual([{ held: '13 12:30', cured: '13 14:00', confirmed: '13 14:10' }]);
    expect(await recorded(sale)).toHaveLength(1);
  });
});

describe('money behind a wrong lock that is taken back', () => {
  const takeBack = ({ payment_id }: { payment_id: string }) =>
    world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the cheque bounced'));
  beforeEach(() => world.at('2026-03-13T14:00:00'));

  it('takes with it what is owed, also where it was one part of several, until it is written down again', async () => {
    await payAt('2026-03-12T19:00:00', 1_000_00);
    const rest = await payAt('2026-03-12T19:30:00');
    await world.at('2026-03-13T14:30:00');
    await world.obey(sale);
    expect(await owedOf(sale)).toBe(2 * HOUR);
    await takeBack(rest);
    expect(await cureOf(sale)).toMatchObject({ held_since: null, compensation_paise: 0 });
    expect(await recorded(sale, 'lock_found_right')).toHaveLength(1);
    await world.at('2026-03-14T09:00:00');
    await payAt('2026-03-12T19:30:00');
    // The phone may have locked itself by its lease meanwhile: that clock is one more, and no lock that was wrong.
    expect((await curesOf(sale)).filter(({ held }) => held !== null)).toHaveLength(1);
    const told = await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id));
    expect(told).toMatchObject({ owed_paise: 2 * HOUR });
    expect(await recorded(sale)).toHaveLength(2);
    expect(await world.violations()).toEqual([]);
  });

  it('leaves nothing of a clock that began with that alone, however late the phone said that it is free', async () => {
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    await world.db.asOwner(
      `update commands set applied_at = created_at + interval '3 days' where device_id = $1 and type = 'unlock'`,
      [sale.deviceId],
    );
    await world.at('2026-03-16T14:30:00');
    await world.obey(sale);
    const paid = await payAt('2026-03-12T19:00:00');
    const owed = async () =>
      (await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id)))!.owed_paise;
    expect(await owed()).toBeGreaterThan(0);
    await takeBack(paid);
    expect(await owed()).toBe(0);
  });

  it('and has its line: what is owed is wiped out by nobody unseen', async () => {
    await payAt('2026-03-12T19:00:00');
    await world.db.asOwner('update cures set withdrawn_at = kist_now() where agreement_id = $1', [
      sale.agreement.agreement_id,
    ]);
    expect(await world.violations()).toMatchObject([
      { invariant: 'I8', detail: 'lock found right after all without a line' },
    ]);
    await world.db.asOwner('update cures set withdrawn_at = null where agreement_id = $1', [
      sale.agreement.agreement_id,
    ]);
  });

  it.each([
    [
      'other money, of after the lock, is taken back',
      async () => takeBack(await payAt('2026-03-13T13:00:00', 100_00, 2)),
    ],
    [
      'the customer was right besides',
      async (paid: { payment_id: string }, dispute_id: string) => {
        await uphold(dispute_id, { ...world.shop, userType: 'admin', visibleOwnerIds: [] });
        await takeBack(paid);
      },
    ],
  ])('leaves it where %s', async (_why, then) => {
    const { dispute_id } = await open(sale);
    await answer(dispute_id);
    await further(dispute_id, ownerOf(sale));
    const paid = await payAt('2026-03-12T19:00:00');
    await world.at('2026-03-13T14:30:00');
    await world.obey(sale);
    await then(paid, dispute_id);
    expect(await owedOf(sale)).toBe(2 * HOUR);
    expect(await recorded(sale, 'lock_found_right')).toEqual([]);
  });
});

describe('a complaint that was right', () => {
  it('frees the phone, and the lock counts from its first moment', async () => {
    await world.at('2026-03-13T13:00:00');
    const { dispute_id } = await open(sale);
    await world.at('2026-03-13T16:00:00');
    await uphold(dispute_id);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await owedOf(sale)).toBe(4 * HOUR);
    await world.at('2026-03-13T17:00:00');
    await world.obey(sale);
    expect(await owedOf(sale)).toBe(5 * HOUR);
    expect(await recorded(sale)).toHaveLength(1);
    expect(await world.violations()).toEqual([]);
  });

  it('is also found so by the organisation, once the money had opened the phone; it is owed once', async () => {
    await world.at('2026-03-13T13:00:00');
    const { dispute_id } = await open(sale);
    await answer(dispute_id);
    await further(dispute_id, ownerOf(sale));
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-13T14:00:00');
    await world.obey(sale);
    expect(await owedOf(sale)).toBe(0);
    await uphold(dispute_id, { ...world.shop, userType: 'admin', visibleOwnerIds: [] });
    expect(await owedOf(sale)).toBe(2 * HOUR);
    expect(await recorded(sale)).toHaveLength(1);
  });

  it('of a lock that a person had taken off counts until the phone was free of it', async () => {
    await world.at('2026-03-13T13:00:00');
    const { dispute_id } = await open(sale);
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    await world.db.asOwner(
      `update commands set applied_at = kist_now() + interval '10 minutes' where device_id = $1 and type = 'unlock'`,
      [sale.deviceId],
    );
    await world.obey(sale);
    await world.at('2026-03-15T13:00:00');
    await uphold(dispute_id);
    // From half past twelve to ten past one.
    expect(await owedOf(sale)).toBe(HOUR);
  });

  it('counts for each time that the phone was locked for that EMI', async () => {
    await world.at('2026-03-13T18:30:00');
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    await world.obey(sale);
    await world.db.asOwner(`update commands set applied_at = created_at where device_id = $1 and type = 'unlock'`, [
      sale.deviceId,
    ]);
    for (const day of ['2026-03-21', '2026-03-22', '2026-03-23', '2026-03-24', '2026-03-25']) await world.day(day);
    await world.obey(sale);
    await world.at('2026-03-25T14:30:00');
    await uphold((await open(sale)).dispute_id);
    await world.at('2026-03-25T15:30:00');
    await world.obey(sale);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await curesOf(sale)).toEqual([
      { held: '13 12:30', cured: '13 18:30', confirmed: '13 18:30' },
      { held: '23 12:30', cured: '25 14:30', confirmed: '25 15:30' },
    ]);
    expect(await recorded(sale)).toHaveLength(2);
    expect(await world.violations()).toEqual([]);
  });

  it('owes nothing where the answer does not say so, and where nothing was locked for that EMI', async () => {
    await world.at('2026-03-13T13:00:00');
    await answer((await open(sale)).dispute_id);
    expect([await world.levelOf(sale), await cureOf(sale)]).toEqual([3, null]);
    const free = await world.sell({ policy: PAYS_PER_HOUR, deliveredOn: '2026-03-11' });
    const [next] = await world.db.asOwner<{ id: string }>(
      'select instalment_id as id from instalments where agreement_id = $1 and no = 2',
      [sale.agreement.agreement_id],
    );
    await uphold((await open(sale, ownerOf(sale), next!.id)).dispute_id);
    expect([await world.levelOf(sale), await cureOf(sale)]).toEqual([3, null]);
    await uphold((await open(free)).dispute_id);
    expect(await cureOf(free)).toBeNull();
  });

  it('is said with the answer and stays said, by the database too', async () => {
    const { dispute_id } = await open(sale);
    const change = (set: string) =>
      world.inOrg((tx) =>
        tx.query(`update disputes set ${set} where org_id = kist_org() and dispute_id = $1`, [dispute_id]),
      );
    await expect(change('is_upheld = true')).rejects.toThrow('upheld by its answer');
    await uphold(dispute_id);
    await expect(change('is_upheld = false')).rejects.toThrow('upheld by its answer');
    const later = world.inOrg((tx) =>
      tx.query(
        `update cures set held_since = held_since - interval '1 day' where org_id = kist_org() and agreement_id = $1`,
        [sale.agreement.agreement_id],
      ),
    );
    await expect(later).rejects.toThrow('facts stay');
  });
});
