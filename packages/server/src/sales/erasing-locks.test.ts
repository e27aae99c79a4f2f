import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { payCompensation } from '#server/locking/locking.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { erasingActs } from '#test/erasing-acts.ts';
import { makeAdmin } from '#test/factories.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { cureActs } from '#test/wrong-lock.ts';

/** What locks left open, and the erasure of who was locked. */
const world = useLockWorld();
const { preview, erase } = erasingActs(world);
const { locked } = cureActs(world);
const { open, answer, further, ownerOf } = disputeActs(() => world);
let admin: Actor;
beforeAll(async () => {
  admin = await makeAdmin(world.db, ORG);
});

/** What is said beforehand, by the service, and by the database to a server that asks nobody. */
async function answers(sale: Sale) {
  const { refused } = await preview(sale);
  const service = await erase(sale).catch((error: { options?: { details?: unknown } }) => error.options?.details);
  const insert = world.inOrg((tx) =>
    tx.query(
      `insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until) values ($1, $2, now(), $3, 'shop', '2030-01-01', '2035-01-01')`,
      [ORG, sale.customerId, world.shop.userId],
    ),
  );
  const database = await insert.then(() => 'accepted', String);
  return { refused, service, database: /left open (\w+)/.exec(database)?.[1] ?? database };
}
const all = (refused: string) => ({ refused, service: { refused }, database: refused });
const payOut = ({ agreement: { agreement_id } }: Sale, amount: number, reference: string) =>
  world.inOrg((tx) => payCompensation(tx, admin, { agreement_id, amount, method: 'UPI', reference }));
/** The phone is set up no more, and says nothing any more. */
const switchedOff = ({ deviceId }: Sale) =>
  world.db.asOwner('update enrolments set ended_at = kist_now() where device_id = $1 and ended_at is null', [deviceId]);

describe('an erasure', () => {
  it('waits for the answer to a complaint, and as long as that can be taken further', async () => {
    const sale = await locked({ tenure: 1 });
    await world.at('2026-03-13T14:00:00');
    await world.pay(sale, 1);
    await world.obey(sale);
    const [row] = await world.db.asOwner<{ id: string }>(
      'select instalment_id as id from instalments where agreement_id = $1 and no = 1',
      [sale.agreement.agreement_id],
    );
    const { dispute_id } = await open(sale, ownerOf(sale), row!.id);
    expect(await answers(sale)).toEqual(all('DISPUTE_OPEN'));
    await answer(dispute_id);
    await world.at('2026-03-20T13:59:00');
    expect(await answers(sale)).toEqual(all('DISPUTE_OPEN'));
    await further(dispute_id, ownerOf(sale));
    await world.at('2026-05-20T14:00:00');
    expect(await answers(sale)).toEqual(all('DISPUTE_OPEN'));
    await answer(dispute_id, { ...world.shop, userType: 'admin', visibleOwnerIds: [] });
    await switchedOff(sale);
    expect(await erase(sale)).toMatchObject({ refused: null, erased_at: expect.any(String) });
  });

  it('waits no more when nobody took the answer further', async () => {
    const sale = await locked({ tenure: 1 });
    await world.at('2026-03-13T13:00:00');
    const { dispute_id } = await open(sale);
    await world.pay(sale, 1);
    await world.obey(sale);
    await world.at('2026-03-13T14:00:00');
    await answer(dispute_id);
    await world.at('2026-03-20T14:05:00');
    await switchedOff(sale);
    expect(await erase(sale)).toMatchObject({ refused: null, erased_at: expect.any(String) });
  });

  it('waits until what is owed for a lock is paid out whole', async () => {
    const sale = await paidLate(world, { tenure: 1 });
    expect(await answers(sale)).toEqual(all('COMPENSATION_OPEN'));
    await payOut(sale, 200_00, 'FIRST PART');
    expect(await answers(sale)).toEqual(all('COMPENSATION_OPEN'));
    await payOut(sale, 300_00, 'SECOND PART');
    await switchedOff(sale);
    expect(await erase(sale)).toMatchObject({ refused: null, erased_at: expect.any(String) });
  });

  it('waits for the phone’s own word that it is free, as long as it can say so', async () => {
    const sale = await paidLate(world, { tenure: 1, isFree: false });
    expect(await answers(sale)).toEqual(all('UNLOCK_OPEN'));
    // What is owed by now was paid out; the clock runs on.
    await payOut(sale, 500_00, 'UNTIL NOW');
    expect(await answers(sale)).toEqual(all('UNLOCK_OPEN'));
    await switchedOff(sale);
    expect(await erase(sale)).toMatchObject({ refused: null, erased_at: expect.any(String) });
  });

  it('of a customer whose lock was right and came off in time waits for none of these', async () => {
    const sale = await locked({ tenure: 1 });
    await world.at('2026-03-13T14:00:00');
    await world.pay(sale, 1);
    await world.obey(sale);
    await switchedOff(sale);
    expect(await preview(sale)).toMatchObject({ refused: null });
  });
});
