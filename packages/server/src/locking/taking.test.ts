import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SwitchCommand } from '@kist/contract/commands';
import { LOCK_REASONS, POLICY_PRESETS, type LockReason } from '@kist/contract/lock-policy';
import { moveAgreement } from '#test/factories.ts';
import { answeredLongAgo } from '#test/dispute-times.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { unlockFleet } from './fleet.ts';
import { runLadder } from './ladder.ts';
import { recordReport } from './manual.ts';

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

const { dealer } = POLICY_PRESETS;
const withCamera = { ...dealer, cameraLockAllowed: true };
const TAKING = ['set_wallpaper', 'app_lock', 'camera_lock'] as const satisfies SwitchCommand[];

const order = (sale: Sale, type: SwitchCommand, reason: LockReason = 'EMI_OVERDUE', value?: string) =>
  world.inOrg((tx) =>
    world.locking.requestSwitch(tx, world.shop, { customerId: sale.customerId, type, reason, value }),
  );
async function asked(sale: Sale, type: SwitchCommand, reason?: LockReason): Promise<string> {
  const outcome = await order(sale, type, reason);
  return 'refused' in outcome ? outcome.refused.rule : 'taken';
}
async function desired({ deviceId }: Sale) {
  const [row] = await world.db.asOwner<{
    toggles: Record<string, boolean>;
    text: string | null;
    revision: number;
    level: number;
  }>(
    `select document -> 'toggles' as toggles, document ->> 'wallpaper_text' as text, revision::int, lock_level as level from device_desired where device_id = $1`,
    [deviceId],
  );
  const { toggles, ...rest } = row!;
  return {
    ...rest,
    on: Object.keys(toggles)
      .filter((name) => toggles[name])
      .toSorted(),
  };
}
const on = async (sale: Sale) => (await desired(sale)).on;
const ordersOf = ({ deviceId }: Sale) =>
  world.db.asOwner<{ type: string; state: string }>(
    `select type, state from commands where device_id = $1 and type not in ('message', 'lock', 'unlock') order by seq`,
    [deviceId],
  );
/** Noon of each of these days, from 11 March: days past due 1, 2, 3… */
async function late(days: number, from = 1): Promise<void> {
  for (let day = from; day <= days; day += 1) await world.day(`2026-03-${10 + day}`);
}
/** Three days late, apps paused and wallpaper set. */
async function held(): Promise<Sale> {
  const sale = await world.sell();
  await late(3);
  expect([await asked(sale, 'app_lock'), await asked(sale, 'set_wallpaper')]).toEqual(['taken', 'taken']);
  expect(await on(sale)).toEqual(['app_lock', 'wallpaper']);
  return sale;
}
/** The tests' clock goes back and forth, so each looks at its own phone. */
const nothingWrong = async ({ deviceId }: Sale) =>
  expect((await world.violations()).filter(({ id }) => id === deviceId)).toEqual([]);

describe('nothing is taken from who owes nothing', () => {
  it.each(TAKING)('%s is refused with the rule, the refusal and its facts on record', async (type) => {
    const sale = await world.sell();
    const outcome = await order(sale, type);
    expect(outcome).toMatchObject({ refused: { allowed: false } });
    expect(await desired(sale)).toMatchObject({ on: [], revision: 1, text: null });
    const kept = await world.db.asOwner(
      `select c.type, c.state, v.allowed, v.revision, v.facts -> 'request' ->> 'taking' is not null as knows
       from commands c join verdicts v using (org_id, command_id) where c.device_id = $1`,
      [sale.deviceId],
    );
    expect(kept).toEqual([{ type, state: 'REFUSED', allowed: false, revision: null, knows: true }]);
  });

  it.each(Object.keys(LOCK_REASONS) as LockReason[])('for no reason that can be named (%s)', async (reason) => {
    const sale = await world.sell({ policy: withCamera });
    await world.at('2026-03-07T12:00:00');
    for (const type of TAKING) expect(await asked(sale, type, reason)).not.toBe('taken');
    expect(await on(sale)).toEqual([]);
  });

  it('and the refusal of a debtor names the first moment it would hold', async () => {
    const sale = await world.sell();
    await late(2);
    const outcome = await order(sale, 'app_lock');
    expect(outcome).toMatchObject({
      refused: { rule: 'BELOW_DPD', next: { level: 3, at: '2026-03-12T18:30:00.000Z' }, requested_level: 3 },
    });
  });
});

describe('asked about beforehand', () => {
  const preview = (sale: Sale, type: (typeof TAKING)[number]) =>
    world.inOrg((tx) =>
      world.locking.previewSwitch(tx, world.shop, { customerId: sale.customerId, type, reason: 'EMI_OVERDUE' }),
    );

  it.each(TAKING)('%s has the very word that the order gets, and leaves no trace', async (type) => {
    const sale = await world.sell();
    const never = type === 'camera_lock' ? 'RESTRICTION_NOT_IN_POLICY' : undefined;
    expect(await preview(sale, type)).toMatchObject({ allowed: false, rule: never ?? 'NOT_OVERDUE' });
    await late(3);
    expect(await preview(sale, type)).toMatchObject({ allowed: never === undefined });
    expect((await ordersOf(sale)).filter((one) => one.type === type)).toEqual([]);
    expect(await on(sale)).toEqual([]);
    expect(await asked(sale, type)).toBe(never ?? 'taken');
  });
});

describe('what a debt may take, from which level on', () => {
  it('dealer: wallpaper from 1, apps from 3, the camera not by default', async () => {
    const sale = await world.sell();
    await late(1);
    expect(await asked(sale, 'set_wallpaper')).toBe('taken');
    expect(await asked(sale, 'app_lock')).toBe('BELOW_DPD');
    await late(3, 2);
    expect(await asked(sale, 'app_lock')).toBe('taken');
    await late(8, 4);
    expect(await asked(sale, 'camera_lock')).toBe('RESTRICTION_NOT_IN_POLICY');
    await nothingWrong(sale);
  });

  it('dealer that says so: the camera at 4', async () => {
    const sale = await world.sell({ policy: withCamera });
    await late(3);
    expect(await asked(sale, 'camera_lock')).toBe('BELOW_DPD');
    await late(7, 4);
    expect(await asked(sale, 'camera_lock')).toBe('taken');
    await nothingWrong(sale);
  });

  it('rbi-2026: wallpaper not before level 2, the camera never', async () => {
    const sale = await world.sell({ policy: POLICY_PRESETS['rbi-2026'] });
    await world.day('2026-05-09');
    await world.day('2026-05-10');
    expect(await world.levelOf(sale)).toBe(1);
    expect(await asked(sale, 'set_wallpaper')).toBe('BELOW_DPD');
    await world.day('2026-05-31');
    expect(await world.levelOf(sale)).toBe(2);
    expect(await asked(sale, 'set_wallpaper')).toBe('taken');
    expect(await asked(sale, 'camera_lock')).toBe('RESTRICTION_NOT_IN_POLICY');
  });

  it('nothing in a dispute, a hold or without consent; what was taken before stays', async () => {
    const sale = await world.sell();
    await late(3);
    expect(await asked(sale, 'set_wallpaper')).toBe('taken');
    const { dispute_id: disputeId } = await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid' }),
    );
    expect(await asked(sale, 'app_lock')).toBe('DISPUTE_OPEN');
    expect(await on(sale)).toEqual(['wallpaper']);
    await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId, outcome: 'not paid' }));
    await world.inOrg((tx) =>
      world.locking.hold(tx, world.shop, {
        customerId: sale.customerId,
        kind: 'medical',
        untilOn: '2026-03-20' as never,
        note: '',
      }),
    );
    expect(await asked(sale, 'app_lock')).toBe('DISPUTE_ANSWERED');
    await answeredLongAgo(world, disputeId);
    expect(await asked(sale, 'app_lock')).toBe('HOLD_ACTIVE');
    const silent = await world.sell({ hasConsent: false });
    expect(await asked(silent, 'set_wallpaper')).toBe('CONSENT_MISSING');
  });
});

describe('apps paused for a debt: the gate and section 6 both say yes', () => {
  it('from the first day of level 3 until the phone reports it, or where the organisation’s own list names it', async () => {
    const sale = await world.sell();
    await late(2);
    await world.obey(sale);
    expect(await asked(sale, 'app_lock')).toBe('BELOW_DPD');
    await world.at('2026-03-13T08:00:00');
    expect([await world.levelOf(sale), await asked(sale, 'app_lock')]).toEqual([2, 'taken']);
    await late(3, 3);
    expect([await world.levelOf(sale), await on(sale)]).toEqual([3, ['app_lock']]);
    await world.obey(sale);
    // The level itself pauses them now; section 6 offers a locked phone's switches to nobody.
    const refusal = {
      code: 'FEATURE_NOT_OFFERED',
      options: { details: { feature: 'app_lock', lock_state: 'locked' } },
    };
    await expect(order(sale, 'app_lock')).rejects.toMatchObject(refusal);
    await world.db.asOwner(
      `update organisations set allowed_features = '{"DPC": ["lock", "app_lock"]}' where org_id = $1`,
      [ORG],
    );
    expect(await asked(sale, 'app_lock')).toBe('taken');
    await world.db.asOwner(`update organisations set allowed_features = '{}' where org_id = $1`, [ORG]);
    await world.pay(sale, 1);
    expect(await on(sale)).toEqual([]);
    await nothingWrong(sale);
  });
});

describe('what was taken goes back with its cause, in the same transaction', () => {
  it('when the dues are paid, though the phone is on no level at all', async () => {
    const sale = await world.sell();
    await world.at('2026-03-11T08:00:00');
    expect(await world.levelOf(sale)).toBe(0);
    expect(await asked(sale, 'set_wallpaper')).toBe('taken');
    await world.pay(sale, 1);
    expect(await desired(sale)).toMatchObject({ on: [], text: null });
    expect(await ordersOf(sale)).toEqual([
      { type: 'set_wallpaper', state: 'SUPERSEDED' },
      { type: 'remove_wallpaper', state: 'QUEUED' },
    ]);
    const [cure] = await world.db.asOwner('select 1 from cures where device_id = $1', [sale.deviceId]);
    expect(cure).toBeDefined();
    await nothingWrong(sale);
  });

  it('when the dues are paid, and a payment taken back restores nothing by itself', async () => {
    const sale = await held();
    const { payment_id: paymentId } = await world.pay(sale, 1);
    expect(await on(sale)).toEqual([]);
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, paymentId, 'bounced'));
    expect(await on(sale)).toEqual([]);
    await world.day('2026-03-14');
    expect(await on(sale)).toEqual([]);
    await nothingWrong(sale);
  });

  it('when a person unlocks, and the phone is not taken from again while its ladder rests', async () => {
    const sale = await held();
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    expect(await on(sale)).toEqual([]);
    expect(await asked(sale, 'set_wallpaper')).toBe('HOLD_ACTIVE');
    await nothingWrong(sale);
  });

  it('when many are unlocked at once', async () => {
    const sale = await held();
    await world.inOrg((tx) =>
      world.locking.bulk(tx, world.shop, {
        command: 'unlock',
        reason: 'EMI_OVERDUE',
        customer_ids: [sale.customerId],
        dry_run: false,
      }),
    );
    expect(await on(sale)).toEqual([]);
  });

  it('when the fleet is unlocked, also where nothing but a wallpaper is held', async () => {
    const sale = await held();
    const bare = await world.sell({ consentedOn: '2026-02-10' });
    expect(await world.levelOf(bare)).toBe(0);
    expect(await asked(bare, 'set_wallpaper')).toBe('taken');
    await world.inOrg((tx) => unlockFleet(tx, world));
    expect([await on(sale), await on(bare)]).toEqual([[], []]);
    await nothingWrong(sale);
  });

  it('when the agreement is cancelled, on whatever level the phone is', async () => {
    const sale = await held();
    const bare = await world.sell({ consentedOn: '2026-02-10' });
    expect(await asked(bare, 'set_wallpaper')).toBe('taken');
    for (const { agreement } of [sale, bare]) await moveAgreement(world.db, agreement.agreement_id, 'cancelled');
    await world.locking.runLadder(world.db, ORG);
    for (const one of [sale, bare]) {
      expect(await on(one)).toEqual([]);
      await nothingWrong(one);
    }
  });

  it('when everything is paid and the phone let go', async () => {
    const sale = await held();
    for (const no of [1, 2, 3, 4, 5, 6]) await world.pay(sale, no);
    const [row] = await world.db.asOwner<{ document: { released: boolean } }>(
      'select document from device_desired where device_id = $1',
      [sale.deviceId],
    );
    expect(row!.document.released).toBe(true);
    expect(await on(sale)).toEqual([]);
    const [left] = await world.db.asOwner('select 1 from restrictions where device_id = $1 and given_back_at is null', [
      sale.deviceId,
    ]);
    expect(left).toBeUndefined();
    await nothingWrong(sale);
  });

  it('when a payment leaves a debt that carries less: apps back, the wallpaper stays with the sum of now', async () => {
    const sale = await world.sell();
    await late(3);
    for (let day = 14; day <= 31; day += 1) await world.at(`2026-03-${day}T12:30:00`);
    await world.day('2026-04-11');
    expect([await asked(sale, 'app_lock'), await asked(sale, 'set_wallpaper')]).toEqual(['taken', 'taken']);
    const { text } = await desired(sale);
    await world.pay(sale, 1);
    const now = await desired(sale);
    expect(now).toMatchObject({ on: ['wallpaper'], level: 1 });
    expect([text, now.text]).toEqual([expect.stringContaining('5,348'), expect.stringContaining('2,674')]);
    await nothingWrong(sale);
  });

  it('when a person gives it back, whoever took it; that is never refused', async () => {
    const sale = await held();
    expect(await asked(sale, 'app_unlock', 'CUSTOMER_REQUEST')).toBe('taken');
    expect(await on(sale)).toEqual(['wallpaper']);
    await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid' }),
    );
    expect(await asked(sale, 'remove_wallpaper', 'EMI_OVERDUE')).toBe('taken');
    expect(await desired(sale)).toMatchObject({ on: [], text: null, level: 3 });
    await nothingWrong(sale);
  });
});

describe('for its owner’s sake', () => {
  it('a stolen phone gives up its camera on the owner’s word; money neither takes that nor gives it back', async () => {
    const sale = await world.sell();
    expect(await asked(sale, 'camera_lock', 'THEFT_REPORTED')).toBe('THEFT_NOT_REPORTED');
    const owner = customerOf(world, sale);
    await world.inOrg((tx) => recordReport(tx, owner, sale.customerId, { kind: 'theft', note: 'taken on the bus' }));
    expect(await asked(sale, 'camera_lock', 'THEFT_REPORTED')).toBe('taken');
    await late(3);
    expect(await asked(sale, 'app_lock')).toBe('taken');
    await world.pay(sale, 1);
    expect(await on(sale)).toEqual(['camera_lock']);
    // The shop's right to switch it is none to give back what the theft took.
    await expect(asked(sale, 'camera_unlock', 'EMI_OVERDUE')).rejects.toThrow('FEATURE_NOT_ALLOWED');
    await world.inOrg((tx) => world.locking.withdrawLost(tx, owner, { customerId: sale.customerId, kind: 'theft' }));
    expect(await on(sale)).toEqual([]);
    await nothingWrong(sale);
  });
});

describe('the words on the phone', () => {
  it('are the template’s, in the customer’s language, with sum and date; a shop has none of its own', async () => {
    const sale = await world.sell({ language: 'hn' });
    await late(1);
    await expect(order(sale, 'set_wallpaper', 'EMI_OVERDUE', 'Shame on this family')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      options: { fields: [{ path: 'value', key: 'field.own_words' }] },
    });
    expect(await asked(sale, 'set_wallpaper')).toBe('taken');
    const { text } = await desired(sale);
    expect(text).toMatch(/[\u0900-\u097f]/);
    expect(text).toContain('2,674');
    expect(text).toContain('10-03-2026');
  });
});

describe('the nightly check sees', () => {
  const planted = async (text: string, sale: Sale) => {
    await world.db.plant(['agreements', 'instalments'], text, [sale.deviceId]);
    const found = await world.violations();
    return found.filter(({ id }) => id === sale.deviceId).map(({ invariant }) => invariant);
  };

  it.each(['camera_lock', 'app_lock', 'wallpaper'])('a %s that no verdict allowed', async (name) => {
    const sale = await world.sell();
    expect(
      await planted(
        `update device_desired set revision = revision + 1, document = jsonb_set(document, '{toggles,${name}}', 'true') where device_id = $1`,
        sale,
      ),
    ).toEqual(['I4']);
    await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
    await nothingWrong(sale);
  });

  it('one that outlived its debt', async () => {
    const sale = await held();
    expect(
      await planted(
        `update instalments set paid_principal_paise = principal_paise, paid_interest_paise = interest_paise, paid_on = due_on
         where no = 1 and agreement_id = (select agreement_id from agreements where device_id = $1)`,
        sale,
      ),
    ).not.toContain('I5');
    expect(await planted(`update agreements set oldest_due_on = '2026-04-10' where device_id = $1`, sale)).toContain(
      'I5',
    );
    await runLadder(world.db, world as never, ORG);
    expect(await on(sale)).toEqual([]);
  });
});
