import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import { newId } from '#server/platform/ids.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { heldByOverrideAlone } from '#test/override-alone.ts';
import { violations } from './invariants.ts';

let world: LockWorld;
let client: pg.Client;
/** Locked by two people, locked by its ladder with a step to come, and paid under its lock without having said that it is free. */
let ofTwo: Sale;
let late: Sale;
let cured: Sale;

beforeAll(async () => {
  world = await createLockWorld();
  client = new pg.Client(world.db.owner);
  await client.connect();
  await world.at('2026-03-05T12:00:00');
  [late, cured] = [
    await world.sell({ policy: POLICY_PRESETS.dealer }),
    await world.sell({ policy: POLICY_PRESETS.dealer }),
  ];
  ofTwo = await heldByOverrideAlone(world);
  for (const sale of [late, cured]) await world.obey(sale);
  await world.at('2026-03-13T16:00:00');
  await world.pay(cured, 1);
});
afterAll(async () => {
  await client.end();
  await world.close();
});

/** What the checks say while it stands there; afterwards it never was. */
async function whilePlanted(tables: readonly string[], text: string, values: readonly unknown[]) {
  await client.query('begin');
  try {
    await client.query(`select set_config('kist.org_id', $1, true)`, [String(ORG)]);
    await putGuardsAside(client, tables);
    expect((await client.query(text, [...values])).rowCount).toBeGreaterThan(0);
    return (await violations(client)).map(({ invariant, detail }) => `${invariant} ${detail}`);
  } finally {
    await client.query('rollback');
  }
}

describe('what the account that serves could write, or a forgotten line of code leave', () => {
  it('is not there in a world where all of it came about as it should', async () => {
    expect(await world.levelOf(late)).toBe(3);
    expect((await world.leaseOf(late)).ladder).toMatchObject([{ level: 4 }]);
    expect(await world.db.asOwner('select confirmed_at from cures where device_id = $1', [cured.deviceId])).toEqual([
      { confirmed_at: null },
    ]);
    expect(await world.violations()).toEqual([]);
  });

  it('is seen: an override whose ask is gone, or was answered by a no', async () => {
    const gone = 'delete from override_asks where device_id = $1';
    const refused = `update override_asks set state = 'refused' where device_id = $1`;
    for (const text of [gone, refused]) {
      const found = await whilePlanted(['override_asks'], text, [ofTwo.deviceId]);
      expect(found).toContain('I4 override at level 3, agreed to by nobody');
    }
  });

  it.each([
    ['a hold whose lease was not renewed', `kist_today() + 20`, null, 1],
    ['one that ends on the day of the step', `date '2026-03-17'`, null, 1],
    ['one that ends before the step', `date '2026-03-16'`, null, 0],
    ['one that was lifted', `kist_today() + 20`, 'kist_now()', 0],
  ])('is seen: a step of a lease inside a hold: %s', async (_what, until, lifted, n) => {
    const found = await whilePlanted(
      ['holds'],
      `insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at, lifted_at, lifted_by)
       values (${ORG}, $1, $2, 'manual', ${until}, '', $3, kist_now(), ${lifted}, ${lifted ? '$3' : null})`,
      [newId(), late.agreement.agreement_id, world.shop.userId],
    );
    expect(found.filter((one) => /^I5 a lease with a step to level 4 at .*, held until/.test(one))).toHaveLength(n);
  });

  it('is seen: a lock that nobody found wrong', async () => {
    const text = `update cures set held_since = cured_at - interval '90 days' where device_id = $1`;
    expect(await whilePlanted([], text, [cured.deviceId])).toEqual(['I8 lock found wrong without a line']);
  });

  it.each(['cured_at', `cured_at + interval '20 minutes'`, 'kist_now()'])(
    'is seen: a clock that stands still at %s, of a phone that has not said that it is free',
    async (at) => {
      const text = `update cures set confirmed_at = ${at} where device_id = $1`;
      expect(await whilePlanted([], text, [cured.deviceId])).toEqual(['I8 free by nobody’s word']);
    },
  );

  it('is not seen: the same clock once the phone has said so, by its report or by its order', async () => {
    const stop = 'with stopped as (update cures set confirmed_at = kist_now() where device_id = $1)';
    for (const says of [
      `update device_reports r set revision = w.revision, lock_level = w.lock_level from device_desired w where r.device_id = $1 and w.device_id = $1`,
      `update commands set applied_at = kist_now() where device_id = $1 and type = 'unlock'`,
    ])
      expect(await whilePlanted([], `${stop} ${says}`, [cured.deviceId])).toEqual([]);
  });

  it('is seen: a phone’s word that no payment answered, or one that has answered another', async () => {
    const say = ({ agreement: { agreement_id }, customerId }: Sale) =>
      world.inOrg(async (tx) => {
        const claim_id = newId();
        await tx.query(
          `insert into phone_claims (org_id, claim_id, agreement_id, customer_id, said_at) values (kist_org(), $1, $2, $3, kist_now())`,
          [claim_id, agreement_id, customerId],
        );
        await tx.query(`update phone_claims set state = 'paid', ended_at = kist_now() where claim_id = $1`, [claim_id]);
        const line = { kind: 'agreement', id: agreement_id, actor: world.shop, data: { claim_id } } as const;
        await audit.append(tx, { ...line, action: 'phone_claim_said' });
      });
    await say(cured);
    expect(await world.violations()).toEqual([]);
    const none = { invariant: 'I8', detail: 'word of a payment, paid by none' };
    // Of this one nothing is paid but what was paid down.
    await say(late);
    expect(await world.violations()).toMatchObject([none]);
    await say(cured);
    expect(await world.violations()).toMatchObject([none, none]);
    await world.db.plant(['phone_claims'], 'delete from phone_claims');
  });
});
