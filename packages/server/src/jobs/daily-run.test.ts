import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as customers from '#server/customers/customers.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { giveKeys, keyFor, makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { runDay } from './daily-run.ts';
import { createDemoClock, noonsBetween } from './demo-clock.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

const run = () => runDay(world.run, ORG);
const steps = () =>
  world.db.asOwner<{ on: string; step: string; result: Record<string, unknown> }>(
    `select business_on::text as on, step, result from daily_steps order by business_on, step`,
  );
const totals = () =>
  world.db.asOwner(
    `select (select count(*) from notices)::int n, (select count(*) from verdicts)::int v, (select count(*) from journals)::int j,
       (select count(*) from charges)::int c, (select count(*) from audit_lines)::int a, (select count(*) from outbox)::int o`,
  );

/** A level that nobody decided upon, in the column and in the document. */
const wantedAt = ({ deviceId }: { deviceId: string }, level: number) =>
  world.db.asOwner(
    `update device_desired set lock_level = $2::int, document = jsonb_set(document, '{lock,level}', to_jsonb($2::int)) where device_id = $1`,
    [deviceId, level],
  );

describe('the daily run', () => {
  it('does every step of every missed day once, in order, and leaves to today what only today can do', async () => {
    await world.sell();
    await run();
    await world.at('2026-03-08T12:30:00');
    expect(await run()).toEqual(['2026-03-06', '2026-03-07', '2026-03-08']);
    const done = await steps();
    expect(done.map(({ on }) => on)).toEqual([5, 6, 7, 8].flatMap((day) => Array(6).fill(`2026-03-0${day}`)));
    expect(new Set(done.map(({ step }) => step))).toEqual(
      new Set(['penal', 'notices', 'locks', 'reservations', 'checks', 'audit']),
    );
    // As the database asks for them before it lets a day be called run.
    const asked = await world.db.asOwner<{ step: string }>('select unnest(kist_daily_steps()) as step');
    expect(asked.map(({ step }) => step).toSorted()).toEqual(done.slice(0, 6).map(({ step }) => step));
    expect(done.filter(({ step, result }) => step === 'notices' && result['left_to'] === '2026-03-08')).toHaveLength(2);
    const before = await totals();
    expect(await run()).toEqual([]);
    expect(await totals()).toEqual(before);
  });

  it('run twice at the same moment does what running once does', async () => {
    await world.sell();
    await world.at('2026-03-11T12:30:00');
    const before = (await totals())[0] as Record<string, number>;
    await Promise.all([run(), run()]);
    const after = (await totals())[0] as Record<string, number>;
    const [mine] = await world.db.asOwner<{ n: number }>(
      `select count(*)::int as n from notices where kind = 'notice' and due_on = '2026-03-10' and created_at > '2026-03-11'`,
    );
    expect(await steps()).toHaveLength(6);
    expect(after['n']! - before['n']!).toBeGreaterThanOrEqual(2);
    expect(mine!.n % 2).toBe(0);
    expect(await world.violations()).toEqual([]);
  });

  it('cut off in the middle goes on with the step that is missing', async () => {
    await run();
    await world.db.asOwner(`delete from daily_steps where step in ('locks', 'checks')`);
    await world.db.asOwner('update organisations set daily_run_on = null');
    await run();
    expect(await steps()).toHaveLength(6);
  });

  it('makes each penal charge once, on the books, told, capped and only for agreements that were told before signing', async () => {
    const early = await world.sell();
    await makePenalRule(world.db, ORG);
    const sale = await world.sell();
    // What the organisation decides later is for later agreements.
    await makePenalRule(world.db, ORG, { charge_paise: 1, grace_days: 0, cap_bps: 1 });
    const charges = () =>
      world.db.asOwner(
        `select instalment_no, amount_paise::int, charged_on::text from charges where agreement_id = $1 order by charged_on`,
        [sale.agreement.agreement_id],
      );
    await world.day('2026-03-13');
    expect(await charges()).toEqual([]);
    await world.day('2026-03-14');
    await world.day('2026-03-15');
    expect(await charges()).toEqual([{ instalment_no: 1, amount_paise: 10_000, charged_on: '2026-03-14' }]);
    await world.day('2026-05-01');
    // 5 % of 2,674 rupees: the cap of the stamped policy.
    expect(await charges()).toEqual([
      { instalment_no: 1, amount_paise: 10_000, charged_on: '2026-03-14' },
      { instalment_no: 1, amount_paise: 3370, charged_on: '2026-04-13' },
      { instalment_no: 2, amount_paise: 10_000, charged_on: '2026-04-14' },
    ]);
    expect(
      await world.db.asOwner('select from charges where agreement_id = $1', [early.agreement.agreement_id]),
    ).toEqual([]);
    const told = await world.db.asOwner<{ n: number }>(
      `select count(*)::int as n from notices where agreement_id = $1 and kind = 'penal'`,
      [sale.agreement.agreement_id],
    );
    expect(told[0]!.n).toBe(3);
    expect(await world.db.read(ORG, (tx) => checkBooks(tx))).toMatchObject({ isBalanced: true, differences: [] });
  });

  it('a penalty alone keeps no phone locked', async () => {
    await makePenalRule(world.db, ORG, { charge_paise: 5000, grace_days: 0 });
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
    const receipt = await world.pay(sale, 1);
    expect(await world.levelOf(sale)).toBe(0);
    expect(receipt.unlock).not.toBeNull();
    const [left] = await world.db.asOwner<{ paise: number }>(
      'select sum(amount_paise - paid_paise)::int as paise from charges where agreement_id = $1',
      [sale.agreement.agreement_id],
    );
    expect(left!.paise).toBe(5000);
  });

  it('gives reserved keys back after seven days', async () => {
    const sale = await world.sell({ isEnrolled: false });
    await keyFor(world.db, world.shop, sale.customerId);
    await world.day('2026-03-13');
    const [kept] = await world.db.asOwner('select available, reserved from wallets');
    expect(kept).toEqual({ available: 1, reserved: 0 });
  });

  it('gives all of them back in one night, however many there are', async () => {
    const { shop, db } = world;
    await giveKeys(db, shop, { count: 501 });
    await world.inOrg(async (tx) => {
      for (let n = 0; n < 501; n += 1) {
        const { customer_id } = await customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC });
        await wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: PLAN.DPC, customer_id });
      }
    });
    await world.day('2026-03-13');
    expect(await db.asOwner('select sum(reserved)::int as reserved from wallets')).toEqual([{ reserved: 0 }]);
  });

  it('raises a red banner for one paisa and for one phone held without right', async () => {
    const sale = await world.sell();
    await world.db.plant(
      ['agreements'],
      `update agreements set outstanding_paise = outstanding_paise + 1 where agreement_id = $1`,
      [sale.agreement.agreement_id],
    );
    await wantedAt(sale, 3);
    await run();
    const check = (await steps()).find(({ step }) => step === 'checks')!.result;
    expect(check['is_balanced']).toBe(false);
    expect(check['differences']).toEqual([expect.stringContaining('outstanding')]);
    expect((check['violations'] as { invariant: string }[]).map(({ invariant }) => invariant).toSorted()).toEqual([
      'I3',
      'I4',
    ]);
    await world.db.plant(
      ['agreements'],
      `update agreements set outstanding_paise = outstanding_paise - 1 where agreement_id = $1`,
      [sale.agreement.agreement_id],
    );
    await wantedAt(sale, 0);
  });
});

it('a picture that is not counted makes the day’s check red by itself', async () => {
  const miscount = (by: number) =>
    world.db.plant(['document_totals'], 'update document_totals set documents = documents + $2 where org_id = $1', [
      ORG,
      by,
    ]);
  await miscount(1);
  await run();
  const check = (await steps()).find(({ step }) => step === 'checks')!.result;
  expect(check).toMatchObject({ is_balanced: false, differences: [expect.stringContaining('document_totals says')] });
  await miscount(-1);
});

it('one phone held without right makes the day’s check red by itself, the books being right', async () => {
  const sale = await world.sell();
  await wantedAt(sale, 3);
  await run();
  const check = (await steps()).find(({ step }) => step === 'checks')!.result;
  expect(check).toMatchObject({ is_balanced: false, differences: [], violations: [{ id: sale.deviceId }] });
  await wantedAt(sale, 0);
});

describe('the demo’s clock', () => {
  const drain = async () => (await world.deliver(), 0);

  it('lives every day on its way at noon, also when it is moved at night', async () => {
    const sale = await world.sell();
    await world.at('2026-03-10T03:00:00');
    const clock = createDemoClock({ ...world.run, operator: world.db.operator, outbox: { drain } });
    await clock.advance(4 * 86_400_000);
    expect((await clock.read()).businessOn).toBe('2026-03-14');
    expect(await world.levelOf(sale)).toBe(3);
    const days = await world.db.asOwner<{ on: string }>(
      `select distinct business_on::text as on from daily_steps order by 1`,
    );
    expect(days.map(({ on }) => on)).toEqual(['10', '11', '12', '13', '14'].map((day) => `2026-03-${day}`));
  });

  it('finds the noons between two moments', () => {
    const at = (ist: string) => Date.parse(`${ist}+05:30`);
    const between = (from: string, to: string) =>
      noonsBetween(at(from), at(to)).map((ms) => new Date(ms + 19_800_000).toISOString().slice(5, 16));
    expect(between('2026-03-10T12:30:00', '2026-03-11T12:30:00')).toEqual([]);
    expect(between('2026-03-10T12:29:00', '2026-03-11T12:31:00')).toEqual(['03-10T12:30', '03-11T12:30']);
    expect(between('2026-02-28T23:00:00', '2026-03-02T01:00:00')).toEqual(['03-01T12:30']);
  });
});
