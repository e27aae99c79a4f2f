import { afterAll, beforeAll, expect, it } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { instantOf, isoDate, addDays } from '@kist/contract/dates';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';

const SEED = 20_260_310;
const ACTIONS = 200;

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

/** mulberry32: the same run every time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is refused with a code is an answer; anything else is a fault. */
const answered = (work: Promise<unknown>) =>
  work.catch((error: { code?: string }) => {
    if (error.code === undefined || /^\d|^[0-9A-Z]{5}$/.test(error.code)) throw error;
  });

it(
  'after 200 mixed actions of people, phones and days nothing is that must never be',
  { timeout: 120_000 },
  async () => {
    const random = randomFrom(SEED);
    const sales: Sale[] = await Promise.all(
      Array.from({ length: 8 }, (_, n) => world.sell({ tenure: 2 + (n % 3), hasConsent: n !== 7 })),
    );
    const receipts: string[] = [];
    let on = isoDate('2026-03-09');
    const pick = () => sales[Math.floor(random() * sales.length)]!;
    const reason = () =>
      (['EMI_OVERDUE', 'CUSTOMER_REQUEST', 'THEFT_REPORTED', 'ORG_OVERRIDE', 'ENROLMENT_TEST'] as const)[
        Math.floor(random() * 5)
      ]!;
    const ownerOf = (sale: Sale) => customerOf(world, sale);
    const done: Record<string, number> = {};

    const actions: Record<string, () => Promise<unknown>> = {
      day: async () => {
        on = addDays(on, 1);
        await world.day(on);
      },
      night: async () => {
        await world.at(new Date(instantOf(on, 22 * 60) + 19_800_000).toISOString().slice(0, 19));
        await world.locking.runLadder(world.db, ORG);
      },
      pay: async () => {
        const sale = pick();
        const opened = await world.db.read(ORG, (tx) => account(tx, { agreement_id: sale.agreement.agreement_id }));
        const next = opened.instalments.find((row) => row.paid_on === null);
        if (!next) return;
        const receipt = await world.pay(sale, next.no, random() < 0.3 ? 50_000 : undefined);
        receipts.push(receipt.payment_id);
      },
      reverse: async () => {
        const paymentId = receipts.splice(Math.floor(random() * receipts.length), 1)[0];
        if (paymentId)
          await answered(world.inOrg((tx) => world.payments.reverse(tx, world.shop, paymentId, 'bounced')));
      },
      lock: () => {
        const note = 'the owner agreed in writing';
        return answered(
          world.inOrg((tx) => world.locking.requestLock(tx, world.shop, pick().customerId, { reason: reason(), note })),
        );
      },
      ownLock: () => {
        const sale = pick();
        return answered(
          world.inOrg((tx) =>
            world.locking.requestLock(tx, ownerOf(sale), sale.customerId, { reason: 'THEFT_REPORTED' }),
          ),
        );
      },
      unlock: () =>
        answered(
          world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, pick().customerId, { reason: reason() })),
        ),
      turn: () => {
        const types = ['set_wallpaper', 'app_lock', 'camera_lock', 'remove_wallpaper', 'app_unlock'] as const;
        const type = types[Math.floor(random() * types.length)]!;
        return answered(
          world.inOrg((tx) =>
            world.locking.requestSwitch(tx, world.shop, { customerId: pick().customerId, type, reason: reason() }),
          ),
        );
      },
      dispute: () =>
        answered(
          world.inOrg((tx) =>
            world.locking.openDispute(tx, world.shop, { customerId: pick().customerId, text: 'wrong' }),
          ),
        ),
      settle: async () => {
        const [open] = await world.db.asOwner<{ id: string }>(
          `select dispute_id as id from disputes where state = 'open' limit 1`,
        );
        if (open)
          await answered(
            world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId: open.id, outcome: 'settled' })),
          );
      },
      bulk: () =>
        answered(
          world.inOrg((tx) =>
            world.locking.bulk(tx, world.shop, {
              command: random() < 0.7 ? 'lock' : 'unlock',
              reason: 'EMI_OVERDUE',
              customer_ids: sales.map((sale) => sale.customerId),
              dry_run: random() < 0.3,
            }),
          ),
        ),
      obey: () => world.obey(pick()),
      leaseStep: async () => {
        const sale = pick();
        const { seq } = await world.leaseOf(sale);
        const at = new Date(instantOf(on, 11 * 60 + Math.floor(random() * 300)) + 19_800_000)
          .toISOString()
          .slice(0, 19);
        await world.tell(sale, {
          kind: 'lease_step',
          at,
          data: { level: 1 + Math.floor(random() * 4), from: 0, lease_seq: seq },
        });
      },
      shown: () => world.tell(pick(), { kind: 'notice_shown', at: `${on}T10:30:00`, data: { no: 1 } }),
      again: async () => {
        const sale = pick();
        const [row] = await world.db.asOwner<{ gone: boolean }>(
          'select released_at is not null as gone from devices where device_id = $1',
          [sale.deviceId],
        );
        if (!row!.gone) await world.enrol(sale);
      },
      together: async () => {
        const sale = pick();
        const opened = await world.db.read(ORG, (tx) => account(tx, { agreement_id: sale.agreement.agreement_id }));
        const next = opened.instalments.find((row) => row.paid_on === null);
        await Promise.all([
          world.locking.runLadder(world.db, ORG),
          next && answered(world.pay(sale, next.no)),
          world.obey(sale),
        ]);
      },
    };
    const names = ['day', 'day', 'day', 'turn', 'turn', ...Object.keys(actions)];
    for (let n = 0; n < ACTIONS; n += 1) {
      const name = names[Math.floor(random() * names.length)]!;
      await actions[name]!();
      done[name] = (done[name] ?? 0) + 1;
      const [wrong] = await world.db.asOwner(
        `select l.device_id, l.cause, l.level, a.oldest_due_on::text, a.state from locks l join agreements a on a.agreement_id = l.agreement_id
       where l.cause in ('debt', 'override') and (l.level > 0
           or exists (select from restrictions x where x.device_id = l.device_id and x.cause = 'debt' and x.given_back_at is null))
         and (a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= (kist_now() at time zone 'Asia/Kolkata')::date)`,
      );
      expect(wrong, `${name} as action ${n} left a paid-up phone held`).toBeUndefined();
    }
    expect(Object.keys(done).toSorted()).toEqual(Object.keys(actions).toSorted());
    expect(await world.violations()).toEqual([]);
    expect(await world.db.read(ORG, (tx) => checkBooks(tx))).toMatchObject({ isBalanced: true });
    const [lost] = await world.db.asOwner<{ n: number }>(
      `select count(*)::int as n from verdicts v where v.allowed and (v.verdict ->> 'requested_level')::int > 0 and v.rule not in ('OVERDUE_STEP', 'LEVEL_KEPT', 'OVERRIDE_TEXT', 'THEFT_REPORT', 'OWNER_REQUEST', 'TEST_WINDOW')`,
    );
    expect(lost!.n).toBe(0);
  },
);
