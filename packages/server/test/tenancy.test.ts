import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';

const database = await createTestDatabase();

/** Tables without an organisation: no people, no money, no phones in them. Adding one here is a decision for review. */
const globalTables = [
  'allowed_moves',
  'clock_offset',
  'customer_allowed_moves',
  'dispute_allowed_moves',
  'installation',
  'org_directory',
  'rate_limits',
  'schema_migrations',
  'secret_marks',
  'seen_requests',
  'timer_runs',
];

interface TenantTable {
  name: string;
  enabled: boolean;
  forced: boolean;
  firstKey: string | null;
  nullable: boolean;
  policies: { roles: string[]; using: string | null; check: string | null; command: string }[];
}

/** Restrictive policies are left out: they only take away from what these let through. */
const tables = await database.asOwner<TenantTable>(
  `
  select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, not o.attnotnull as nullable,
    (select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = c.oid and i.indisprimary) as "firstKey",
    coalesce((select json_agg(json_build_object('roles', p.roles, 'using', p.qual, 'check', p.with_check, 'command', p.cmd))
     from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname and p.permissive = 'PERMISSIVE' and p.policyname <> 'test_owner'), '[]') as policies
  from pg_class c join pg_attribute o on o.attrelid = c.oid and o.attname = 'org_id' and not o.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1) order by 1`,
  [globalTables],
);

const own = '(org_id = kist_org())';

describe('every tenant table', () => {
  test('is known: there are tables, and each one without an organisation is on the short list', async () => {
    expect(tables.length).toBeGreaterThan(30);
    const all = await database.asOwner<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    );
    const tenant = new Set(tables.map(({ name }) => name));
    expect(all.map(({ name }) => name).filter((name) => !tenant.has(name))).toEqual(globalTables);
  });

  test.each(tables)('$name: row-level security enabled and forced, org_id first in its primary key', (table) => {
    expect(table).toMatchObject({ enabled: true, forced: true, firstKey: 'org_id', nullable: false });
  });

  test.each(tables)('$name: kist_app sees and writes its own organisation only', ({ policies }) => {
    const forApp = policies.filter(({ roles }) => roles.includes('public') || roles.includes('kist_app'));
    expect(forApp.length).toBeGreaterThan(0);
    for (const policy of forApp) expect(policy).toMatchObject({ using: own, check: own, command: 'ALL' });
    const others = policies.filter((policy) => !forApp.includes(policy));
    for (const { roles } of others) expect(roles).toEqual(['kist_device']);
  });

  test.each(tables)('$name: without an organisation shows no row', async ({ name }) => {
    const readable = await database.asOwner<{ yes: boolean }>(
      `select has_table_privilege('kist_app', $1, 'select') as yes`,
      [name],
    );
    if (readable[0]?.yes !== true) return;
    expect(await database.unscoped(async (tx) => (await tx.query(`select 1 from ${name} limit 1`)).rows)).toEqual([]);
  });
});

describe('the roles', () => {
  test.each([
    { role: 'kist_app', memberOf: [] },
    { role: 'kist_device', memberOf: [] },
    { role: 'kist_operator', memberOf: ['kist_app'] },
  ])(
    '$role is no superuser, bypasses nothing, owns nothing, belongs to no other role than $memberOf',
    async ({ role, memberOf }) => {
      const [facts] = await database.asOwner(
        `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
         (select count(*)::int from pg_class where relowner = r.oid) + (select count(*)::int from pg_proc where proowner = r.oid) as owned,
         (select coalesce(array_agg(roleid::regrole::text), '{}') from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = $1`,
        [role],
      );
      expect(facts).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
        memberships: memberOf,
      });
    },
  );

  test('no view or function runs with its owner’s rights around the policies', async () => {
    const definer = await database.asOwner(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
    );
    expect(definer).toEqual([]);
    const views = await database.asOwner(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
       and not coalesce('security_invoker=true' = any(reloptions), false)`,
    );
    expect(views).toEqual([]);
  });

  test('kist_app cannot change what is append-only, the history, the mode, what the secrets are known by, the clock or the directory', async () => {
    for (const statement of [
      'delete from schema_migrations',
      `update installation set mode = 'demo'`,
      `insert into secret_marks (name, mark) values ('pepper', '${'0'.repeat(64)}')`,
      `update secret_marks set mark = mark`,
      'delete from secret_marks',
      `update clock_offset set shift = '1 day'`,
      `insert into org_directory (org_id, slug, name) values (77, 'x', 'x')`,
      `update org_directory set slug = 'x'`,
      'delete from audit_lines',
      'update audit_lines set action = action',
      'truncate audit_lines',
    ]) {
      await expect(database.appPool.query(statement)).rejects.toThrow(/permission denied/);
    }
  });

  test('a foreign key that links two tenant tables carries the organisation', async () => {
    const loose = await database.asOwner(`
      select k.conrelid::regclass::text as "from", k.confrelid::regclass::text as "to", k.conname
      from pg_constraint k
      join pg_attribute o on o.attrelid = k.conrelid and o.attname = 'org_id'
      join pg_attribute f on f.attrelid = k.confrelid and f.attname = 'org_id'
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and not exists (select from generate_subscripts(k.conkey, 1) i where k.conkey[i] = o.attnum and k.confkey[i] = f.attnum)`);
    expect(loose).toEqual([]);
  });
});
