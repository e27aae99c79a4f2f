import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(async () => {
  world.gateway.delivers = true;
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

const bell = ({ customerId }: Sale) =>
  world.db
    .asOwner<{ kind: string }>(
      'select kind from notifications where customer_id = $1 order by created_at, notification_id',
      [customerId],
    )
    .then((rows) => rows.map(({ kind }) => kind));
const sinceOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ since: Date }>(
      `select level_since as since from locks where device_id = $1 and cause = 'debt'`,
      [deviceId],
    )
  )[0]!.since
    .toISOString()
    .slice(0, 16);
const seqOf = async (sale: Sale) => (await world.leaseOf(sale)).seq;

describe('a phone that comes back', () => {
  it('erased and enrolled again is at its level again', async () => {
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    const before = await seqOf(sale);
    await world.enrol(sale);
    expect(await world.levelOf(sale)).toBe(3);
    expect(await seqOf(sale)).toBeGreaterThan(before);
  });

  it('erased while its owner paid is free', async () => {
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    await world.pay(sale, 1);
    await world.enrol(sale);
    expect(await world.levelOf(sale)).toBe(0);
  });

  it('with the step its lease allowed has it confirmed, from the moment we heard of it', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    const seq = await seqOf(sale);
    await world.at('2026-03-14T12:00:00');
    await world.tell(sale, {
      kind: 'lease_step',
      at: '2026-03-13T11:00:00',
      data: { level: 3, from: 2, lease_seq: seq },
    });
    expect(await world.levelOf(sale)).toBe(3);
    expect(await sinceOf(sale)).toBe('2026-03-14T06:30');
    expect(await bell(sale)).not.toContain('lock_beyond_lease');
  });

  it('with two steps has the first; the second comes when the first has had its days with us', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    const seq = await seqOf(sale);
    await world.at('2026-03-14T12:00:00');
    await world.tell(
      sale,
      { kind: 'lease_step', at: '2026-03-13T11:00:00', data: { level: 3, from: 2, lease_seq: seq } },
      { kind: 'lease_step', at: '2026-03-12T11:00:00', data: { level: 2, from: 1, lease_seq: seq } },
    );
    expect(await world.levelOf(sale)).toBe(2);
    expect(await bell(sale)).not.toContain('lock_beyond_lease');
    await world.day('2026-03-15');
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('with steps that rest on a notice it showed itself is believed, from the moment we heard of it', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    const seq = await seqOf(sale);
    await world.at('2026-03-15T12:00:00');
    await world.tell(
      sale,
      { kind: 'reminder_shown', at: '2026-03-07T10:00:00', data: { key: 'D-3', lease_seq: seq } },
      { kind: 'notice_shown', at: '2026-03-11T10:00:00', data: { no: 1, lease_seq: seq } },
      { kind: 'lease_step', at: '2026-03-11T11:00:00', data: { level: 1, from: 0, lease_seq: seq } },
      { kind: 'lease_step', at: '2026-03-12T11:00:00', data: { level: 2, from: 1, lease_seq: seq } },
      { kind: 'lease_step', at: '2026-03-13T11:00:00', data: { level: 3, from: 2, lease_seq: seq } },
    );
    expect(await world.levelOf(sale)).toBe(1);
    expect(await bell(sale)).not.toContain('lock_beyond_lease');
    const told = await world.db.asOwner(
      `select kind, no, due_on::text as due, proof ->> 'by' as by, date_trunc('minute', delivered_at) as at from notices where agreement_id = $1 order by kind`,
      [sale.agreement.agreement_id],
    );
    expect(told).toMatchObject([
      { kind: 'notice', no: 1, due: '2026-03-10', by: 'phone', at: new Date('2026-03-15T12:00:00+05:30') },
      { kind: 'reminder', no: 1, due: '2026-03-10', by: 'phone', at: new Date('2026-03-07T10:00:00+05:30') },
    ]);
    await world.day('2026-03-16');
    expect(await world.levelOf(sale)).toBe(2);
    await world.day('2026-03-17');
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('that went further than the gate allows is put back at once and the shop is alarmed', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    const seq = await seqOf(sale);
    await world.at('2026-03-13T12:30:00');
    await world.tell(sale, {
      kind: 'lease_step',
      at: '2026-03-13T11:00:00',
      data: { level: 3, from: 2, lease_seq: seq },
    });
    expect(await world.levelOf(sale)).toBe(2);
    expect(await bell(sale)).toContain('lock_beyond_lease');
  });

  it('that stepped before the payment reached it is freed without an alarm', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    const seq = await seqOf(sale);
    await world.at('2026-03-12T12:00:00');
    const receipt = await world.pay(sale, 1);
    expect(receipt.unlock).not.toBeNull();
    await world.tell(sale, {
      kind: 'lease_step',
      at: '2026-03-12T11:00:00',
      data: { level: 2, from: 1, lease_seq: seq },
    });
    expect(await world.levelOf(sale)).toBe(0);
    expect(await bell(sale)).not.toContain('lock_beyond_lease');
  });
});

describe('a phone whose clock lies', () => {
  const rbi = POLICY_PRESETS['rbi-2026'];

  it('20 days back makes no lock come early: its notice counts from the day we heard of it', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell({ policy: rbi });
    const seq = await seqOf(sale);
    // 70 days past due: notice 1 may be given since day 60 and leaves 21 days to pay.
    await world.day('2026-05-19');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-05-09T10:00:00', data: { no: 1, lease_seq: seq } });
    await world.day('2026-06-01');
    expect(await world.levelOf(sale)).toBe(1);
    await world.day('2026-06-09');
    expect(await world.levelOf(sale)).toBe(1);
    await world.day('2026-06-10');
    expect(await world.levelOf(sale)).toBe(2);
  });

  it('takes no step earlier with us than it was heard of, and none at all on a notice that it dates back', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    const seq = await seqOf(sale);
    await world.at('2026-03-14T12:00:00');
    await world.tell(
      sale,
      { kind: 'notice_shown', at: '2026-03-11T10:00:00', data: { no: 1, lease_seq: seq } },
      { kind: 'lease_step', at: '2026-03-13T11:00:00', data: { level: 3, from: 2, lease_seq: seq } },
    );
    expect(await world.levelOf(sale)).toBe(2);
    await world.day('2026-03-15');
    expect(await world.levelOf(sale)).toBe(2);
    await world.day('2026-03-16');
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('cannot keep a notice away by saying before its day that it was shown, with or without a lease', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    const seq = await seqOf(sale);
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-05T11:59:00', data: { no: 1 } });
    await world.at('2026-03-10T12:00:00');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-10T11:59:00', data: { no: 1, lease_seq: seq } });
    const notices = () =>
      world.db.asOwner<{ at: Date | null }>(
        `select delivered_at as at from notices where agreement_id = $1 and kind = 'notice' and channel = 'phone'`,
        [sale.agreement.agreement_id],
      );
    expect(await notices()).toEqual([]);
    await world.day('2026-03-11');
    expect(await notices()).toEqual([{ at: null }]);
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T12:00:00', data: { no: 1, lease_seq: 1 } });
    for (const day of ['2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('whose early word stands as a delivery is sent the notice again, and its word of then is kept beside', async () => {
    world.gateway.delivers = false;
    const [sale, silent] = [await world.sell(), await world.sell()];
    for (const one of [sale, silent])
      await world.db.asOwner(
        `insert into notices (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at, sent_at, delivered_at, proof)
         select 20, gen_random_uuid(), $1, $2, 'notice', 1, '2026-03-10', 'phone', 'en', 'x', at, at, at, '{"by": "phone"}'
         from (values ('2026-03-05T12:00:00+05:30'::timestamptz)) as t(at)`,
        [one.agreement.agreement_id, one.customerId],
      );
    const notice = ({ agreement }: Sale) =>
      world.db.asOwner<{ ordered: boolean; at: Date | null; proof: { by?: string; before: unknown } }>(
        `select command_id is not null as ordered, delivered_at as at, proof from notices where agreement_id = $1 and kind = 'notice' and channel = 'phone'`,
        [agreement.agreement_id],
      );
    const before = { delivered_at: expect.stringContaining('2026-03-05T06:30'), proof: { by: 'phone' } };
    await world.at('2026-03-11T09:00:00');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T08:59:00', data: { no: 1, lease_seq: 1 } });
    expect(await notice(sale)).toMatchObject([{ ordered: false, proof: { by: 'phone', before } }]);
    expect((await notice(sale))[0]!.at!.toISOString()).toContain('2026-03-11T03:30');
    await world.day('2026-03-11');
    expect(await notice(silent)).toMatchObject([{ ordered: true, at: null, proof: { before } }]);
    for (const day of ['2026-03-12', '2026-03-13']) await world.day(day);
    expect([await world.levelOf(sale), await world.levelOf(silent)]).toEqual([3, 2]);
  });

  it('cannot move a delivery that is known', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    const seq = await seqOf(sale);
    const deliveries = () =>
      world.db.asOwner(
        `select channel, delivered_at, proof from notices where agreement_id = $1 and kind = 'notice' order by channel`,
        [sale.agreement.agreement_id],
      );
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T12:40:00', data: { no: 1, lease_seq: seq } });
    const before = await deliveries();
    await world.at('2026-03-12T12:00:00');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T00:10:00', data: { no: 1, lease_seq: seq } });
    expect(await deliveries()).toEqual(before);
  });
});

describe('what a phone is told and tells', () => {
  it('a notice of an old debt never serves a new one', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    const seq = await seqOf(sale);
    await world.at('2026-03-12T12:00:00');
    await world.pay(sale, 1);
    await world.at('2026-04-14T12:00:00');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T10:00:00', data: { no: 1, lease_seq: seq } });
    const [notice] = await world.db.asOwner<{ due: string }>(
      `select due_on::text as due from notices where agreement_id = $1 and kind = 'notice'`,
      [sale.agreement.agreement_id],
    );
    expect(notice).toEqual({ due: '2026-03-10' });
    expect((await world.leaseOf(sale)).notices).toMatchObject([{ no: 1, delivered_at: null }]);
  });

  it('a message the phone showed is a delivered notice, and the ladder may go on', async () => {
    world.gateway.delivers = false;
    const sale = await world.sell();
    await world.day('2026-03-11');
    const [order] = await world.db.asOwner<{ id: string }>(
      `select command_id as id from notices where agreement_id = $1 and kind = 'notice' and channel = 'phone'`,
      [sale.agreement.agreement_id],
    );
    await world.inOrg((tx) =>
      world.locking.reported(tx, [
        {
          changeId: order!.id,
          deviceId: sale.deviceId,
          at: new Date('2026-03-11T13:00:00+05:30'),
          commands: [{ id: order!.id, type: 'emi_alert', state: 'APPLIED' }],
        },
      ]),
    );
    await world.day('2026-03-12');
    await world.day('2026-03-13');
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('what a phone says a hundred times rings once, until it is read', async () => {
    const sale = await world.sell();
    const claim = { kind: 'payment_claimed', at: '2026-03-05T11:59:00' };
    await world.tell(sale, ...Array.from({ length: 30 }, () => claim));
    await world.tell(sale, claim, claim);
    expect(await bell(sale)).toEqual(['payment_claimed']);
    await world.db.asOwner('update notifications set read_at = now() where customer_id = $1', [sale.customerId]);
    await world.tell(sale, claim);
    expect(await bell(sale)).toEqual(['payment_claimed', 'payment_claimed']);
  });

  it('that it is not as it shall be has the same sent again, but not when something was decided since it looked', async () => {
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    const { deviceId } = sale;
    const wanted = async () => {
      const [row] = await world.db.asOwner<{ revision: number; level: number }>(
        'select revision::int, lock_level as level from device_desired where device_id = $1',
        [deviceId],
      );
      return row!;
    };
    const says = (revision: number, level: number) =>
      world.inOrg((tx) =>
        world.locking.reported(tx, [
          {
            changeId: deviceId,
            deviceId,
            at: new Date('2026-03-13T13:00:00+05:30'),
            unfit: { polls: 2, desired: revision, revision, level },
          },
        ]),
      );
    const { revision } = await wanted();
    await says(revision, 0);
    expect(await wanted()).toEqual({ revision: revision + 1, level: 3 });
    await world.pay(sale, 1);
    const decided = await wanted();
    expect(decided).toMatchObject({ level: 0 });
    await says(revision + 1, 3);
    expect(await wanted()).toEqual(decided);
    await says(decided.revision, 3);
    expect(await wanted()).toEqual({ revision: decided.revision + 1, level: 0 });
  });

  it('a dispute from the locked phone is opened once and stops the ladder', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    await world.tell(sale, { kind: 'dispute', at: '2026-03-11T13:00:00', data: { text: 'I paid' } });
    await world.inOrg((tx) => world.locking.disputeFromPhone(tx, { deviceId: sale.deviceId, text: 'I paid' }));
    await world.day('2026-03-12');
    expect(await world.levelOf(sale)).toBe(1);
    expect((await bell(sale)).filter((kind) => kind === 'dispute_opened')).toHaveLength(1);
  });
});

it('and after all of this nothing is that must never be', async () => {
  await world.at('2026-04-14T12:30:00');
  expect(await world.violations()).toEqual([]);
});
