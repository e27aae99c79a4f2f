import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  world.gateway.delivers = false;
});

const NO_CODE = { ...POLICY_PRESETS.dealer, consentCodeRequired: false };
interface Proof {
  channel: string;
  what: string;
  at: Date;
  said_at: Date | null;
  is_number_confirmed: boolean | null;
  proof: Record<string, unknown>;
}
const proofsOf = ({ agreement }: Sale) =>
  world.db.asOwner<Proof>(
    `select channel, what, at, said_at, is_number_confirmed, proof from notice_proofs where agreement_id = $1 and kind = 'notice' order by at, what`,
    [agreement.agreement_id],
  );
const noticeOf = async ({ agreement }: Sale, channel: string): Promise<string> =>
  (
    await world.db.asOwner<{ id: string }>(
      `select notice_id as id from notices where agreement_id = $1 and kind = 'notice' and channel = $2`,
      [agreement.agreement_id, channel],
    )
  )[0]!.id;
const overdue = async (given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> => {
  const sale = await world.sell(given);
  await world.day('2026-03-11');
  return sale;
};

describe('a proof', () => {
  it.each([
    [false, 'nobody'],
    [true, 'its holder'],
  ])(
    'of a text message is added once, with its gateway’s word, and says that (%s) %s confirmed the number',
    async (isConfirmed) => {
      const sale = await overdue(isConfirmed ? {} : { consentLacks: 'code', policy: NO_CODE });
      const id = await noticeOf(sale, 'sms');
      for (let time = 0; time < 2; time += 1)
        await world.inOrg((tx) => world.notices.delivered(tx, id, { by: 'sms_gateway', told_at: '2026-01-01' }));
      expect(await proofsOf(sale)).toMatchObject([
        {
          channel: 'sms',
          what: 'delivered',
          is_number_confirmed: isConfirmed,
          proof: { by: 'sms_gateway', told_at: '2026-01-01' },
        },
      ]);
    },
  );

  it('of a phone counts from when we heard of it; what the phone says of when is kept beside, and never later', async () => {
    const sale = await overdue();
    await world.at('2026-03-13T12:00:00');
    await world.tell(sale, { kind: 'notice_shown', at: '2026-03-11T13:00:00', data: { no: 1, lease_seq: 1 } });
    const [proof] = await proofsOf(sale);
    expect(proof).toMatchObject({ channel: 'phone', what: 'delivered', is_number_confirmed: null });
    expect(proof!.at.toISOString()).toContain('2026-03-13T06:30');
    expect(proof!.said_at!.toISOString()).toContain('2026-03-11T07:30');
  });

  it('is what the gate counts: a notice whose row was moved back brings no step nearer', async () => {
    const [moved, untouched] = [await world.sell(), await world.sell()];
    for (const day of ['2026-03-11', '2026-03-20']) await world.day(day);
    for (const sale of [moved, untouched])
      await world.inOrg(async (tx) => world.notices.delivered(tx, await noticeOf(sale, 'sms'), { by: 'sms_gateway' }));
    await world.db.plant(
      ['notices'],
      `update notices set delivered_at = '2026-03-11T13:00:00+05:30' where agreement_id = $1 and delivered_at is not null`,
      [moved.agreement.agreement_id],
    );
    const levels: number[] = [];
    for (const day of ['2026-03-20', '2026-03-21', '2026-03-22', '2026-03-24', '2026-03-30']) {
      await world.day(day);
      levels.push(await world.levelOf(moved));
      expect([day, await world.levelOf(moved)]).toEqual([day, await world.levelOf(untouched)]);
    }
    expect(levels.at(-1)).toBeGreaterThan(levels[0]!);
  });
});

describe('nobody', () => {
  const lies: [string, string][] = [
    ['moves one', `update notice_proofs set at = at - interval '20 days'`],
    ['changes what it says', `update notice_proofs set proof = '{}'`],
    ['takes one out', 'delete from notice_proofs'],
    ['empties them', 'truncate notice_proofs'],
    [
      'adds one that no notice has',
      `insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, proof)
       select org_id, gen_random_uuid(), notice_id, agreement_id, kind, no, due_on, 'phone', 'delivered', kist_now(), '{}' from notices limit 1`,
    ],
  ];
  it.each(lies)('%s', async (_what, sql) => {
    const sale = await overdue();
    await world.inOrg(async (tx) => world.notices.delivered(tx, await noticeOf(sale, 'sms'), { by: 'sms_gateway' }));
    await expect(world.inOrg((tx) => tx.query(sql))).rejects.toThrow(/permission denied|refused/);
    await expect(world.db.asOwner(sql)).rejects.toThrow('refused');
  });

  it('dates one to come: it counts from now', async () => {
    const sale = await overdue();
    await world.db.asOwner(
      `update notices set delivered_at = kist_now() + interval '3 days', proof = '{"by": "x"}' where notice_id = $1`,
      [await noticeOf(sale, 'sms')],
    );
    expect((await proofsOf(sale))[0]!.at.toISOString()).toContain('2026-03-11T07:00');
  });
});
