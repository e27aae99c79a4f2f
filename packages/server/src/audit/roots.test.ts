import { describe, expect, test, vi } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { addToDirectory } from '#test/directory.ts';
import * as audit from './audit.ts';

const db = await createTestDatabase();
const orgs = Array.from({ length: 12 }, (_, n) => 20 + n);
await addToDirectory(db, ...orgs);
await db.asOwner(
  `insert into organisations (org_id, org_name, company_name) select id, 'Org', 'Org' from unnest($1::int[]) as t(id)`,
  [orgs],
);
let used = 0;

/** An organisation of its own with three histories and a root of yesterday, another line since. */
async function history() {
  const orgId = orgs[used++]!;
  const ids = Array.from({ length: 3 }, newId);
  for (const id of [...ids, ids[0]!]) await line(orgId, id);
  await audit.closeDay(db, orgId);
  return { orgId, ids };
}
const line = (orgId: number, id: string) =>
  db.transaction(orgId, (tx) =>
    audit.append(tx, { kind: 'device', id, actor: { userId: newId(), userType: 'retailer' }, action: 'tested' }),
  );
const nextDay = () => db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
const rootsOf = (orgId: number) => db.read(orgId, (tx) => audit.roots(tx, { limit: 10 }));
const ALL = ['audit_lines', 'audit_heads', 'audit_roots', 'audit_root_heads'];

test('the last look is of this database, and the last by its order', async () => {
  const { orgId } = await history();
  const last = () => db.read(orgId, audit.lastCheck);
  for (const cluster of [`'7423167452211111111:5'`, `split_part(kist_cluster(), ':', 1) || ':1'`, 'null']) {
    await audit.checkAll(db, orgId);
    expect(await last()).toMatchObject({ faults: 0, is_whole: true });
    await db.plant(['audit_checks'], `update audit_checks set cluster = ${cluster} where org_id = ${orgId}`);
    expect(await last(), cluster).toBeUndefined();
  }
  await nextDay();
  await audit.checkAll(db, orgId);
  await db.asOwner(`update clock_offset set shift = shift - interval '1 day'`);
  await db.plant(ALL, `update audit_lines set data = '{"another": 1}' where org_id = ${orgId}`);
  await audit.checkAll(db, orgId);
  expect((await last())!.faults).toBeGreaterThan(0);
});

describe('the daily root of the audit', () => {
  test('is made once a day, follows on the day before, and covers what moved since', async () => {
    const { orgId, ids } = await history();
    expect(await audit.closeDay(db, orgId)).toMatchObject({ isNew: false });
    await nextDay();
    await line(orgId, ids[1]!);
    const made = await Promise.all(Array.from({ length: 5 }, () => audit.closeDay(db, orgId)));
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [second, first] = await rootsOf(orgId);
    expect(first).toMatchObject({ heads: 3, prev_root: '' });
    expect(second).toMatchObject({ heads: 1, prev_root: first!.root });
    expect(await audit.checkAll(db, orgId)).toEqual({ faults: [], isWhole: true });
    expect(await db.read(orgId, audit.lastCheck)).toMatchObject({ faults: 0, is_whole: true });
  });

  test('is made while histories go on: a line that comes in between is covered by the next one', async () => {
    const { orgId, ids } = await history();
    await nextDay();
    await line(orgId, ids[1]!);
    // Holds the heads up between being read and being checked, as a million of them do.
    await db.asOwner(
      `create function hold_up() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(77); return new; end $$`,
    );
    await db.asOwner(
      'create trigger hold_up before insert on audit_root_heads for each row execute function hold_up()',
    );
    try {
      const closing = await db.unscoped(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(77)');
        const begun = audit.closeDay(db, orgId);
        await vi.waitFor(async () =>
          expect(
            await db.asOwner(`select from pg_locks where locktype = 'advisory' and objid = 77 and not granted`),
          ).toHaveLength(1),
        );
        await line(orgId, ids[1]!);
        return { begun };
      });
      expect(await closing.begun).toMatchObject({ isNew: true });
    } finally {
      await db.asOwner('drop function hold_up cascade');
    }
    expect(await audit.checkAll(db, orgId)).toEqual({ faults: [], isWhole: true });
    await nextDay();
    await audit.closeDay(db, orgId);
    expect((await rootsOf(orgId)).map(({ heads }) => heads)).toEqual([1, 1, 3]);
    expect(await audit.checkAll(db, orgId)).toEqual({ faults: [], isWhole: true });
  });

  test('of a day without a line follows on too', async () => {
    const { orgId } = await history();
    await nextDay();
    await audit.closeDay(db, orgId);
    const [second, first] = await rootsOf(orgId);
    expect(second).toMatchObject({ heads: 0, prev_root: first!.root });
    expect(second!.root).not.toBe(first!.root);
  });

  test('misses a history that was deleted with its head, the same day, by its name', async () => {
    const { orgId, ids } = await history();
    await db.plant(
      ALL,
      `with gone as (delete from audit_lines where subject_id = $1) delete from audit_heads where subject_id = $1`,
      [ids[0]],
    );
    const missing = { fault: 'history_missing', kind: 'device', id: ids[0], seq: 2 };
    expect((await audit.checkRooted(db, orgId)).faults).toMatchObject([missing]);
    expect((await audit.checkAll(db, orgId)).faults).toMatchObject([missing]);
    expect(await db.read(orgId, audit.lastCheck)).toMatchObject({ faults: 1 });
  });

  test('misses a history that was cut off and given a head that fits', async () => {
    const { orgId, ids } = await history();
    await db.plant(ALL, 'delete from audit_lines where subject_id = $1 and seq = 2', [ids[0]]);
    await db.plant(
      ALL,
      'update audit_heads h set seq = l.seq, hash = l.hash from audit_lines l where l.subject_id = $1 and h.subject_id = $1',
      [ids[0]],
    );
    expect(await db.read(orgId, (tx) => audit.verify(tx, 'device', ids[0]!))).toEqual({ ok: true });
    expect((await audit.checkAll(db, orgId)).faults).toMatchObject([{ fault: 'history_missing', id: ids[0], seq: 2 }]);
  });

  test('shows when what it covers was rewritten with it, and to whoever kept it when all was', async () => {
    const { orgId, ids } = await history();
    const [kept] = await rootsOf(orgId);
    const forget = async () => {
      for (const table of ['audit_lines', 'audit_heads', 'audit_root_heads'])
        await db.plant(ALL, `delete from ${table} where subject_id = $1`, [ids[2]]);
    };
    await forget();
    expect((await audit.checkAll(db, orgId)).faults).toEqual([{ fault: 'root_changed', day: kept!.day }]);
    await db.plant(ALL, `update audit_roots set root = audit_root_of(org_id, day, prev_root) where org_id = $1`, [
      orgId,
    ]);
    expect((await audit.checkAll(db, orgId)).faults).toEqual([]);
    expect((await audit.checkAll(db, orgId, new Map([[kept!.day, kept!.root]]))).faults).toEqual([
      { fault: 'root_changed', day: kept!.day },
    ]);
    expect((await audit.checkAll(db, orgId, new Map([['2001-01-01', kept!.root]]))).faults).toEqual([
      { fault: 'root_unknown', day: '2001-01-01' },
    ]);
  });

  test('names the broken line of every history that was changed, and a head without lines', async () => {
    const { orgId, ids } = await history();
    await nextDay();
    for (const id of ids) await line(orgId, id);
    const fresh = newId();
    await line(orgId, fresh);
    await db.plant(ALL, `update audit_lines set action = 'x' where subject_id = $1 and seq = 2`, [ids[1]]);
    await db.plant(ALL, 'delete from audit_lines where subject_id = $1', [fresh]);
    const { faults } = await audit.checkAll(db, orgId);
    const broken = [
      { fault: 'history_broken', kind: 'device', id: ids[1], seq: 2 },
      { fault: 'history_broken', kind: 'device', id: fresh, seq: 1 },
    ];
    expect(faults).toHaveLength(2);
    expect(faults).toEqual(expect.arrayContaining(broken));
  });

  test('is made by the database alone: no account changes, invents or removes one', async () => {
    const { orgId, ids } = await history();
    const tries: [string, RegExp][] = [
      [`update audit_roots set root = '' where org_id = ${orgId}`, /permission denied|refused/],
      [`delete from audit_root_heads where org_id = ${orgId}`, /permission denied|refused/],
      [`truncate audit_roots`, /permission denied|refused/],
      [`insert into audit_roots values (${orgId}, kist_today() + 1, now(), 0, '', 'x')`, /refused/],
      [`insert into audit_roots values (${orgId}, '2020-01-01', now(), 0, '', 'x')`, /refused/],
      [
        `insert into audit_root_heads select org_id, kist_today(), subject_kind, subject_id || 'x', seq, hash from audit_heads where org_id = ${orgId}`,
        /refused/,
      ],
      [`insert into audit_root_heads values (${orgId}, kist_today() + 1, 'device', '${ids[0]}', 9, 'x')`, /refused/],
    ];
    for (const [sql, said] of tries) {
      await expect(
        db.transaction(orgId, (tx) => tx.query(sql)),
        sql,
      ).rejects.toThrow(said);
      await expect(db.asOwner(sql), sql).rejects.toThrow(/refused/);
    }
    await nextDay();
    await db.transaction(orgId, (tx) =>
      tx.query(`insert into audit_roots values (${orgId}, kist_today(), '2020-01-01', 77, 'x', 'x')`),
    );
    expect((await audit.checkAll(db, orgId)).faults).toEqual([]);
    expect((await rootsOf(orgId))[0]).toMatchObject({ heads: 0 });
  });
});
