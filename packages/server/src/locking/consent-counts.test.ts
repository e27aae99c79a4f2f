import { beforeAll, describe, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { hasWholeConsent } from '#server/agreements/agreements.ts';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';
import { giveWholeConsent } from '#test/whole-consent.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  return world.close;
});

const sellOn5th = async (given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  return world.sell(given);
};
const days = async (...of: string[]) => {
  for (const day of of) await world.day(day);
};
const isWhole = ({ agreement }: Sale) => world.inOrg((tx) => hasWholeConsent(tx, agreement));
const LATE = ['2026-03-11', '2026-03-12', '2026-03-13'];
describe('a debt holds no phone', () => {
  it.each(['signature', 'code'] as const)('on a consent that lacks its %s', async (consentLacks) => {
    const sale = await sellOn5th({ consentLacks });
    await days(...LATE);
    expect(await world.levelOf(sale)).toBe(0);
    expect((await world.leaseOf(sale)).ladder).toEqual([]);
  });

  it('for days before the consent was whole', async () => {
    const sale = await sellOn5th({ consentLacks: 'code' });
    await days(...LATE);
    await world.inOrg((tx) =>
      giveWholeConsent(tx, world.shop, {
        customerId: sale.customerId,
        agreementId: sale.agreement.agreement_id,
        beside: world.db,
      }),
    );
    await days('2026-03-14');
    expect(await world.levelOf(sale)).toBe(1);
    await days('2026-03-15');
    expect(await world.levelOf(sale)).toBe(2);
  });

  it('without a code, unless the dealer’s own policy does without', async () => {
    const policy = { ...POLICY_PRESETS.dealer, consentCodeRequired: false };
    const sale = await sellOn5th({ consentLacks: 'code', policy });
    await days(...LATE);
    // Reminded, and no further: a text message proves nothing to a number that nobody confirmed.
    expect(await world.levelOf(sale)).toBe(2);
    const unsigned = await sellOn5th({ consentLacks: 'signature', policy });
    await days(...LATE);
    expect(await world.levelOf(unsigned)).toBe(0);
    // And the shop is shown what the gate sees.
    expect(await Promise.all([sale, unsigned].map(isWhole))).toEqual([true, false]);
  });

  it('on a policy that only calls itself so: of a regulated lender the code is always needed', async () => {
    const policy = { ...POLICY_PRESETS.dealer, preset: 'rbi-2026' as const, consentCodeRequired: false };
    const sale = await sellOn5th({ consentLacks: 'code', policy });
    await days(...LATE);
    expect(await world.levelOf(sale)).toBe(0);
  });
});

it('a text message to another number than the one that was confirmed proves nothing', async () => {
  const sale = await sellOn5th();
  const other = await world.sell();
  await world.inOrg((tx) =>
    tx.query(`update customers set mobile = '+919812345299' where customer_id = $1`, [sale.customerId]),
  );
  await days(...LATE);
  expect([await world.levelOf(sale), await world.levelOf(other)]).toEqual([2, 3]);
});

it('a phone that is held on a consent that is not whole is let go, and its lease allows no step', async () => {
  const sale = await sellOn5th();
  await days(...LATE);
  expect(await world.levelOf(sale)).toBe(3);
  expect((await world.leaseOf(sale)).ladder).not.toEqual([]);
  // As consents of before there were codes stand.
  await world.db.plant(['consents'], 'update consents set confirmation_id = null where agreement_id = $1', [
    sale.agreement.agreement_id,
  ]);
  await days('2026-03-14');
  expect(await world.levelOf(sale)).toBe(0);
  expect((await world.leaseOf(sale)).ladder).toEqual([]);
});

it('a lease that allowed steps on such a consent is made anew before anything is late', async () => {
  const sale = await sellOn5th();
  expect((await world.leaseOf(sale)).ladder).not.toEqual([]);
  await world.db.plant(['consents'], 'update consents set confirmation_id = null where agreement_id = $1', [
    sale.agreement.agreement_id,
  ]);
  await days('2026-03-06');
  const { seq, ladder } = await world.leaseOf(sale);
  expect(ladder).toEqual([]);
  await days('2026-03-07');
  expect((await world.leaseOf(sale)).seq).toBe(seq);
});

it('a lease that allows steps on a consent of before the phone was exchanged is made anew before anything is late', async () => {
  const sale = await sellOn5th();
  expect((await world.leaseOf(sale)).ladder).not.toEqual([]);
  // Past every door: the exchange of another phone would have made a lease of its own.
  await world.db.plant(['agreements'], 'update agreements set exchanged_at = kist_now() where agreement_id = $1', [
    sale.agreement.agreement_id,
  ]);
  expect(await isWhole(sale)).toBe(false);
  await days('2026-03-06');
  expect((await world.leaseOf(sale)).ladder).toEqual([]);
});

it('a lease that allowed no step for want of a consent allows them as soon as the consent is whole', async () => {
  const sale = await sellOn5th({ consentLacks: 'code' });
  const before = await world.leaseOf(sale);
  expect(before.ladder).toEqual([]);
  await world.inOrg(async (tx) => {
    await giveWholeConsent(tx, world.shop, {
      customerId: sale.customerId,
      agreementId: sale.agreement.agreement_id,
      beside: world.db,
    });
    await world.locking.consented(tx, [sale.agreement.agreement_id]);
  });
  const after = await world.leaseOf(sale);
  expect(after.ladder).not.toEqual([]);
  expect(after.seq).toBeGreaterThan(before.seq);
});
