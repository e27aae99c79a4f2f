import type { Actor } from '#server/identity/identity.ts';
import { PROVISIONING } from '@kist/contract/codes';
import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS, type RuleCode } from '@kist/contract/lock-policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { lockTimeline } from './locking.ts';
import { moveAgreement } from '#test/factories.ts';
import { answeredLongAgo } from '#test/dispute-times.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(async () => {
  world.gateway.delivers = true;
  await world.forgetDays();
});
afterAll(() => world.close());

const lock = (
  sale: Sale,
  reason: 'EMI_OVERDUE' | 'THEFT_REPORTED' | 'ENROLMENT_TEST' | 'ORG_OVERRIDE' = 'EMI_OVERDUE',
  note?: string,
) => world.inOrg((tx) => world.locking.requestLock(tx, world.shop, sale.customerId, { reason, note }));
const unlock = (sale: Sale, reason: 'EMI_OVERDUE' | 'THEFT_REPORTED' | 'CUSTOMER_REQUEST' = 'EMI_OVERDUE') =>
  world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason }));
async function refusalOf(sale: Sale): Promise<RuleCode | 'allowed'> {
  const outcome = await lock(sale);
  return 'refused' in outcome ? outcome.refused.rule : 'allowed';
}

/** Days past due 1, 2 and 3 as the shop lives them. */
async function toLevelThree(sale: Sale): Promise<void> {
  for (const [day, level] of [
    ['2026-03-11', 1],
    ['2026-03-12', 2],
    ['2026-03-13', 3],
  ] as const) {
    await world.day(day);
    expect(await world.levelOf(sale)).toBe(level);
  }
}

describe('a wrong lock is impossible', () => {
  it('for a customer who owes nothing, with the refusal, its rule and its facts on record', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    const outcome = await lock(sale);
    expect(outcome).toMatchObject({ refused: { allowed: false, rule: 'NOT_OVERDUE' } });
    expect(await world.levelOf(sale)).toBe(0);
    const kept = await world.db.asOwner(
      `select c.state, v.rule, v.allowed, v.revision, v.facts -> 'agreement' ->> 'oldestUnpaidDueOn' as due from commands c join verdicts v using (org_id, command_id) where c.device_id = $1`,
      [sale.deviceId],
    );
    expect(kept).toEqual([
      { state: 'REFUSED', rule: 'NOT_OVERDUE', allowed: false, revision: null, due: '2026-03-10' },
    ]);
  });

  it('before a notice was delivered, however late the instalment is', async () => {
    world.gateway.delivers = false;
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-20']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(2);
    expect(await refusalOf(sale)).toBe('NOTICE_NOT_DELIVERED');
  });

  it('without the clause accepted at signing', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell({ hasConsent: false });
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await refusalOf(sale)).toBe('CONSENT_MISSING');
  });

  it('of another phone than the one that was sold', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    const other = await world.sell();
    await moveAgreement(world.db, other.agreement.agreement_id, 'cancelled');
    await world.db.plant(['agreements'], 'update agreements set device_id = $2 where agreement_id = $1', [
      sale.agreement.agreement_id,
      other.deviceId,
    ]);
    await world.at('2026-03-14T12:00:00');
    expect(await refusalOf(sale)).toBe('NOT_THIS_PHONE');
    await world.db.plant(['agreements'], 'update agreements set device_id = $2 where agreement_id = $1', [
      sale.agreement.agreement_id,
      sale.deviceId,
    ]);
    await world.db.plant(['agreements'], `update agreements set state = 'active' where agreement_id = $1`, [
      other.agreement.agreement_id,
    ]);
  });

  it('while a dispute is open; the level in force stays and paying still opens', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    const { dispute_id: disputeId } = await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid in cash.' }),
    );
    expect((await world.leaseOf(sale)).ladder).toEqual([]);
    await world.day('2026-03-13');
    expect(await world.levelOf(sale)).toBe(2);
    expect(await refusalOf(sale)).toBe('DISPUTE_OPEN');
    await expect(
      world.inOrg((tx) => world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'Again.' })),
    ).rejects.toMatchObject({ code: 'DISPUTE_ALREADY_OPEN' });
    await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId, outcome: 'No payment found.' }));
    expect((await world.leaseOf(sale)).ladder.length).toBeGreaterThan(0);
    // The lease says the same: it allows nothing before the customer could take it further.
    expect(Date.parse((await world.leaseOf(sale)).ladder[0]!.at)).toBeGreaterThanOrEqual(
      Date.parse('2026-03-20T00:00:00+05:30'),
    );
    await world.day('2026-03-14');
    expect([await world.levelOf(sale), await refusalOf(sale)]).toEqual([2, 'DISPUTE_ANSWERED']);
    await world.day('2026-03-21');
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('by a written override while a dispute is open, in a hold, or before the notice and its days', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    const untold = await world.sell();
    await world.day('2026-03-11');
    await world.day('2026-03-12');
    await world.db.plant(['notice_proofs'], 'delete from notice_proofs where agreement_id = $1', [
      untold.agreement.agreement_id,
    ]);
    const override = async (one: Sale, note = 'the owner agreed in writing', by: Actor = world.shop) => {
      const order = { reason: 'ORG_OVERRIDE' as const, note };
      const outcome = await world.inOrg((tx) => world.locking.requestLock(tx, by, one.customerId, order));
      return 'refused' in outcome ? outcome.refused.rule : 'allowed';
    };
    const { dispute_id: disputeId } = await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid in cash.' }),
    );
    await world.at('2026-03-13T09:00:00');
    expect(await override(sale, 'because I say so')).toBe('OVERRIDE_NEEDS_TEXT');
    expect([await override(sale), await override(untold)]).toEqual(['DISPUTE_OPEN', 'NOTICE_NOT_DELIVERED']);
    await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId, outcome: 'No payment found.' }));
    await world.inOrg((tx) =>
      world.locking.hold(tx, world.shop, {
        customerId: sale.customerId,
        kind: 'medical',
        untilOn: isoDate('2026-03-13'),
        note: '',
      }),
    );
    expect(await override(sale)).toBe('DISPUTE_ANSWERED');
    await answeredLongAgo(world, disputeId);
    expect(await override(sale)).toBe('HOLD_ACTIVE');
    expect(await world.levelOf(sale)).toBe(2);
    await world.at('2026-03-14T09:00:00');
    // One person's word, said twice, is one person's; what the same person is told the day after counts anew.
    expect([await override(sale), await override(sale)]).toEqual(['OVERRIDE_NEEDS_SECOND', 'OVERRIDE_NEEDS_SECOND']);
    await world.at('2026-03-15T09:00:01');
    expect(await override(sale)).toBe('OVERRIDE_NEEDS_SECOND');
    expect(await override(sale, 'the owner agreed in writing', world.second)).toBe('allowed');
  });

  it('by itself in quiet hours and on holidays', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11T20:00:00');
    expect(await world.levelOf(sale)).toBe(0);
    await world.at('2026-03-12T09:59:00');
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(0);
    await world.db.asOwner(`update organisations set holidays = '{2026-03-12}' where org_id = $1`, [ORG]);
    await world.at('2026-03-12T12:30:00');
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(0);
    await world.db.asOwner(`update organisations set holidays = '{}' where org_id = $1`, [ORG]);
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(1);
  });

  it('of a Google-managed phone for money, unless the vendor approved in writing', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell({ provisioningType: PROVISIONING.AMAPI });
    await world.at('2026-03-14T12:00:00');
    expect(await refusalOf(sale)).toBe('VENDOR_POLICY');
  });

  it('without the access to lock', async () => {
    const sale = await world.sell();
    const helper = { ...world.shop, lockAccess: { ...world.shop.lockAccess, lock: '0' as const } };
    await expect(
      world.inOrg((tx) => world.locking.requestLock(tx, helper, sale.customerId, { reason: 'EMI_OVERDUE' })),
    ).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  });
});

describe('the dealer ladder', () => {
  it('goes one level a day from the first day past due, tells the customer, and ends in the kiosk', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    const before = world.texts.length;
    await world.day('2026-03-07');
    await world.day('2026-03-09');
    await world.day('2026-03-10');
    expect(world.texts.slice(before).filter(({ template }) => template === 'reminder').length).toBeGreaterThanOrEqual(
      3,
    );
    await toLevelThree(sale);
    await world.day('2026-03-16');
    expect(await world.levelOf(sale)).toBe(3);
    await world.day('2026-03-17');
    expect(await world.levelOf(sale)).toBe(4);
    const rows = await world.db.asOwner<{ rule: string; level: number }>(
      `select rule, (verdict ->> 'requested_level')::int as level from verdicts where device_id = $1 order by decided_at`,
      [sale.deviceId],
    );
    expect(rows).toEqual([1, 2, 3, 4].map((level) => ({ rule: 'OVERDUE_STEP', level })));
    const told = await world.db.asOwner<{ kind: string }>(
      `select kind from notices where agreement_id = $1 and channel = 'sms' and kind in ('notice', 'locked') order by created_at`,
      [sale.agreement.agreement_id],
    );
    expect(told.map(({ kind }) => kind)).toEqual(['notice', 'locked']);
    const [screen] = await world.db.asOwner<{ screen: Record<string, unknown> }>(
      `select document -> 'lock' -> 'screen' as screen from device_desired where device_id = $1`,
      [sale.deviceId],
    );
    expect(screen!.screen).toMatchObject({
      shop: 'Sunita Mobile',
      amount_paise: 2_674_00,
      instalments_due: 1,
      due_since: '2026-03-10',
      reason: 'EMI_OVERDUE',
    });
    expect(String(screen!.screen['upi_uri'])).toMatch(
      /^upi:\/\/pay\?pa=sunita@upi&pn=Sunita%20Mobile&am=2674\.00&cu=INR&tr=20\d+&tn=EMI%2020-\d+$/,
    );
    expect(await world.inOrg((tx) => audit.verify(tx, 'device', sale.deviceId))).toEqual({ ok: true });
  });

  it('run twice in a row does nothing twice', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11');
    const counts = () =>
      world.db.asOwner(
        `select (select count(*) from verdicts)::int v, (select count(*) from notices)::int n, (select count(*) from commands)::int c`,
      );
    const once = await counts();
    await world.day('2026-03-11');
    await world.day('2026-03-11T16:00:00');
    expect(await counts()).toEqual(once);
    expect(await world.levelOf(sale)).toBe(1);
  });

  it('lets a person take the next step when it is lawful, and no further', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11');
    expect(await refusalOf(sale)).toBe('BELOW_DPD');
    await world.day('2026-03-12');
    await world.at('2026-03-13T07:00:00');
    const outcome = await lock(sale);
    expect(outcome).toMatchObject({ state: 'QUEUED', verdict: { rule: 'OVERDUE_STEP', level: 3 } });
    expect(await world.levelOf(sale)).toBe(3);
    const preview = await world.db.read(ORG, (tx) =>
      world.locking.previewLock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }),
    );
    expect(preview).toMatchObject({ allowed: true, rule: 'LEVEL_KEPT' });
  });

  it('under rbi-2026 restricts nothing before day 90', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell({ policy: POLICY_PRESETS['rbi-2026'] });
    for (const day of ['2026-05-08', '2026-05-09', '2026-05-31', '2026-06-07']) {
      await world.day(day);
      expect(await world.levelOf(sale)).toBeLessThan(3);
    }
    await world.day('2026-06-08');
    expect(await world.levelOf(sale)).toBe(3);
  });
});

describe('freeing', () => {
  it('by a person is never refused, and the ladder rests to the end of the next day', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await toLevelThree(sale);
    const done = await unlock(sale);
    expect(done).toMatchObject({ state: 'QUEUED', verdict: { rule: 'UNLOCK_ALWAYS' } });
    expect(await world.levelOf(sale)).toBe(0);
    await world.locking.runLadder(world.db, ORG);
    await world.day('2026-03-14');
    expect(await world.levelOf(sale)).toBe(0);
    expect(await refusalOf(sale)).toBe('HOLD_ACTIVE');
    await world.day('2026-03-15');
    expect(await world.levelOf(sale)).toBe(1);
  });

  it('of a debt leaves a theft lock alone, and the other way round', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await toLevelThree(sale);
    expect(await lock(sale, 'THEFT_REPORTED')).toMatchObject({ refused: { rule: 'THEFT_NOT_REPORTED' } });
    const owner = customerOf(world, sale);
    await world.inOrg((tx) => world.locking.requestLock(tx, owner, sale.customerId, { reason: 'THEFT_REPORTED' }));
    const causes = () =>
      world.db.asOwner(`select cause, level from locks where device_id = $1 order by cause`, [sale.deviceId]);
    expect(await causes()).toEqual([
      { cause: 'debt', level: 3 },
      { cause: 'theft', level: 4 },
    ]);
    const [shown] = await world.db.asOwner<{
      lock: { cause: string; screen: { amount_paise: number; upi_uri: string | null } };
    }>(`select document -> 'lock' as lock from device_desired where device_id = $1`, [sale.deviceId]);
    expect(shown!.lock).toMatchObject({ cause: 'theft', screen: { amount_paise: 0, upi_uri: null } });
    const receipt = await world.pay(sale, 1);
    expect(receipt.unlock).not.toBeNull();
    expect(await causes()).toEqual([
      { cause: 'debt', level: 0 },
      { cause: 'theft', level: 4 },
    ]);
    expect(await world.levelOf(sale)).toBe(4);
    await unlock(sale, 'EMI_OVERDUE');
    expect(await world.levelOf(sale)).toBe(4);
    await expect(unlock(sale, 'THEFT_REPORTED')).rejects.toThrow('FEATURE_NOT_ALLOWED');
    expect(await world.levelOf(sale)).toBe(4);
    await world.inOrg((tx) => world.locking.withdrawLost(tx, owner, { customerId: sale.customerId, kind: 'theft' }));
    expect(await world.levelOf(sale)).toBe(0);
    expect(await lock(sale, 'THEFT_REPORTED')).toMatchObject({ refused: { rule: 'THEFT_NOT_REPORTED' } });
  });

  it('ends the test after enrolment by itself', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    expect(await lock(sale, 'ENROLMENT_TEST')).toMatchObject({ verdict: { rule: 'TEST_WINDOW' } });
    expect(await world.levelOf(sale)).toBe(4);
    // The ladder looks every five minutes; a test is over when it would be before the next look, so 15 minutes are never more.
    await world.at('2026-03-05T12:09:00');
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(4);
    await world.at('2026-03-05T12:10:05');
    await world.locking.runLadder(world.db, ORG);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await lock(sale, 'ENROLMENT_TEST')).toMatchObject({ refused: { rule: 'TEST_USED' } });
  });
});

describe('the line of a lock', () => {
  it('tells what was said, decided and paid, what comes next and what opens the phone', async () => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11');
    const timeline = () => world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id));
    expect(await timeline()).toMatchObject({
      level: 1,
      policy: 'dealer',
      days_past_due: 1,
      pay_to_open_paise: 2_674_00,
      next: { level: 2, at: '2026-03-12T04:30:00.000Z', rule: 'BELOW_DPD' },
      cure: null,
      owed_paise: 0,
    });
    await world.day('2026-03-12');
    await world.day('2026-03-13');
    await world.obey(sale);
    await world.at('2026-03-13T14:00:00');
    await world.pay(sale, 1);
    await world.at('2026-03-13T14:20:00');
    await world.obey(sale);
    const told = (await timeline())!;
    expect(told.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['notice_delivered', 'level', 'locked_delivered', 'cured', 'freed', 'unlock_confirmed']),
    );
    expect(told).toMatchObject({ level: 0, days_past_due: 0, pay_to_open_paise: 0 });
    expect(told.cure).toMatchObject({ compensation_paise: 0 });
    expect(told.cure!.confirmed_at).not.toBeNull();
  });
});

it('and after all of this nothing is that must never be', async () => {
  expect(await world.violations()).toEqual([]);
});
