import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as sales from '#server/sales/sales.ts';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { createServices } from '#test/services.ts';
import { saleCommands } from './sale-verbs.ts';
import { tacVerbs } from './tac-verbs.ts';
import { type Verbs, explain, read } from './verbs.ts';

const { db } = createServices(await createTestDatabase());
const desk = deskOf(db);
const folder = mkdtempSync(path.join(tmpdir(), 'kist-tac-'));
atEnd(async () => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
});

async function kist(verbs: Verbs, ...args: string[]) {
  try {
    const asked = read('noun', verbs, args);
    if (typeof asked === 'string') return { said: asked };
    const { lines, data, isInOrder = true } = await asked.verb.run(desk, asked.given).catch(explain);
    return { lines, data, isInOrder };
  } catch (error) {
    return { said: (error as Error).message };
  }
}

const csv = (text: string): string => {
  const file = path.join(folder, `${Math.random()}.csv`);
  writeFileSync(file, text);
  return file;
};
const modelOf = (tac: string, orgId = 20) => db.read(orgId, (tx) => catalogue.phoneModel(tx, { tac }));
const linesOf = () =>
  db.asOwner(`select data from audit_lines where org_id = 20 and action = 'phone_models_imported' order by seq`);

test('a table of TACs comes in once, says which rows it refuses and why, and a dry run writes nothing', async () => {
  const file = csv(
    [
      'model,TAC,brand,launched',
      'Galaxy A06,35391805,Samsung,2024',
      '13C,86012306,Redmi,2023',
      'Nowhere,8601230,Redmi,2023',
      ',86012307,Redmi,2023',
      '13C 5G,86012306,Redmi,2023',
      '13C,86012306,Redmi,2023',
    ].join('\n'),
  );
  const report = (created: number, unchanged: number) => ({
    rows: 6,
    created,
    changed: 0,
    unchanged,
    refused: [
      { line: 4, says: 'a TAC is the first eight digits of an IMEI' },
      { line: 5, says: 'the model is empty, too long, or cannot be shown' },
      { line: 6, says: 'TAC 86012306 has another name on line 3' },
    ],
  });
  expect(await kist(tacVerbs, 'import', '20', file, '--dry-run')).toMatchObject({
    data: report(2, 0),
    isInOrder: false,
  });
  expect([await modelOf('86012306'), await linesOf()]).toEqual([undefined, []]);
  expect((await kist(tacVerbs, 'import', '999', file))?.said).toMatch(/^Refused: there is no organisation/);
  const done = await kist(tacVerbs, 'import', '20', file);
  expect(done.data).toEqual(report(2, 0));
  expect(done.lines).toContain('line 4: a TAC is the first eight digits of an IMEI');
  expect(await modelOf('86012306')).toEqual({ brand: 'Redmi', model: '13C' });
  expect(await modelOf('86012306', 21)).toBeUndefined();
  expect((await kist(tacVerbs, 'import', '20', file)).data).toEqual(report(0, 2));
  expect(await linesOf()).toEqual([{ data: { created: 2, changed: 0, refused: 3 } }]);

  const renamed = await kist(tacVerbs, 'import', '20', csv('tac,brand,model\r\n86012306,Xiaomi,Redmi 13C\r\n'));
  expect(renamed).toMatchObject({ data: { rows: 1, changed: 1, refused: [] }, isInOrder: true });
  expect(await modelOf('86012306')).toEqual({ brand: 'Xiaomi', model: 'Redmi 13C' });
});

test('a file that is no such table says so', async () => {
  expect(await kist(tacVerbs, 'import', '20', csv('tac,brand\n35391805,Samsung'))).toMatchObject({
    data: { rows: 0, refused: [{ line: 1, says: 'the column model is missing' }] },
    isInOrder: false,
  });
  expect((await kist(tacVerbs, 'import', '20', csv('tac,brand,model\n35391805,"Sam')))?.said).toMatch(/^line 2: /);
});

test('a plan offers terms by name, in the sale too; typed again they change, and can be taken away', async () => {
  const shop = await makeRetailer(db, 20);
  const plan = saleCommands['plan']!.verbs!;
  const preset = (...more: string[]) => kist(plan, 'preset', '20', '1', '9 months', ...more);
  const terms = ['--tenure', '9', '--down', '20', '--rate', '18.5'];
  expect((await preset(...terms)).data).toMatchObject({ tenure: 9, down_bps: 2000, rate_bps: 1850, is_changed: true });
  expect((await preset(...terms)).data).toMatchObject({ is_changed: false });
  const inSale = async () =>
    (await db.read(20, (tx) => sales.plans(tx, shop))).find(({ plan_id }) => plan_id === 1)?.presets;
  const offered = { name: '9 months', method: 'FLAT', frequency: 'MONTHLY', rate_bps: 1850, tenure: 9, down_bps: 2000 };
  expect(await inSale()).toEqual([offered]);
  expect((await preset('--method', 'zero', '--tenure', '9', '--down', '20')).data).toMatchObject({ is_changed: true });
  expect(await inSale()).toEqual([{ ...offered, method: 'ZERO', rate_bps: 0 }]);
  expect((await preset('--method', 'zero', '--tenure', '9', '--rate', '5')).said).toMatch('ZERO has no interest');
  for (const down of ['99.01', '100']) expect((await preset('--tenure', '9', '--down', down)).said).toMatch('--down');
  expect((await preset('--tenure', '900')).said).toMatch('--tenure');
  expect((await preset('--remove')).data).toMatchObject({ is_changed: true });
  expect(await inSale()).toEqual([]);
  expect((await preset('--remove')).data).toMatchObject({ is_changed: false });
  const told = await db.asOwner<{ action: string; name: string }>(
    `select action, data ->> 'name' as name from audit_lines where org_id = 20 and action like 'plan_preset_%' order by seq`,
  );
  const { name } = offered;
  expect(told).toEqual(['set', 'set', 'removed'].map((what) => ({ action: `plan_preset_${what}`, name })));
});

test('terms on a plan that is not there, or is another organisation’s, are refused as not found, and none are kept', async () => {
  await db.asOwner('insert into plans (org_id, plan_id, plan_type, name) values (21, 98, 0, $1)', ['Elsewhere']);
  const preset = (plan: string) =>
    kist(saleCommands['plan']!.verbs!, 'preset', '20', plan, 'x', '--tenure', '9', '--rate', '18');
  expect((await preset('1')).data).toMatchObject({ is_changed: true });
  for (const plan of ['98', '99']) expect((await preset(plan)).said).toMatch(/^Refused: NOT_FOUND/);
  expect(await db.asOwner('select from plan_presets where plan_id in (98, 99)')).toEqual([]);
});
