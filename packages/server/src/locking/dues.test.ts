import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(() => world.forgetDays());
afterAll(() => world.close());

/** Sold, three days late, held at level 3 and obeying. */
async function held(given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell(given);
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  await world.obey(sale);
  return sale;
}
const cures = ({ deviceId }: Sale) =>
  world.db.asOwner<{ confirmed_at: Date | null; payment_id: string }>(
    'select confirmed_at, payment_id from cures where device_id = $1',
    [deviceId],
  );

describe('a payment that clears the dues', () => {
  it('frees the phone in its own transaction: level, revision, lease, order, cure, verdict, message', async () => {
    const sale = await held();
    const before = await world.leaseOf(sale);
    const receipt = await world.pay(sale, 1);
    expect(receipt.unlock).toMatchObject({ state: 'QUEUED' });
    expect(await world.levelOf(sale)).toBe(0);
    const lease = await world.leaseOf(sale);
    expect(lease.seq).toBeGreaterThan(before.seq);
    expect(lease.screen.amount_paise).toBe(2_674_00);
    expect(Date.parse(lease.ladder[0]!.at)).toBeGreaterThanOrEqual(Date.parse('2026-04-11T10:00:00+05:30'));
    expect(await cures(sale)).toEqual([{ confirmed_at: null, payment_id: receipt.payment_id }]);
    const [command] = await world.db.asOwner(`select type, state, revision::int from commands where command_id = $1`, [
      receipt.unlock!.command_id,
    ]);
    expect(command).toEqual({ type: 'unlock', state: 'QUEUED', revision: receipt.unlock!.revision });
    const told = await world.db.asOwner<{ kind: string }>(
      `select kind from notices where agreement_id = $1 and kind in ('unlocked', 'receipt') order by kind`,
      [sale.agreement.agreement_id],
    );
    expect(told.map(({ kind }) => kind)).toEqual(['receipt', 'unlocked']);
    await world.obey(sale);
    expect((await cures(sale))[0]!.confirmed_at).not.toBeNull();
    const earlier = `update cures set confirmed_at = confirmed_at - interval '1 second' where device_id = $1`;
    await expect(world.db.asOwner(earlier, [sale.deviceId])).rejects.toThrow('facts stay as they were written');
  });

  it('is not confirmed by a document of before the money, said in the same moment', async () => {
    const sale = await held();
    const [before] = await world.db.asOwner<{ revision: number }>(
      'select revision::int from device_desired where device_id = $1',
      [sale.deviceId],
    );
    await world.pay(sale, 1);
    const { deviceId } = sale;
    await world.inOrg(async (tx) => {
      const { rows } = await tx.query<{ at: Date }>('select kist_now() as at');
      const settled = { revision: before!.revision, level: 3 };
      await world.locking.reported(tx, [{ changeId: newId(), deviceId, at: rows[0]!.at, settled }]);
    });
    expect((await cures(sale))[0]!.confirmed_at).toBeNull();
    await world.obey(sale);
    expect((await cures(sale))[0]!.confirmed_at).not.toBeNull();
  });

  it('is confirmed by the enrolment that it freed and by no later one, also when that word is drawn late', async () => {
    const sale = await held();
    await world.forgetDays();
    const late = await held();
    for (const one of [sale, late]) await world.pay(one, 1);
    await world.at('2026-03-13T13:00:00');
    const said = new Date('2026-03-13T12:59:00+05:30');
    for (const one of [sale, late]) {
      await world.enrol(one);
      await world.obey(one);
      expect((await cures(one))[0]!.confirmed_at).toBeNull();
    }
    await world.inOrg((tx) =>
      world.locking.reported(tx, [
        { changeId: late.deviceId, deviceId: late.deviceId, at: said, settled: { revision: 9, level: 0 } },
      ]),
    );
    expect((await cures(late))[0]!.confirmed_at).not.toBeNull();
    expect((await cures(sale))[0]!.confirmed_at).toBeNull();
  });

  it('rolled back leaves the phone as it was', async () => {
    const sale = await held();
    const opened = await world.db.read(ORG, (tx) => account(tx, { agreement_id: sale.agreement.agreement_id }));
    await expect(
      world.inOrg(async (tx) => {
        await world.payments.record(tx, world.shop, {
          instalment_id: opened.instalmentIds.get(1)!,
          amount: 2_674_00,
          method: 'CASH',
          reference: '',
        });
        throw new Error('the till is on fire');
      }),
    ).rejects.toThrow('on fire');
    expect(await world.levelOf(sale)).toBe(3);
    expect(await cures(sale)).toEqual([]);
  });

  it('frees one out of reach that may have locked itself by its lease, and its clock runs until it says so', async () => {
    await world.at('2026-03-05T12:00:00');
    const [sale, early] = [await world.sell(), await world.sell()];
    const locksAt = (await world.leaseOf(sale)).ladder.findLast(({ level }) => level === 4)!.at;
    await world.at('2026-03-10T18:00:00');
    // Nothing was allowed yet.
    expect((await world.pay(early, 1)).unlock).toBeNull();
    await world.at('2026-03-20T14:00:00');
    expect(Date.parse(locksAt)).toBeLessThan(Date.parse('2026-03-20T14:00:00+05:30'));
    // By our word it was never on a level.
    expect(await world.levelOf(sale)).toBe(0);
    const receipt = await world.pay(sale, 1);
    expect(receipt.unlock).toMatchObject({ state: 'QUEUED' });
    expect(await cures(sale)).toEqual([{ confirmed_at: null, payment_id: receipt.payment_id }]);
    expect((await world.pay(sale, 2)).unlock).toBeNull();
    expect(await cures(sale)).toHaveLength(1);
    await world.at('2026-03-21T10:00:00');
    await world.obey(sale);
    expect((await cures(sale))[0]!.confirmed_at).not.toBeNull();
    expect(await cures(early)).toEqual([]);
  });

  it('in part leaves the level, never raises it, and asks for less on the lock screen and in the lease', async () => {
    const sale = await held();
    const receipt = await world.pay(sale, 1, 1_000_00);
    expect(receipt.unlock).toBeNull();
    expect(await world.levelOf(sale)).toBe(3);
    expect((await world.leaseOf(sale)).screen.amount_paise).toBe(1_674_00);
    const [held3] = await world.db.asOwner<{ amount: number }>(
      `select (document -> 'lock' -> 'screen' ->> 'amount_paise')::int as amount from device_desired where device_id = $1`,
      [sale.deviceId],
    );
    expect(held3!.amount).toBe(1_674_00);
    expect(await cures(sale)).toEqual([]);
  });

  it('of the oldest of two lets the level fall to what the younger delay carries', async () => {
    const sale = await held();
    await world.day('2026-04-12');
    expect(await world.levelOf(sale)).toBe(4);
    const [screen] = await world.db.asOwner(
      `select document -> 'lock' -> 'screen' -> 'amount_paise' as amount, document -> 'lock' -> 'screen' -> 'instalments_due' as n from device_desired where device_id = $1`,
      [sale.deviceId],
    );
    expect(screen).toEqual({ amount: 2 * 2_674_00, n: 2 });
    const receipt = await world.pay(sale, 1);
    expect(await world.levelOf(sale)).toBe(2);
    expect(receipt.unlock).not.toBeNull();
    expect(receipt.overdue_paise).toBe(2_674_00);
    expect(await cures(sale)).toEqual([{ confirmed_at: null, payment_id: receipt.payment_id }]);
  });

  it('but for too little begins no clock where nothing was locked', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
    await world.obey(sale);
    expect(await world.levelOf(sale)).toBe(2);
    await world.pay(sale, 1, 2_674_00 - 50_00);
    expect(await world.levelOf(sale)).toBe(1);
    expect(await cures(sale)).toEqual([]);
  });

  it('but for too little to lock opens the phone, and its clock runs until it says so', async () => {
    const sale = await held();
    // Ten in a hundred of an EMI are more than ₹100: below that nothing locks.
    const receipt = await world.pay(sale, 1, 2_674_00 - 50_00);
    expect(await world.levelOf(sale)).toBe(1);
    expect(receipt.unlock).toMatchObject({ state: 'QUEUED' });
    expect(await cures(sale)).toEqual([{ confirmed_at: null, payment_id: receipt.payment_id }]);
    await world.at('2026-03-13T15:30:00');
    await world.obey(sale);
    const [{ minutes } = { minutes: 0 }] = await world.db.asOwner<{ minutes: number }>(
      `select round(extract(epoch from confirmed_at - cured_at) / 60)::int as minutes from cures where device_id = $1`,
      [sale.deviceId],
    );
    expect(minutes).toBe(180);
    await world.pay(sale, 1);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await world.violations()).toEqual([]);
  });

  it('taken back raises nothing at once: the ladder starts from its first step', async () => {
    const sale = await held();
    const receipt = await world.pay(sale, 1);
    await world.at('2026-03-14T12:30:00');
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, receipt.payment_id, 'bounced'));
    expect(await world.levelOf(sale)).toBe(0);
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(1);
    await world.day('2026-03-15');
    expect(await world.levelOf(sale)).toBe(2);
  });

  it('and the agreement lets the phone go for good: free, released, told, forgotten once it says so', async () => {
    const sale = await held({ tenure: 1 });
    const receipt = await world.pay(sale, 1);
    expect(receipt.agreement_state).toBe('completed');
    expect(receipt.unlock).not.toBeNull();
    const state = async () =>
      (
        await world.db.asOwner(
          `select d.released_at is not null as released, w.document ->> 'released' as told, w.lock_level as level, c.status,
             exists (select from enrolments e where e.device_id = d.device_id and e.ended_at is null) as lives
           from devices d join device_desired w using (device_id) join customers c on c.customer_id = d.customer_id where d.device_id = $1`,
          [sale.deviceId],
        )
      )[0];
    expect(await state()).toEqual({ released: true, told: 'true', level: 0, status: 2, lives: true });
    const [text] = await world.db.asOwner<{ body: string }>(
      `select body from notices where agreement_id = $1 and kind = 'unlocked'`,
      [sale.agreement.agreement_id],
    );
    expect(text!.body).toMatch(/all EMIs of agreement .* are paid/);
    await world.obey(sale);
    expect(await state()).toMatchObject({ lives: false });
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, receipt.payment_id, 'mistake'));
    await world.day('2026-03-20');
    expect(await world.levelOf(sale)).toBe(0);
  });
});

describe('a payment that completes the agreement', () => {
  it.each(['theft', 'request'] as const)(
    'lets no phone go that its owner reported (%s): that lock’s end does',
    async (kind) => {
      const sale = await held({ tenure: 1 });
      const owner = {
        ...world.shop,
        userType: 'customer' as const,
        customerIds: [sale.customerId],
        visibleOwnerIds: [],
      };
      const reason = kind === 'theft' ? 'THEFT_REPORTED' : 'CUSTOMER_REQUEST';
      const ordered = await world.inOrg((tx) =>
        world.locking.requestLock(tx, owner, sale.customerId, { reason, note: 'my own wish' }),
      );
      expect(ordered).not.toHaveProperty('refused');
      expect((await world.pay(sale, 1)).agreement_state).toBe('completed');
      const stands = async () =>
        (
          await world.db.asOwner(
            `select d.released_at is not null as released, w.lock_level > 0 as is_held
           from devices d join device_desired w using (device_id) where d.device_id = $1`,
            [sale.deviceId],
          )
        )[0];
      expect(await stands()).toEqual({ released: false, is_held: true });
      const { customerId } = sale;
      await world.inOrg((tx) =>
        world.locking.withdrawLost(tx, owner, { customerId, kind: kind === 'theft' ? 'theft' : 'lost' }),
      );
      expect(await stands()).toEqual({ released: true, is_held: false });
    },
  );
});

it('a payment of another agreement moves nothing on this phone: no level, no test, no lease', async () => {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  const other = await world.sell();
  await world.inOrg((tx) =>
    world.locking.requestLock(tx, world.shop, sale.customerId, { reason: 'ENROLMENT_TEST', note: '' }),
  );
  const { seq } = await world.leaseOf(sale);
  const strange = { ...other.agreement, device_id: sale.deviceId };
  const done = await world.inOrg((tx) => world.locking.duesChanged(tx, world.shop, strange, { paymentId: null }));
  expect(done).toBeNull();
  expect(await world.levelOf(sale)).toBe(4);
  expect((await world.leaseOf(sale)).seq).toBe(seq);
  await world.at('2026-03-05T12:10:05');
  await world.locking.runLadder(world.db, ORG);
  expect(await world.levelOf(sale)).toBe(0);
});

describe('a payment and the ladder at the same moment', () => {
  it('never leave a paid-up phone locked, whichever comes first', async () => {
    await world.at('2026-03-05T12:00:00');
    const sales = await Promise.all(Array.from({ length: 6 }, () => world.sell()));
    for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
    await world.at('2026-03-13T12:30:00');
    await Promise.all([
      world.locking.runLadder(world.db, ORG),
      ...sales.map((sale) => world.pay(sale, 1)),
      world.locking.runLadder(world.db, ORG),
    ]);
    for (const sale of sales) expect(await world.levelOf(sale)).toBe(0);
    expect(await world.violations()).toEqual([]);
  });

  it('the ladder leaves alone an agreement that is being paid, and sees the payment afterwards', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
    await world.at('2026-03-13T12:30:00');
    await world.inOrg(async (tx) => {
      await tx.query('select from agreements where agreement_id = $1 for update', [sale.agreement.agreement_id]);
      await world.locking.runLadder(world.db, ORG);
    });
    expect(await world.levelOf(sale)).toBe(2);
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('a person’s lock that waits for a payment is judged by what the payment left', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
    await world.at('2026-03-13T12:30:00');
    const opened = await world.db.read(ORG, (tx) => account(tx, { agreement_id: sale.agreement.agreement_id }));
    let asked: Promise<unknown> = Promise.resolve();
    await world.inOrg(async (tx) => {
      await world.payments.record(tx, world.shop, {
        instalment_id: opened.instalmentIds.get(1)!,
        amount: 2_674_00,
        method: 'CASH',
        reference: '',
      });
      asked = world.inOrg((other) =>
        world.locking.requestLock(other, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }),
      );
      await new Promise((resolve) => setTimeout(resolve, 150));
    });
    expect(await asked).toMatchObject({ refused: { rule: 'NOT_OVERDUE' } });
    expect(await world.levelOf(sale)).toBe(0);
  });
});

it('money told late that goes back whole frees the phone where the late fee that it takes back had paid for the rest', async () => {
  await world.at('2026-03-05T12:00:00');
  await makePenalRule(world.db, ORG);
  const sale = await world.sell({ tenure: 2 });
  await world.day('2026-03-14');
  const { emi_paise } = sale.agreement;
  await world.pay(sale, 1, emi_paise + 100_00);
  for (const day of ['2026-04-11', '2026-04-12', '2026-04-13']) await world.day(day);
  const { agreement, instalmentIds } = await world.db.read(ORG, (tx) => account(tx, sale.agreement));
  await world.pay(sale, 2, agreement.outstanding_paise - 10_00);
  expect(await world.levelOf(sale)).toBeGreaterThan(0);
  const receipt = await world.inOrg((tx) =>
    world.payments.record(tx, world.shop, {
      instalment_id: instalmentIds.get(2)!,
      amount: emi_paise,
      method: 'CASH',
      reference: '',
      paid_at: '2026-03-10T10:00:00+05:30',
      accept_overpayment: true,
    }),
  );
  expect(receipt).toMatchObject({ allocations: [], agreement_state: 'completed', unlock: { state: 'QUEUED' } });
  expect(await world.levelOf(sale)).toBe(0);
});

it('and after all of this nothing is that must never be', async () => {
  expect(await world.violations()).toEqual([]);
  expect(await world.db.read(ORG, (tx) => checkBooks(tx))).toMatchObject({ isBalanced: true });
});
