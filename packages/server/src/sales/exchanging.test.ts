import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import { customerProfile } from '#server/reports/profile.ts';
import { giveKeys, imei, makeRetailer } from '#test/factories.ts';
import { exchangingActs } from '#test/exchanging-acts.ts';
import { ORG, type Sale, customerOf } from '#test/lock-world.ts';
import { causesOf, heldByOverrideAlone } from '#test/override-alone.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { giveWholeConsent } from '#test/whole-consent.ts';
import * as sales from './sales.ts';

/** The phone under a running agreement changes: what becomes of money, law, key and of both phones. */
const world = useLockWorld();
const buyKeys = (count: number) => giveKeys(world.db, world.shop, { count });
beforeAll(() => buyKeys(200));
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-02-11T12:00:00');
});

const { newNumber, phone, preview, exchange, refusal, account, faults, statusOf, released, withPhone } =
  exchangingActs(world);
const lockedSale = async () => {
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  return sale;
};
const ownerOf = (sale: Sale) => customerOf(world, sale);

describe('a phone that another one takes the place of', () => {
  it('is freed first, released and told, and its channel ends when it says that it is free', async () => {
    const sale = await lockedSale();
    const done = await exchange(sale);
    expect(done).toMatchObject({
      kind: 'EXCHANGED',
      channel: 'ENDS_WHEN_FREE',
      lock: 'LIFTED',
      key: 'NEW',
      consent: 'ANEW',
    });
    expect(await world.levelOf(sale)).toBe(0);
    expect(await released(sale.deviceId)).not.toBeNull();
    const live = () =>
      world.db.asOwner('select 1 from enrolments where device_id = $1 and ended_at is null', [sale.deviceId]);
    expect(await live()).toHaveLength(1);
    await world.obey(sale);
    expect(await live()).toEqual([]);
    expect(await statusOf(sale)).toBe(0);
    expect(await world.violations()).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  it('is freed of an override too, if nothing else holds it', async () => {
    const sale = await heldByOverrideAlone(world);
    expect(await causesOf(world, sale)).toEqual(['override']);
    expect(await exchange(sale)).toMatchObject({ channel: 'ENDS_WHEN_FREE', lock: 'LIFTED' });
    expect([await causesOf(world, sale), await world.levelOf(sale)]).toEqual([[], 0]);
  });

  it('that reports a month later is told it is free, and colours nothing of the new one: no notice, no lock, no bell', async () => {
    const sale = await lockedSale();
    const { device_id } = await exchange(sale);
    const present = withPhone(sale, device_id);
    await world.enrol(present);
    await world.inOrg((tx) =>
      giveWholeConsent(tx, world.shop, {
        customerId: sale.customerId,
        agreementId: sale.agreement.agreement_id,
        beside: world.db,
      }),
    );
    await world.at('2026-04-13T12:00:00');
    const told = () =>
      world.db.asOwner<{ proofs: number; bells: number; disputes: number }>(
        `select (select count(*) from notice_proofs where agreement_id = $1)::int as proofs,
           (select count(*) from notifications)::int as bells, (select count(*) from disputes where agreement_id = $1)::int as disputes`,
        [sale.agreement.agreement_id],
      );
    const before = await told();
    await world.tell(
      sale,
      { kind: 'notice_shown', at: '2026-04-12T11:00:00', data: { no: 1 } },
      { kind: 'lease_step', at: '2026-04-12T12:00:00', data: { level: 4 } },
      { kind: 'dispute', at: '2026-04-12T12:00:00', data: { text: 'mine?' } },
      { kind: 'payment_claimed', at: '2026-04-12T12:00:00' },
    );
    expect(await told()).toEqual(before);
    expect([await world.levelOf(sale), await world.levelOf(present)]).toEqual([0, 0]);
    await world.obey(sale);
    expect(await world.violations()).toEqual([]);
  });

  it('waits while it is held for its owner, or its owner misses it: nothing of it is done', async () => {
    const sale = await world.sell();
    await world.inOrg((tx) =>
      world.locking.reportLost(tx, ownerOf(sale), { customerId: sale.customerId, kind: 'theft', note: '' }),
    );
    expect((await preview(sale)).refused).toBe('HELD_FOR_OWNER');
    await expect(exchange(sale)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      options: { details: { refused: 'HELD_FOR_OWNER' } },
    });
    expect((await account(sale)).agreement.device_id).toBe(sale.deviceId);
    await world.inOrg((tx) =>
      world.locking.withdrawLost(tx, ownerOf(sale), { customerId: sale.customerId, kind: 'theft' }),
    );
    expect(await refusal(exchange(sale))).toBe('accepted');
  });
});

describe('the phone that comes', () => {
  it('begins free, whatever was lawful of the one before: consent, notice and days come anew before anything is taken', async () => {
    const sale = await lockedSale();
    const { device_id } = await exchange(sale);
    const present = withPhone(sale, device_id);
    await world.enrol(present);
    expect(await world.levelOf(present)).toBe(0);
    expect((await world.leaseOf(present)).ladder).toEqual([]);
    // Without a consent that speaks of this phone nothing ever comes.
    for (const day of ['2026-03-14', '2026-03-16', '2026-03-20']) await world.day(day);
    expect(await world.levelOf(present)).toBe(0);
    const profile = await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }));
    expect(profile.consent_missing).toEqual(['signature', 'code']);
    await world.at('2026-03-20T15:00:00');
    await world.inOrg((tx) =>
      giveWholeConsent(tx, world.shop, {
        customerId: sale.customerId,
        agreementId: sale.agreement.agreement_id,
        beside: world.db,
      }),
    );
    const noticesOf = () =>
      world.db.asOwner(
        `select at from notice_proofs where agreement_id = $1 and kind = 'notice' and at > '2026-03-20'`,
        [sale.agreement.agreement_id],
      );
    expect(await noticesOf()).toEqual([]);
    await world.day('2026-03-21');
    expect(await world.levelOf(present)).toBeLessThan(3);
    expect((await noticesOf()).length).toBeGreaterThan(0);
    for (const day of ['2026-03-22', '2026-03-23', '2026-03-24', '2026-03-25']) await world.day(day);
    expect(await world.levelOf(present)).toBeGreaterThanOrEqual(3);
    expect(await world.violations()).toEqual([]);
  });

  it('has no try-out of the lock of its own: it is once for each agreement, used or not', async () => {
    await world.at('2026-03-05T12:00:00');
    const asked = (sale: Sale) =>
      world.inOrg((tx) => world.locking.previewLock(tx, world.shop, sale.customerId, { reason: 'ENROLMENT_TEST' }));
    const used = await world.sell();
    await world.inOrg((tx) => world.locking.requestLock(tx, world.shop, used.customerId, { reason: 'ENROLMENT_TEST' }));
    const unused = await world.sell();
    await world.at('2026-03-07T12:00:00');
    for (const sale of [used, unused]) {
      const { device_id } = await exchange(sale);
      await world.enrol(withPhone(sale, device_id));
      expect(await asked(sale)).toMatchObject({ allowed: false, rule: 'TEST_WINDOW_OVER' });
    }
  });

  it('keeps complaints and holds of the agreement', async () => {
    const sale = await lockedSale();
    await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid this' }),
    );
    await exchange(sale);
    const profile = await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }));
    expect(profile.disputes).toMatchObject([{ state: 'open' }]);
  });

  it('bears no number of a phone in use, first or second, and is not the one that goes', async () => {
    const [first, second] = [phone({ imei2: imei(newNumber()) }), phone()];
    const sale = await world.sell();
    await exchange(sale, first);
    await world.enrol(withPhone(sale, (await account(sale)).agreement.device_id));
    for (const taken of [first.imei1, first.imei2!]) {
      expect(await refusal(exchange(sale, phone({ imei1: taken })))).toBe('DUPLICATE_IMEI');
      expect(await refusal(exchange(await world.sell(), phone({ imei1: taken })))).toBe('DUPLICATE_IMEI');
      expect(await refusal(exchange(await world.sell(), { ...second, imei2: taken }))).toBe('DUPLICATE_IMEI');
    }
    // What a refused one had begun is undone whole.
    expect(await statusOf(sale)).toBe(1);
  });

  it('has no second number of the one that went', async () => {
    const sale = await world.sell();
    const numbersOf = async () => {
      const { imei1, imei2 } = await world.db.read(ORG, async (tx) =>
        devices.get(tx, (await account(sale)).agreement.device_id),
      );
      return { imei1, imei2 };
    };
    const [two, one] = [phone({ imei2: imei(newNumber()) }), phone()];
    await exchange(sale, two);
    expect(await numbersOf()).toEqual({ imei1: two.imei1, imei2: two.imei2 });
    await exchange(sale, one);
    expect(await numbersOf()).toEqual({ imei1: one.imei1, imei2: null });
  });

  it('costs a key, and is not given where none is left', async () => {
    const poor = await makeRetailer(world.db, ORG);
    const sale = await world.sell({ actor: poor });
    expect(await preview(sale, poor)).toMatchObject({ key: 'NEW', keys_left: 0 });
    expect(await refusal(exchange(sale, phone(), poor))).toBe('INSUFFICIENT_KEYS');
    expect(await released(sale.deviceId)).toBeNull();
  });

  it('may itself be exchanged', async () => {
    const sale = await world.sell();
    const devicesSeen = [sale.deviceId];
    for (let n = 0; n < 3; n += 1) {
      const { device_id, schedule_version } = await exchange(sale);
      expect(schedule_version).toBe(n + 2);
      devicesSeen.push(device_id);
      await world.enrol(withPhone(sale, device_id));
    }
    expect(new Set(devicesSeen).size).toBe(4);
    const profile = await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }));
    expect(profile.exchanges).toHaveLength(3);
    expect(await faults()).toEqual([]);
  });
});

describe('the money of the agreement', () => {
  it(
    'is untouched by an exchange, whatever was and will be paid or taken back: the books agree, and rows and terms are as they were signed',
    { timeout: 120_000 },
    async () => {
      const payment = fc.record({ no: fc.integer({ min: 1, max: 6 }), paise: fc.integer({ min: 1, max: 4_000_00 }) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(payment, { maxLength: 3 }),
          fc.array(payment, { maxLength: 3 }),
          fc.boolean(),
          async (before, after, isReversed) => {
            await world.at('2026-02-11T12:00:00');
            const sale = await world.sell();
            const paid: string[] = [];
            for (const { no, paise } of before)
              await world.pay(sale, no, paise).then(
                ({ payment_id }) => paid.push(payment_id),
                () => undefined,
              );
            const was = await account(sale);
            await world.at('2026-03-15T12:00:00');
            const { schedule_version } = await exchange(sale);
            const now = await account(sale);
            expect(now.instalments).toEqual(was.instalments);
            expect(now.agreement).toEqual({
              ...was.agreement,
              device_id: now.agreement.device_id,
              exchanged_at: now.agreement.exchanged_at,
              version: now.agreement.version,
              schedule_version,
              schedule_from: '2026-03-15',
            });
            expect(await faults()).toEqual([]);
            for (const { no, paise } of after) await world.pay(sale, no, paise).catch(() => undefined);
            if (isReversed && paid.length > 0)
              await world.inOrg((tx) => world.payments.reverse(tx, world.shop, paid[0]!, 'bounced'));
            expect(await faults()).toEqual([]);
          },
        ),
        { numRuns: 12 },
      );
    },
  );

  it('says in its versions when the phone was exchanged, why and by whom', async () => {
    const sale = await world.sell();
    await exchange(sale);
    const rows = await world.db.asOwner(
      'select version, cause, reason, made_by, effective_on::text as on, before = after as is_same from schedule_versions where agreement_id = $1',
      [sale.agreement.agreement_id],
    );
    expect(rows).toEqual([
      {
        version: 2,
        cause: 'imei_swap',
        reason: 'display broken',
        made_by: world.shop.userId,
        on: '2026-02-11',
        is_same: true,
      },
    ]);
  });
});

describe('who changes a phone', () => {
  it('is the shop whose customer it is and that activates phones: no other shop, not the customer', async () => {
    const sale = await world.sell();
    const stranger = await makeRetailer(world.db, ORG);
    const barred = { ...world.shop, access: { ...world.shop.access, active_deactive: '0' as const } };
    for (const ask of [preview, (of: Sale, by?: Actor) => exchange(of, phone(), by)] as const) {
      expect(await refusal(ask(sale, stranger))).toBe('NOT_FOUND');
      expect(await refusal(ask(sale, barred))).toBe('FEATURE_NOT_ALLOWED');
      expect(await refusal(ask(sale, ownerOf(sale)))).toBe('FEATURE_NOT_ALLOWED');
    }
  });

  it('changes none of an agreement that is over', async () => {
    const sale = await world.sell();
    await world.inOrg((tx) =>
      sales.cancelAgreement(
        tx,
        world.shop,
        { customer_id: sale.customerId, reason: 'given back' },
        world.locking.letGoOfCancelled,
      ),
    );
    expect(await refusal(preview(sale))).toBe('STATE_CONFLICT');
    expect(await refusal(exchange(sale))).toBe('STATE_CONFLICT');
  });

  it('changes none that was let go for good, also when its agreement owes again', async () => {
    const sale = await world.sell();
    let last = '';
    for (let no = 1; no <= 6; no += 1) last = (await world.pay(sale, no)).payment_id;
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, last, 'bounced'));
    expect([(await account(sale)).agreement.state, await statusOf(sale)]).toEqual(['active', 2]);
    expect([await refusal(preview(sale)), await refusal(exchange(sale))]).toEqual(['STATE_CONFLICT', 'STATE_CONFLICT']);
  });
});
