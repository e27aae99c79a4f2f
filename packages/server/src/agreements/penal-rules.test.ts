import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { bps } from '@kist/contract/money';
import { penalRuleOf, penalVerbs } from '#server/cli/penal.ts';
import { read } from '#server/cli/verbs.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import * as agreements from './agreements.ts';

const [ORG, OTHER] = [20, 21];
const db = await createTestDatabase();
let shop: Actor;

beforeAll(async () => {
  for (const orgId of [ORG, OTHER]) await makeOrganisation(db, orgId);
  shop = await makeRetailer(db, ORG);
});
beforeEach(() => setClock(db, '2026-03-10T11:00:00'));

const sell = (policy = POLICY_PRESETS.dealer) => db.transaction(ORG, (tx) => makeSale(tx, shop, { policy }));
const penalOf = async (agreement_id: string) =>
  (await db.read(ORG, (tx) => agreements.account(tx, { agreement_id }))).agreement.penal;

describe('the penal rule', () => {
  test('is stamped at signing and stays, whatever the organisation decides later', async () => {
    const before = await sell();
    await makePenalRule(db, ORG);
    const { agreement } = await sell();
    const stamp = { version: 1, charge_paise: 100_00, grace_days: 3, every_days: 30, cap_bps: 500, is_daily: true };
    expect([before.agreement.penal, agreement.penal]).toEqual([null, stamp]);
    await makePenalRule(db, ORG, { charge_paise: 50_00, grace_days: 7, is_daily: false, cap_bps: 100 });
    expect(await penalOf(agreement.agreement_id)).toEqual(stamp);
    const later = { version: 2, charge_paise: 50_00, grace_days: 7, every_days: 30, cap_bps: 100, is_daily: false };
    expect((await sell()).agreement.penal).toEqual(later);
    await makePenalRule(db, ORG, { charge_paise: 0 });
    expect((await sell()).agreement.penal).toBeNull();
  });

  test('never goes beyond the cap of the lock policy under which the phone is sold', async () => {
    await makePenalRule(db, ORG, { cap_bps: 10_000 });
    expect((await sell(POLICY_PRESETS['rbi-2026'])).agreement.penal?.cap_bps).toBe(bps(200));
  });

  test('keeps its versions, each with who set it and why, and its own organisation’s audit knows', async () => {
    const [last, ...before] = await db.read(ORG, agreements.penalRules);
    expect(last!.version).toBe(before.length + 1);
    expect(before.every(({ set_by, reason }) => set_by === 'R. Shah' && reason === 'told before signing')).toBe(true);
    expect(await db.read(OTHER, agreements.penalRules)).toEqual([]);
    const [line] = await db.asOwner<{ data: object }>(
      `select data from audit_lines where org_id = ${ORG} and action = 'penal_rule_set' order by seq limit 1`,
    );
    expect(line!.data).toMatchObject({ version: 1, charge_paise: 100_00, grace_days: 3, cap_bps: 10_000 });
  });

  test.each([
    [`update penal_rules set charge_paise = 1`],
    [`delete from penal_rules`],
    [`truncate penal_rules`],
    [
      `insert into penal_rules select org_id, 99, charge_paise, grace_days, every_days, cap_bps, is_daily, waiver_limit_paise, set_at, set_by, reason from penal_rules limit 1`,
    ],
    [
      `update agreements set penal = '{"version": 1, "charge_paise": 9900, "grace_days": 0, "every_days": 1, "cap_bps": 10000, "is_daily": true}'`,
    ],
  ])('the database refuses: %s', async (sql) => {
    await expect(db.asOwner(sql)).rejects.toMatchObject({ code: '23001' });
    await expect(db.transaction(ORG, (tx) => tx.query(sql))).rejects.toMatchObject({
      code: expect.stringMatching(/^(23001|42501)$/),
    });
  });

  test('is refused beyond its bounds', async () => {
    for (const wrong of [{ charge_paise: -1 }, { every_days: 0 }, { cap_bps: 10_001 }, { set_by: ' ' }, { reason: '' }])
      await expect(makePenalRule(db, ORG, wrong)).rejects.toMatchObject({ name: 'ZodError' });
  });
});

describe('kist penal set', () => {
  const args = (more: Readonly<Record<string, string | undefined>> = {}) =>
    Object.entries({
      charge: '99.5',
      grace: '3',
      every: '30',
      cap: '2.5',
      'waiver-limit': '500',
      by: 'R. Shah',
      reason: 'festival',
      ...more,
    }).flatMap(([name, value]) => [`--${name}`, value ?? '']);
  const ruleOf = (typed: readonly string[]) => {
    const asked = read('penal', penalVerbs, ['set', '20', ...typed]);
    if (typeof asked === 'string') throw new Error(asked);
    return penalRuleOf(asked.given);
  };
  test('reads rupees and per cent as people write them, exactly', () => {
    expect(ruleOf(args())).toEqual({
      charge_paise: 99_50,
      grace_days: 3,
      every_days: 30,
      cap_bps: 250,
      is_daily: true,
      waiver_limit_paise: 500_00,
      set_by: 'R. Shah',
      reason: 'festival',
    });
    expect(ruleOf([...args(), '--by-hand']).is_daily).toBe(false);
  });
  test.each([{ charge: '1e3' }, { charge: '9.999' }, { grace: 'three' }, { cap: '-1' }, { by: ' ' }, { reason: '' }])(
    'takes no %o',
    (wrong) => expect(() => ruleOf(args(wrong))).toThrow(/--/),
  );
});
