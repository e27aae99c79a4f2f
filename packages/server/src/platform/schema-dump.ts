import type { Client } from 'pg';

/** Everything the migrations made, from the catalogue, in a fixed order: a golden file that a reviewer reads beside the migrations. */
const PARTS = {
  tables: `
    select format(E'%stable %I (\\n%s\\n);', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname, string_agg(format('  %I %s%s%s', a.attname,
        format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\\n' order by a.attnum)) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname, c.relpersistence order by c.relname`,
  owners: `
    select format('%I: %s', c.relname, obj_description(c.oid, 'pg_class')) as text
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') order by c.relname`,
  views: `
    select format('view %I%s as%s', c.relname, ' with (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid)) as text
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.relname`,
  constraints: `
    select format('%I: %s %s', k.conrelid::regclass::text, k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k where k.connamespace = 'public'::regnamespace and k.conrelid <> 0 and k.contype <> 'n' order by k.conrelid::regclass::text, k.conname`,
  indexes: `
    select i.indexdef || ';' as text from pg_indexes i where i.schemaname = 'public' order by i.tablename, i.indexname`,
  policies: `
    select format('%I: %s to %s for %s using (%s) with check (%s)', p.tablename, p.policyname, array_to_string(p.roles, ', '), p.cmd, p.qual, p.with_check) as text
    from pg_policies p where p.schemaname = 'public' order by p.tablename, p.policyname`,
  isolation: `
    select format('%I: row level security %s', c.relname, case when c.relforcerowsecurity then 'forced' when c.relrowsecurity then 'on' else 'off' end) as text
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  grants: `
    select format('%I: %s to %s', g.table_name, string_agg(lower(g.privilege_type), ', ' order by g.privilege_type), g.grantee) as text
    from information_schema.role_table_grants g where g.table_schema = 'public' and g.grantee in ('kist_app', 'kist_device')
    group by g.table_name, g.grantee order by g.table_name, g.grantee`,
  triggers: `
    select format('%I: %s', t.tgrelid::regclass::text, pg_get_triggerdef(t.oid)) as text from pg_trigger t
    where not t.tgisinternal order by t.tgrelid::regclass::text, t.tgname`,
  functions: `
    select pg_get_functiondef(p.oid) || ';' as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.proname`,
} as const;

/** @returns the schema of the connected database as text, one headed part after the other. */
export async function dumpSchema(client: Pick<Client, 'query'>): Promise<string> {
  const parts: string[] = [];
  for (const [name, sql] of Object.entries(PARTS)) {
    const { rows } = await client.query<{ text: string }>(sql);
    parts.push(`-- ${name}\n${rows.map((row) => row.text).join('\n')}\n`);
  }
  return `${parts.join('\n')}`;
}
