import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
let sale: Sale;
// A day is run once: each begins with a shop of its own.
beforeEach(async () => {
  world = await createLockWorld();
});
afterEach(() => world.close());

const days = async (from: number, to: number) => {
  for (let day = from; day <= to; day += 1) await world.day(`2026-03-${String(day).padStart(2, '0')}`);
};
const notice = async () => {
  const [row] = await world.db.asOwner<{ id: string; body: string; before: { body: string } | null }>(
    `select notice_id as id, body, proof -> 'before' as before from notices
     where agreement_id = $1 and kind = 'notice' and no = 1 and channel = 'sms' and due_on = (select due_on from instalments where agreement_id = $1 and no = 1)`,
    [sale.agreement.agreement_id],
  );
  return row;
};
const receipted = (id: string) =>
  world.inOrg((tx) => world.notices.delivered(tx, id, { by: 'sms_gateway', status: 'delivered' }));
const told = async () =>
  (
    await world.db.asOwner<{ n: number }>(
      `select count(*)::int as n from notice_proofs where agreement_id = $1 and kind = 'notice'`,
      [sale.agreement.agreement_id],
    )
  )[0]!.n;

describe('money came after a notice that nobody receipted, and was taken back: what was said before says another sum and another day', () => {
  let before: NonNullable<Awaited<ReturnType<typeof notice>>>;
  beforeEach(async () => {
    await world.at('2026-02-10T12:00:00');
    world.gateway.delivers = false;
    sale = await world.sell();
    await days(10, 12);
    before = (await notice())!;
    await world.at('2026-03-12T15:00:00');
    const receipt = await world.pay(sale, 1);
    await world.at('2026-03-20T12:00:00');
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, receipt.payment_id, 'bounced'));
  });

  it('the notice is written anew, with the old text kept beside it, and a receipt of the old one finds nothing', async () => {
    await days(21, 21);
    const after = (await notice())!;
    expect(after.id).not.toBe(before.id);
    expect(after.before?.body).toBe(before.body);
    await receipted(before.id);
    expect(await told()).toBe(0);
    await receipted(after.id);
    expect(await told()).toBe(1);
  });

  it('a receipt that comes before that makes no notice of it: nothing follows, and the customer is told anew', async () => {
    await world.at('2026-03-20T18:00:00');
    await receipted(before.id);
    expect(await told()).toBe(1);
    await days(21, 27);
    expect(await world.levelOf(sale)).toBeLessThan(3);
    const after = (await notice())!;
    expect(after.id).not.toBe(before.id);
    expect(after.before?.body).toBe(before.body);
    await receipted(after.id);
    await days(28, 31);
    await world.day('2026-04-01');
    expect(await world.levelOf(sale)).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['without what it said', `notice_id = gen_random_uuid(), body = 'x', created_at = kist_now()`],
    ['with what it never said', `body = 'x', proof = '{"before": {"body": "y"}}'`],
  ])('the database lets no text go %s', async (_what, set) => {
    await expect(
      world.inOrg((tx) => tx.query(`update notices set ${set} where notice_id = $1`, [before.id])),
    ).rejects.toThrow('what was written to somebody stays');
  });
});

it('a text that nobody receipted stays as long as nothing was taken back', async () => {
  await world.at('2026-02-10T12:00:00');
  world.gateway.delivers = false;
  sale = await world.sell();
  await days(10, 14);
  const before = (await notice())!;
  const anew = world.inOrg((tx) =>
    tx.query(
      `update notices n set body = 'x', proof = jsonb_build_object('before', notice_set_aside(n))
       where notice_id = $1`,
      [before.id],
    ),
  );
  await expect(anew).rejects.toThrow('what was written to somebody stays');
  expect((await notice())!.id).toBe(before.id);
});
