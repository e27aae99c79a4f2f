import { beforeAll, describe, expect, test } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { checkWhole } from '#server/ledger/ledger.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { LIES } from './book-lies.ts';
import { GUARDED, MAY_CHANGE } from './books.ts';
import { KEY_LIES } from './key-lies.ts';
import { MONEY_LIES, TRUE_CLAIM } from './money-lies.ts';
import { makeBuyer, makePenalRule } from './factories.ts';
import { ORG, useWholeShops } from './whole-shop.ts';

const world = useWholeShops();
beforeAll(async () => {
  await audit.closeDay(world.db, ORG);
  await audit.checkRooted(world.db, ORG);
  await checkWhole(world.db, ORG);
  await makePenalRule(world.db, ORG);
  await world.db.plant(
    ['phone_exchanges'],
    `insert into phone_exchanges (org_id, agreement_id, no, from_device_id, to_device_id, was_set_up, reason, made_by, made_at)
     select a.org_id, a.agreement_id, 1, a.device_id, d.device_id, true, 'display broken', a.owner_user_id, kist_now()
     from agreements a join devices d on d.org_id = a.org_id and d.device_id <> a.device_id where a.org_id = ${ORG} limit 1`,
  );
  for (const { customerId } of await world.db.asOwner<{ customerId: string }>(
    `select customer_id as "customerId" from agreements where org_id = ${ORG}`,
  ))
    await makeBuyer(world.db, world.own.actor, customerId);
  const toMini = { to_user_id: world.mini.actor.userId, plan_type: 0, keys: 1 };
  await world.db.transaction(ORG, (tx) => wallet.transferKeys(tx, world.own.actor, toMini));
});

/** The least each has to hold for the refusals to mean anything; charges and consents are made here when the shops have none. */
const ASKERS = ['the server', 'the owner of the tables'] as const;

async function refused(asker: (typeof ASKERS)[number], sql: string): Promise<string> {
  try {
    if (asker === 'the owner of the tables') await world.db.asOwner(sql);
    else await world.db.transaction(ORG, (tx) => tx.query(sql));
    return 'done';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return ['42501', '23001', '23514', '23502'].includes(code ?? '') ? 'refused' : message;
  }
}

const OTHER: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `coalesce(%, '') || 'x'`,
  integer: 'coalesce(%, 0) + 1',
  smallint: 'coalesce(%, 0::smallint) + 1::smallint',
  bigint: 'coalesce(%, 0) + 1',
  date: `coalesce(%, '2026-01-01') + 1`,
  'timestamp with time zone': `coalesce(%, now()) + interval '1 day'`,
  jsonb: `'{"another": 1}'::jsonb`,
  bytea: String.raw`'\x00'::bytea`,
  boolean: 'not %',
  xid8: `'1'::xid8`,
};

describe.each(GUARDED)('%s', (table) => {
  test.each(ASKERS)('are neither deleted nor emptied by %s', async (asker) => {
    const [{ n }] = (await world.db.asOwner<{ n: number }>(`select count(*)::int as n from ${table}`)) as [
      { n: number },
    ];
    if (!['charges', 'consents', 'refund_tasks', 'schedule_versions', 'waivers'].includes(table))
      expect(n).toBeGreaterThan(0);
    if (n > 0) expect(await refused(asker, `delete from ${table}`)).toBe('refused');
    expect(await refused(asker, `truncate ${table} cascade`)).toBe('refused');
  });

  test.each(ASKERS)('change in no column that is a fact, whatever %s asks', async (asker) => {
    const columns = await world.db.asOwner<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const [{ n }] = (await world.db.asOwner<{ n: number }>(`select count(*)::int as n from ${table}`)) as [
      { n: number },
    ];
    if (n === 0) return;
    const outcomes: Record<string, string> = {};
    for (const { name, type } of columns) {
      if (MAY_CHANGE[table]!.includes(name)) continue;
      const value = OTHER[type];
      if (!value) throw new Error(`no other value for ${type}`);
      outcomes[name] = await refused(asker, `update ${table} set ${name} = ${value.replace('%', name)}`);
    }
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((name) => [name, 'refused'])));
  });
});

describe.each(ASKERS)('%s cannot make the books lie', (asker) => {
  test.each([...LIES, ...KEY_LIES, ...MONEY_LIES])('%s', async (what, sql) => {
    if (what.includes('delivery'))
      await world.db.asOwner(
        `update notices set delivered_at = now(), proof = '{"by": "gateway"}' where delivered_at is null`,
      );
    if (what.includes('comes back'))
      await world.db.plant(
        ['agreements'],
        `update agreements set state = 'completed' where agreement_id = (select min(agreement_id::text)::uuid from agreements)`,
      );
    expect(await refused(asker, sql())).toBe('refused');
  });
});

test('a claim of the customer itself is taken: what is refused of the others is the lie in it', async () => {
  expect(await refused('the server', TRUE_CLAIM)).toBe('done');
  const [{ n }] = (await world.db.asOwner<{ n: number }>(
    `select count(*)::int as n from payments where org_id = ${ORG} and state = 'claimed' and recorded_at > kist_now() - interval '1 minute'`,
  )) as [{ n: number }];
  expect(n).toBe(1);
});

test('the server neither moves the clock nor names an organisation', async () => {
  expect(await refused('the server', `update clock_offset set shift = interval '1 day'`)).toBe('refused');
  expect(await refused('the server', `update org_directory set name = 'mine'`)).toBe('refused');
});

test('the guards are always on: no session can put them aside by calling itself a replica', async () => {
  const off = await world.db.asOwner<{ name: string }>(
    `select tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgenabled <> 'A' and c.relname = any($1)`,
    [GUARDED],
  );
  expect(off).toEqual([]);
});
