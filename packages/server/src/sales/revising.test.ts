import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { bps } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { testSealer } from '#test/sealer.ts';
import { createServices } from '#test/services.ts';
import type { TestDatabase } from '#test/database.ts';
import type { Edit } from './revising.ts';
import * as sales from './sales.ts';

/** New terms for what is not due yet of a running sale: what they ask, who agrees, what stays. ₹15,500 at 12 % over six months: ₹2,674 on the 10th from March. */
let world: LockWorld;
let db: TestDatabase;
let numbers = 30_000;
beforeAll(async () => {
  world = await createLockWorld();
  const services = createServices(world.db);
  const { ports } = services.db;
  db = services.db.with({
    ...ports,
    identity: { ...ports.identity, sealer: testSealer, canSendCodes: () => true },
  }) as TestDatabase;
  return () => services.waker.close();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-02-11T12:00:00');
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
/** To somebody whose number nobody else has. */
const sell = async (given: Parameters<LockWorld['sell']>[0] = {}) => {
  const sale = await world.sell(given);
  const mobile = `+9198761${String((numbers += 1)).padStart(5, '0')}`;
  await db.plant(['customers'], 'update customers set mobile = $2 where customer_id = $1', [sale.customerId, mobile]);
  return { ...sale, mobile };
};
const of = ({ customerId: customer_id }: Sale, edit: Omit<Edit, 'customer_id'>): Edit => ({ customer_id, ...edit });
const preview = (sale: Sale, edit: Omit<Edit, 'customer_id'>) =>
  db.read(ORG, (tx) => sales.previewEdit(tx, world.shop, of(sale, edit)));
const apply = (sale: Sale, edit: Omit<Edit, 'customer_id'>, more: { otp?: string; schedule_version?: number } = {}) =>
  inOrg((tx) => sales.edit(tx, world, world.shop, { ...of(sale, edit), reason: 'asked for it', ...more }));
const send = (sale: Sale, edit: Omit<Edit, 'customer_id'>) =>
  inOrg((tx) => sales.sendEditCode(tx, world.shop, of(sale, edit)));
const codeFor = async (sale: Sale & { mobile: string }, edit: Omit<Edit, 'customer_id'>) => {
  await send(sale, edit);
  await world.deliver();
  const { body } = world.texts.findLast(({ to, template }) => to === sale.mobile && template === 'otp_terms')!;
  return body.slice(0, 6);
};
const other = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');
const codeOf = (outcome: unknown) => (outcome instanceof KistError ? outcome.code : 'accepted');
const refusal = (promise: Promise<unknown>) => promise.then(codeOf, codeOf);
const account = ({ agreement: { agreement_id } }: Sale) =>
  db.read(ORG, (tx) => agreements.account(tx, { agreement_id }));
const faults = async () => [
  ...(await db.read(ORG, (tx) => checkBooks(tx))).differences,
  ...(await agreements.checkTerms(db, ORG, null)),
];
const CHEAPER = { tenure: 6, rate_bps: bps(600) };
const LONGER = { tenure: 10 };

describe('a change that asks no more', () => {
  it('is shown before and after, made from today, told to the customer, and stands with its cause and who made it', async () => {
    const sale = await sell();
    const said = await preview(sale, CHEAPER);
    expect(said).toMatchObject({
      schedule_version: 1,
      needs_code: false,
      made: 6,
      from_on: '2026-03-10',
      before: { rate_bps: 1200, emi_paise: 2_674_00, tenure: 6 },
      after: { rate_bps: 600, tenure: 6, last_due_on: '2026-08-10' },
    });
    expect(said.after.total_payable_paise).toBeLessThan(said.before.total_payable_paise);
    expect((await account(sale)).agreement.schedule_version).toBe(1);
    const done = await apply(sale, CHEAPER, { schedule_version: said.schedule_version });
    expect(done).toMatchObject({ schedule_version: 2, after: said.after, before: said.before });
    const { agreement, instalments } = await account(sale);
    expect(agreement).toMatchObject({ rate_bps: 600, emi_paise: said.after.emi_paise, schedule_from: '2026-02-11' });
    expect(instalments.map((row) => agreements.instalmentTotal(row))).toEqual(
      said.after.instalments.map(({ total_paise }) => total_paise),
    );
    const [kept] = await db.asOwner(
      `select cause, reason, made_by, effective_on::text as on, consent_otp_id from schedule_versions where agreement_id = $1`,
      [sale.agreement.agreement_id],
    );
    expect(kept).toEqual({
      cause: 'edit',
      reason: 'asked for it',
      made_by: world.shop.userId,
      on: '2026-02-11',
      consent_otp_id: null,
    });
    const told = await db.asOwner<{ body: string }>(
      `select body from notices where agreement_id = $1 and kind = 'schedule'`,
      [sale.agreement.agreement_id],
    );
    expect(told).toHaveLength(1);
    expect(told[0]!.body).toContain('from 10-03-2026 to 10-08-2026');
    expect(await faults()).toEqual([]);
  });

  it('twice leaves two versions, each after the one before', async () => {
    const sale = await sell();
    await apply(sale, CHEAPER);
    await world.at('2026-03-02T12:00:00');
    await apply(sale, { tenure: 6, method: 'ZERO' });
    expect((await account(sale)).agreement).toMatchObject({ schedule_version: 3, method: 'ZERO', rate_bps: 0 });
    expect(await faults()).toEqual([]);
  });
});

describe('a change that asks more', () => {
  it.each([
    ['in all', LONGER],
    ['sooner, though less in all', { tenure: 3 }],
    ['of interest', { tenure: 6, rate_bps: bps(2400) }],
  ])('%s needs the code of the customer, for these very terms', async (_what, edit) => {
    const sale = await sell();
    expect((await preview(sale, edit)).needs_code).toBe(true);
    expect(await refusal(apply(sale, edit))).toBe('CUSTOMER_CODE_REQUIRED');
    const otp = await codeFor(sale, edit);
    // It is good for nothing else, and whoever guesses is counted.
    expect(await refusal(apply(sale, { ...edit, tenure: edit.tenure + 1, rate_bps: bps(3000) }, { otp }))).toBe(
      'OTP_INVALID',
    );
    expect(await refusal(apply(sale, edit, { otp: other(otp) }))).toBe('OTP_INVALID');
    const [counted] = await db.asOwner(`select tries from otps where customer_id = $1 and purpose = 'TERMS'`, [
      sale.customerId,
    ]);
    expect(counted).toEqual({ tries: 1 });
    expect((await account(sale)).agreement.schedule_version).toBe(1);
    expect(await refusal(apply(sale, edit, { otp }))).toBe('accepted');
    const [kept] = await db.asOwner<{ agreed: boolean }>(
      `select exists (select from otps o where o.otp_id = v.consent_otp_id and o.about_hash = v.consent_hash and o.customer_id = $2) as agreed
       from schedule_versions v where agreement_id = $1`,
      [sale.agreement.agreement_id, sale.customerId],
    );
    expect(kept).toEqual({ agreed: true });
    expect(await faults()).toEqual([]);
    expect(await db.read(ORG, () => world.violations())).toEqual([]);
  });

  it('is told in the message that carries the code', async () => {
    const sale = await sell();
    const said = await preview(sale, LONGER);
    world.texts.length = 0;
    await send(sale, LONGER);
    await world.deliver();
    const message = world.texts.find(({ to }) => to === sale.mobile)!;
    expect(message).toMatchObject({ template: 'otp_terms' });
    expect(message.body).toContain('until 10-12-2026');
    expect(message.body).not.toMatch(/[{}]/);
    expect(said.after.last_due_on).toBe('2026-12-10');
  });

  it('cannot be written by anybody without the code', async () => {
    const sale = await sell();
    const { agreement_id } = sale.agreement;
    const terms = { method: 'REDUCING' as const, rate_bps: bps(1200), tenure: 10, rounding: 'RUPEE' as const };
    const write = (consent?: { otp_id: string; hash: Buffer }) =>
      inOrg((tx) => agreements.revise(tx, world.shop, { agreement_id, cause: 'edit', reason: 'x', terms, consent }));
    const refused = { code: '23001', message: expect.stringContaining('no code of this customer') };
    await expect(write()).rejects.toMatchObject(refused);
    const foreign = await sell();
    await codeFor(foreign, LONGER);
    const [code] = await db.asOwner<{ otp_id: string; about_hash: Buffer }>(
      `select otp_id, about_hash from otps where customer_id = $1 and purpose = 'TERMS'`,
      [foreign.customerId],
    );
    await expect(write({ otp_id: code!.otp_id, hash: code!.about_hash })).rejects.toMatchObject(refused);
  });

  it('is not agreed to by a number that somebody of a shop logs in with', async () => {
    const sale = await sell();
    await db.asOwner(
      'update customers set mobile = (select mobile from users where user_id = $2) where customer_id = $1',
      [sale.customerId, world.shop.userId],
    );
    await db.asOwner('update users set number_proved_at = now() where user_id = $1', [world.shop.userId]);
    expect(await refusal(send(sale, LONGER))).toBe('STAFF_NUMBER');
    expect(await refusal(apply(sale, LONGER, { otp: '123456' }))).toBe('STAFF_NUMBER');
  });
});

describe('what is due', () => {
  it('stays as it is, and no lock rises by a change', async () => {
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
    const before = await account(sale);
    await apply(sale, { tenure: 5, rate_bps: bps(0) });
    const after = await account(sale);
    expect(after.instalments[0]).toEqual(before.instalments[0]);
    expect(after.agreement).toMatchObject({ oldest_due_on: '2026-03-10', oldest_due_paise: 2_674_00 });
    expect(await world.levelOf(sale)).toBe(3);
    expect(await faults()).toEqual([]);
    expect(await world.violations()).toEqual([]);
  });

  it('that was too little to hold a phone for stays too little when the EMIs become smaller', async () => {
    const sale = await world.sell();
    await world.at('2026-03-10T12:00:00');
    // ₹200 are left: less than a tenth of ₹2,674, more than a tenth of what the EMIs are after.
    await world.pay(sale, 1, 2_474_00);
    const edit = { tenure: 60, method: 'ZERO' as const };
    expect((await preview(sale, edit)).needs_code).toBe(false);
    await apply(sale, edit);
    expect((await account(sale)).agreement.emi_paise).toBeLessThan(300_00);
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14', '2026-03-15']) await world.day(day);
    expect(await world.levelOf(sale)).toBeLessThanOrEqual(1);
  });
});

describe('money that was taken for an instalment while it was changed', () => {
  const UNDER = { method: 'CASH' as const, reference: '' };
  it('is taken, and goes to what is owed now', async () => {
    const sale = await sell();
    const old = await account(sale);
    await apply(sale, CHEAPER);
    const instalment_id = old.instalmentIds.get(3)!;
    await inOrg((tx) => world.payments.record(tx, world.shop, { instalment_id, amount: 1_000_00, ...UNDER }));
    const { instalments } = await account(sale);
    expect(instalments[0]!.paid_principal_paise + instalments[0]!.paid_interest_paise).toBe(1_000_00);
    const many = { customer_id: sale.customerId, instalment_ids: [old.instalmentIds.get(2)!], ...UNDER };
    expect(await refusal(inOrg((tx) => world.payments.recordMany(tx, world.shop, many)))).toBe('STATE_CONFLICT');
    const taken = await inOrg((tx) => world.payments.recordMany(tx, world.shop, { ...many, accept_overpayment: true }));
    expect(taken.amount_paise).toBe(2_674_00);
    // Of an EMI that was paid in part before it was changed, what was left of it.
    const part = await account(sale);
    const next = part.instalments.find((row) => agreements.instalmentLeft(row) > 0)!;
    const left = agreements.instalmentLeft(next);
    expect(left).toBeLessThan(agreements.instalmentTotal(next));
    await apply(sale, { tenure: 12, method: 'ZERO' });
    const gone = { ...many, instalment_ids: [part.instalmentIds.get(next.no)!], accept_overpayment: true };
    expect((await inOrg((tx) => world.payments.recordMany(tx, world.shop, gone))).amount_paise).toBe(left);
    const foreign = await account(await sell());
    const stray = { ...many, instalment_ids: [foreign.instalmentIds.get(1)!], accept_overpayment: true };
    expect(await refusal(inOrg((tx) => world.payments.recordMany(tx, world.shop, stray)))).toBe('NOT_FOUND');
    expect(await faults()).toEqual([]);
  });
});

describe('a change is refused', () => {
  it('where nothing would change, or another came in between', async () => {
    const sale = await sell();
    expect(await refusal(apply(sale, { tenure: 6 }))).toBe('SCHEDULE_UNCHANGED');
    expect(await refusal(apply(sale, CHEAPER, { schedule_version: 2 }))).toBe('STATE_CONFLICT');
    // What is paid ahead changes nothing of that.
    await world.pay(sale, 1, 400_00);
    expect(await refusal(apply(sale, { tenure: 6 }))).toBe('SCHEDULE_UNCHANGED');
  });

  it('of terms that make no schedule', async () => {
    const sale = await sell();
    const fieldOf = (edit: Omit<Edit, 'customer_id'>) =>
      apply(sale, edit).then(
        () => 'accepted',
        (error: KistError) => error.options.fields?.[0]?.path,
      );
    expect(await fieldOf({ tenure: 121 })).toBe('tenure');
    expect(await fieldOf({ tenure: 6, method: 'ZERO', rate_bps: bps(100) })).toBe('rate_bps');
  });

  it('where nothing is ahead, nothing runs, or the plan has no such edit', async () => {
    const sale = await sell();
    await db.plant(['customers'], 'update customers set plan_type = $2 where customer_id = $1', [
      sale.customerId,
      PLAN.DPC_ANTITHEFT,
    ]);
    expect(await refusal(preview(sale, CHEAPER))).toBe('FEATURE_NOT_OFFERED');
    const late = await sell();
    await world.at('2026-09-01T12:00:00');
    expect(await refusal(preview(late, CHEAPER))).toBe('STATE_CONFLICT');
    const ended = await sell({ isEnrolled: false, deliveredOn: '2026-08-30' });
    await inOrg((tx) =>
      sales.cancelAgreement(
        tx,
        world.shop,
        { customer_id: ended.customerId, reason: 'not wanted' },
        world.locking.letGoOfCancelled,
      ),
    );
    expect(await refusal(preview(ended, CHEAPER))).toBe('STATE_CONFLICT');
  });
});
