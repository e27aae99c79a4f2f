import { beforeEach, describe, expect, test } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { auditVerbs } from './audit.ts';
import { read } from './verbs.ts';

const db = await createTestDatabase();
const desk = deskOf(db);
await makeOrganisation(db, 20);
const shop = await makeRetailer(db, 20);

/** As the command line runs it. */
async function kist(...typed: string[]) {
  const asked = read('audit', auditVerbs, typed);
  if (typeof asked === 'string') throw new Error(asked);
  const { lines, isInOrder = true, data } = await asked.verb.run(desk, asked.given);
  return { text: lines.join('\n'), isInOrder, data };
}
const gone = (id: string, from: number, to: number) =>
  db.plant(['audit_lines'], 'delete from audit_lines where subject_id = $1 and seq between $2 and $3', [id, from, to]);
const goneWhole = (id: string) =>
  db.plant(
    ['audit_lines', 'audit_heads'],
    'with lines as (delete from audit_lines where subject_id = $1) delete from audit_heads where subject_id = $1',
    [id],
  );

let sale: Awaited<ReturnType<typeof makeSale>>;
let day: string;
beforeEach(async () => {
  await db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
  sale = await db.transaction(20, (tx) => makeSale(tx, shop));
  for (let n = 0; n < 4; n += 1)
    await db.transaction(20, (tx) =>
      audit.append(tx, { kind: 'device', id: sale.deviceId, actor: shop, action: 'tested' }),
    );
  ({ day } = await audit.closeDay(db, 20));
});

describe('verify --phone', () => {
  test('tells of the phone, its customer and its agreement that they are whole', async () => {
    const { text, isInOrder } = await kist('verify', '20', '--phone', sale.imei1);
    expect(isInOrder).toBe(true);
    for (const name of [
      `device ${sale.deviceId}`,
      `customer ${sale.customerId}`,
      `agreement ${sale.agreement.agreement_id}`,
    ])
      expect(text).toContain(`ok      ${name}:`);
    expect(text).toContain(`the last root over it is of ${day}`);
  });

  test('says of nobody that nothing is known, and not that it is in order', async () => {
    const { text, isInOrder } = await kist('verify', '20', 'device', newId());
    expect([isInOrder, text]).toEqual([false, expect.stringContaining('NOTHING')]);
  });

  test('says exactly which lines are gone, and since when a root knew of them', async () => {
    await gone(sale.deviceId, 2, 3);
    const { text, isInOrder, data } = await kist('verify', '20', '--phone', sale.imei1);
    expect(isInOrder).toBe(false);
    expect(text).toContain(`MISSING device ${sale.deviceId}: lines 2 to 3 are gone; the root of ${day} knew of it.`);
    expect(data).toMatchObject({
      histories: expect.arrayContaining([
        expect.objectContaining({ kind: 'device', missing: [{ from_seq: 2, to_seq: 3, known_on: day }] }),
      ]) as unknown,
    });
  });

  test('says that a whole history is gone, also with its head, and of how many lines', async () => {
    await goneWhole(sale.deviceId);
    const { text, isInOrder } = await kist('verify', '20', '--phone', sale.imei1);
    expect(isInOrder).toBe(false);
    expect(text).toMatch(
      new RegExp(`MISSING device ${sale.deviceId}: the whole history is gone, \\d lines; the root of ${day}`),
    );
  });

  test('is not in order for a number that no phone bears', async () => {
    expect(await kist('verify', '20', '--phone', '490154203237518')).toMatchObject({ isInOrder: false });
  });
});

describe('verify of everything', () => {
  test('names what was planted before, and nothing of this phone', async () => {
    const { text, isInOrder } = await kist('verify', '20');
    expect(isInOrder).toBe(false);
    expect(text).toContain('the whole history is gone');
    expect(text).toContain('lines 2 to 3 are gone');
    expect(text).not.toContain(sale.deviceId);
  });

  test('names a history whose words were changed and hashed anew', async () => {
    await db.plant(
      ['audit_lines', 'audit_heads'],
      `with last as (update audit_lines l set action = 'other', hash = audit_hash(prev_hash, org_id, subject_kind, subject_id, seq, at, actor, 'other', data)
         where subject_id = $1 and seq = (select max(seq) from audit_lines where subject_id = $1) returning hash)
       update audit_heads set hash = (select hash from last) where subject_id = $1`,
      [sale.deviceId],
    );
    expect((await kist('verify', '20')).text).toMatch(
      new RegExp(`CHANGED device ${sale.deviceId}: line \\d is another than a root knew`),
    );
  });

  test('takes one history too', async () => {
    expect(await kist('verify', '20', 'device', sale.deviceId)).toMatchObject({ isInOrder: true });
    await expect(kist('verify', '20', 'phone', sale.deviceId)).rejects.toThrow('a history is one of');
  });
});
