import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import * as audit from './audit.ts';
import type { ExportRecord } from './export.ts';

const db = await createTestDatabase();
let records: ExportRecord[];
let deviceId: string;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  const shop = await makeRetailer(db, 20);
  await makeRetailer(db, 21);
  for (let day = 0; day < 3; day += 1) {
    await db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
    const sale = await db.transaction(20, (tx) => makeSale(tx, shop));
    ({ deviceId } = sale);
    for (const rate of [18.5, 1.0, 1e21])
      await db.transaction(20, (tx) =>
        audit.append(tx, {
          kind: 'device',
          id: deviceId,
          actor: { ...shop, ip: '127.0.0.1' },
          action: 'tested',
          data: { rate, text: 'ß "₹" \\ \u001f', none: null },
        }),
      );
    await audit.closeDay(db, 20);
  }
  // Written after the last root.
  await db.transaction(20, (tx) => audit.append(tx, { kind: 'device', id: deviceId, actor: shop, action: 'tested' }));
  records = [];
  for await (const record of audit.exported(db, 20)) records.push(record);
});

const verify = (given: readonly ExportRecord[], kept?: Map<string, string>) =>
  audit.verifyExported(Readable.from(given.map((record) => JSON.stringify(record))), kept);
const faultsOf = async (given: readonly ExportRecord[]) => (await verify(given)).faults.join('\n');
const at = (is: (record: ExportRecord) => boolean) => records.findIndex(is);
const changed = <Kind extends ExportRecord>(index: number, by: Partial<Kind>) =>
  records.map((record, place) => (place === index ? ({ ...record, ...by } as ExportRecord) : record));
const without = (index: number) => records.filter((_, place) => place !== index);
const ownLine = (seq: number) => at((one) => one.record === 'line' && one.id === deviceId && one.seq === seq);

describe('an exported audit', () => {
  test('fits without a database, and is one organisation’s alone', async () => {
    const found = await verify(records);
    expect(found).toMatchObject({ org_id: 20, roots: 3, faults: [] });
    const [{ lines }] = (await db.asOwner<{ lines: number }>(
      'select count(*)::int as lines from audit_lines where org_id = 20',
    )) as [{ lines: number }];
    expect(found.lines).toBe(lines);
    expect((await audit.checkAll(db, 20)).faults).toEqual([]);
  });

  test('is found changed, with the history and the line', async () => {
    const line = ownLine(2);
    for (const by of [
      { action: 'other' },
      { data_json: '{}' },
      { actor_json: '{}' },
      { at: '2020-01-01T00:00:00.000000' },
    ])
      expect(await faultsOf(changed(line, by))).toContain(`CHANGED device ${deviceId}: line 2 does not fit.`);
    expect(await faultsOf(changed(0, { org_id: 21 }))).toContain('does not fit');
  });

  test('is found with lines, heads, roots or its end gone', async () => {
    expect(await faultsOf(without(ownLine(2)))).toContain(`MISSING device ${deviceId}: line 2 is gone.`);
    const rooted = at((one) => one.record === 'head' && one.id === deviceId);
    expect(await faultsOf(without(rooted))).toContain('does not follow from what it was made of');
    expect(await faultsOf(without(at((one) => one.record === 'root')))).toContain('does not follow');
    expect(await faultsOf(records.slice(0, -1))).toContain('not whole');
    expect(await faultsOf([...records, records.at(-2)!])).toContain('added behind the end');
    // A whole history, and its end made to fit.
    const gone = records.filter((one) => one.record !== 'line' || one.id !== deviceId);
    const lines = gone.filter(({ record }) => record === 'line').length;
    const fitting = gone.map((one) => (one.record === 'end' ? { ...one, lines } : one));
    expect(await faultsOf(fitting)).toContain(`MISSING device ${deviceId}: line`);
  });

  test('that was rewritten as a whole is found by a root kept elsewhere', async () => {
    const root = records.find((one) => one.record === 'root')!;
    const kept = new Map([
      [root.day, 'f'.repeat(64)],
      ['2020-01-01', 'e'.repeat(64)],
    ]);
    const { faults } = await verify(records, kept);
    expect(faults).toEqual([
      `The root of ${root.day} is another than you kept.`,
      'MISSING root of 2020-01-01, which you kept.',
    ]);
    expect((await verify(records, new Map([[root.day, root.root]]))).faults).toEqual([]);
  });
});
