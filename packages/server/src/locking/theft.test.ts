import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import type { TheftPurpose } from '@kist/contract/codes';
import { type Actor, SYSTEM, createOidcClient, rememberSessions } from '#server/identity/identity.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { testPepper } from '#test/http.ts';
import { testSealer } from '#test/sealer.ts';
import { unlockFleet } from './fleet.ts';
import { sendTheftCode } from './locking.ts';

let world: LockWorld;
let db: LockWorld['db'];
let admin: Actor;
const MOBILE = '+919812345214';
beforeAll(async () => {
  world = await createLockWorld();
  const watch = { failed: () => undefined };
  const sessions = rememberSessions(world.db.devicePool, 0);
  const identity = {
    pepper: testPepper,
    sealer: testSealer,
    canSendCodes: () => true,
    stepUpDoors: [],
    watch,
    sessions,
    oidc: createOidcClient(),
  };
  db = world.db.with({ ...world.db.ports, identity });
  admin = { ...world.shop, userType: 'admin', visibleOwnerIds: [] };
  await world.at('2026-02-11T12:00:00');
});
afterAll(() => world.close());

const ownerOf = (sale: Sale) => customerOf(world, sale);
const code = async (sale: Sale, purpose: TheftPurpose = 'THEFT_REPORT', by = world.shop) => {
  // Codes are 30 s apart and five a day: a test is no day.
  await world.db.asOwner(`update otps set created_at = created_at - interval '2 days'`);
  await db.transaction(ORG, (tx) => sendTheftCode(tx, by, { customerId: sale.customerId, purpose }));
  await world.deliver();
  const sent = world.texts.filter(({ template }) => template === `otp_${purpose.toLowerCase()}`).at(-1);
  expect(sent).toMatchObject({ to: MOBILE });
  return sent!.body.slice(0, 6);
};
const report = (sale: Sale, otp: string, by = world.shop) =>
  db.transaction(ORG, (tx) =>
    world.locking.reportTheft(tx, by, { customerId: sale.customerId, otp, note: 'at the market' }),
  );
const lift = (sale: Sale, otp?: string, by = world.shop) =>
  db.transaction(ORG, (tx) =>
    world.locking.liftTheft(tx, by, { customerId: sale.customerId, otp, reason: 'seen at the shop' }),
  );
const held = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ cause: string; level: number }>(
      'select cause, level from locks where device_id = $1 and level > 0 order by cause',
      [deviceId],
    )
  ).map(({ cause, level }) => `${cause} ${level}`);
const wrongOf = (otp: string) => (otp === '111111' ? '222222' : '111111');
const actions = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ action: string; as: string | null }>(
      `select action, data ->> 'as' as as from audit_lines where subject_kind = 'device' and subject_id = $1 and (action like 'lost%' or action like 'theft%') order by seq`,
      [deviceId],
    )
  ).map(({ action, as }) => [action, as].filter(Boolean).join(' '));

describe('a shop reports a theft', () => {
  it('with the customer’s code alone: a wrong one counts, the right one holds the phone at once and is used up', async () => {
    const sale = await world.sell();
    const otp = await code(sale);
    expect(await report(sale, wrongOf(otp))).toMatchObject({ code: 'OTP_INVALID' });
    expect(await held(sale)).toEqual([]);
    expect(await report(sale, otp)).toMatchObject({ state: 'QUEUED', verdict: { rule: 'THEFT_REPORT' } });
    expect(await held(sale)).toEqual(['theft 4']);
    await expect(report(sale, otp)).rejects.toThrow('STATE_CONFLICT');
    expect(await lift(sale, otp)).toBeInstanceOf(KistError);
    await world.inOrg((tx) =>
      world.locking.withdrawLost(tx, ownerOf(sale), { customerId: sale.customerId, kind: 'theft' }),
    );
    // The same code says nothing a second time.
    expect(await report(sale, otp)).toMatchObject({ code: 'OTP_EXPIRED' });
    expect([await held(sale), await world.levelOf(sale)]).toEqual([[], 0]);
    expect(await actions(sale)).toEqual([
      'theft_code_sent',
      'lost_reported',
      'theft_lifted customer',
      'lost_withdrawn',
    ]);
  });

  it('only where the number is the customer’s own, of its own customer’s phone in use, and with the word for it: not the one to lock', async () => {
    const [unproven, bare] = [await world.sell({ consentLacks: 'code' }), await world.sell({ isEnrolled: false })];
    await expect(code(unproven)).rejects.toThrow('NUMBER_NOT_CONFIRMED');
    await expect(report(unproven, '123456')).rejects.toThrow('NUMBER_NOT_CONFIRMED');
    await expect(code(bare)).rejects.toThrow('STATE_CONFLICT');
    const sale = await world.sell();
    const otp = await code(sale);
    const { shop } = world;
    const without = { ...shop, access: { ...shop.access, feature_access: '0' as const } };
    const stranger = { ...shop, visibleOwnerIds: [] };
    for (const [by, refusal] of [
      [without, 'FEATURE_NOT_ALLOWED'],
      [stranger, 'NOT_FOUND'],
      [ownerOf(sale), 'FORBIDDEN'],
    ] as const) {
      await expect(report(sale, otp, by)).rejects.toThrow(refusal);
      await expect(code(sale, 'THEFT_REPORT', by)).rejects.toThrow(refusal);
    }
    const barred = { ...shop, lockAccess: { ...shop.lockAccess, lock: '0' as const, unlock: '0' as const } };
    expect(await report(sale, await code(sale), barred)).toMatchObject({ state: 'QUEUED' });
    expect(await held(sale)).toEqual(['theft 4']);
  });

  it('with no code of another purpose or customer', async () => {
    const [sale, other] = [await world.sell(), await world.sell()];
    const otp = await code(other);
    expect(await report(sale, otp)).toBeInstanceOf(KistError);
    await report(sale, await code(sale));
    expect(await lift(sale, await code(other))).toBeInstanceOf(KistError);
    expect(await held(sale)).toEqual(['theft 4']);
    await expect(code(sale)).rejects.toThrow('STATE_CONFLICT');
    await expect(code(other, 'THEFT_LIFT')).rejects.toThrow('STATE_CONFLICT');
  });
});

describe('a theft lock ends', () => {
  const stolen = async (): Promise<Sale> => {
    const sale = await world.sell();
    await world.inOrg((tx) =>
      world.locking.reportLost(tx, ownerOf(sale), { customerId: sale.customerId, kind: 'theft', note: '' }),
    );
    return sale;
  };

  it('by no right to unlock: not one by one, not in bulk, not by a dry run, not with the fleet, not by money', async () => {
    const sale = await stolen();
    const unlock = () =>
      world.inOrg((tx) =>
        world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'THEFT_REPORTED', note: 'found' }),
      );
    await expect(unlock()).rejects.toThrow('FEATURE_NOT_ALLOWED');
    for (const dry_run of [true, false]) {
      const order = { command: 'unlock', reason: 'THEFT_REPORTED', customer_ids: [sale.customerId], dry_run } as const;
      await expect(world.inOrg((tx) => world.locking.bulk(tx, world.shop, order))).rejects.toThrow(
        'FEATURE_NOT_ALLOWED',
      );
    }
    for (const reason of ['EMI_OVERDUE', 'CUSTOMER_REQUEST', 'ORG_OVERRIDE', 'ENROLMENT_TEST'] as const)
      await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason }));
    const coded = await world.sell();
    await report(coded, await code(coded));
    await world.inOrg((tx) => unlockFleet(tx, world));
    await world.pay(sale, 1);
    expect([await held(sale), await held(coded)]).toEqual([['theft 4'], ['theft 4']]);
    expect([await world.levelOf(sale), await world.levelOf(coded)]).toEqual([4, 4]);
  });

  it('by the customer’s code at the counter, made for that alone', async () => {
    const sale = await stolen();
    await expect(lift(sale)).rejects.toThrow('OTP_INVALID');
    const otp = await code(sale, 'THEFT_LIFT');
    expect(await lift(sale, wrongOf(otp))).toMatchObject({ code: 'OTP_INVALID' });
    expect(await held(sale)).toEqual(['theft 4']);
    expect(await lift(sale, otp)).toMatchObject({ level: 0 });
    expect([await held(sale), await world.levelOf(sale)]).toEqual([[], 0]);
    await expect(lift(sale, otp)).rejects.toThrow('STATE_CONFLICT');
    expect(await actions(sale)).toEqual([
      'lost_reported',
      'theft_code_sent',
      'theft_lifted customer_code',
      'lost_withdrawn',
    ]);
  });

  it('by the organisation with a reason, and leaves what is held for money', async () => {
    const sale = await stolen();
    await expect(lift(sale, undefined, ownerOf(sale))).rejects.toThrow('FORBIDDEN');
    expect(await lift(sale, undefined, admin)).toMatchObject({ level: 0 });
    expect(await actions(sale)).toContain('theft_lifted organisation');
    const [row] = await world.db.asOwner<{ closed_reason: string }>(
      `select closed_reason from protection_reports where device_id = $1`,
      [sale.deviceId],
    );
    expect(row).toEqual({ closed_reason: 'seen at the shop' });
    // People write names there, and what the history tells stays for good.
    const lines = await world.db.asOwner<{ data: object }>(
      `select data from audit_lines where subject_id = $1 and action = 'theft_lifted'`,
      [sale.deviceId],
    );
    expect(lines).toEqual([{ data: { as: 'organisation' } }]);
    const again = await stolen();
    expect(await lift(again, undefined, SYSTEM(ORG))).toMatchObject({ level: 0 });
    // Whose word is gone, by whatever hand: nobody else could lift it.
    const forged = await stolen();
    await world.db.plant(
      ['protection_reports'],
      `update protection_reports set closed_at = greatest(reported_at, kist_now()), closed_as = 'organisation', closed_by = gen_random_uuid(), closed_reason = 'x' where device_id = $1`,
      [forged.deviceId],
    );
    const [closed] = await world.db.asOwner<{ is_after: boolean }>(
      'select closed_at >= reported_at as is_after from protection_reports where device_id = $1',
      [forged.deviceId],
    );
    expect(closed).toEqual({ is_after: true });
    expect(await lift(forged, undefined, admin)).toMatchObject({ level: 0 });
    await expect(lift(forged, undefined, admin)).rejects.toThrow('STATE_CONFLICT');
  });

  it('in the database by nobody’s word neither: without whose part, without a reason of the organisation’s, or written over', async () => {
    const sale = await stolen();
    const end = (what: string) =>
      world.db.asOwner(`update protection_reports set closed_at = now() ${what} where device_id = $1`, [sale.deviceId]);
    await expect(end('')).rejects.toThrow('the customer says that it is found');
    await expect(end(`, closed_as = 'organisation', closed_by = gen_random_uuid()`)).rejects.toThrow('closed_reason');
    await expect(end(`, closed_as = 'shop', closed_by = gen_random_uuid()`)).rejects.toThrow('closed_as');
    await expect(
      world.db.asOwner(`update protection_reports set kind = 'request' where device_id = $1`, [sale.deviceId]),
    ).rejects.toThrow('facts stay');
    expect(await held(sale)).toEqual(['theft 4']);
    // What the customer said at the counter is the customer's word as well.
    const coded = await world.sell();
    await report(coded, await code(coded));
    await expect(
      world.db.asOwner('update protection_reports set closed_at = now() where device_id = $1', [coded.deviceId]),
    ).rejects.toThrow('the customer says that it is found');
    expect(await held(coded)).toEqual(['theft 4']);
  });

  it('and leaves open what the owner asked for besides', async () => {
    const sale = await world.sell();
    const own = (kind: 'theft' | 'lost') => ({ customerId: sale.customerId, kind, note: '' });
    await world.inOrg((tx) => world.locking.reportLost(tx, ownerOf(sale), own('lost')));
    await world.inOrg((tx) => world.locking.reportLost(tx, ownerOf(sale), own('theft')));
    expect(await lift(sale, await code(sale, 'THEFT_LIFT'))).toMatchObject({ level: 4 });
    expect(await held(sale)).toEqual(['customer_request 4']);
    expect(
      await world.db.asOwner(
        'select kind, closed_at is null as is_open from protection_reports where device_id = $1 order by kind',
        [sale.deviceId],
      ),
    ).toEqual([
      { kind: 'request', is_open: true },
      { kind: 'theft', is_open: false },
    ]);
    await world.inOrg((tx) => world.locking.withdrawLost(tx, ownerOf(sale), own('lost')));
    expect(await held(sale)).toEqual([]);
  });
});

it('a phone that was let go is nobody’s to report: no code goes out for it, and none holds it', async () => {
  const sale = await world.sell({ tenure: 1 });
  const otp = await code(sale);
  expect((await world.pay(sale, 1)).agreement_state).toBe('completed');
  await expect(report(sale, otp)).rejects.toThrow('STATE_CONFLICT');
  await expect(code(sale)).rejects.toThrow('STATE_CONFLICT');
  expect(await held(sale)).toEqual([]);
});
