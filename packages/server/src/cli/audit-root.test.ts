import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { rootMail } from '#server/notices/root-mail.ts';
import { newId } from '#server/platform/ids.ts';
import { folder } from '#test/folder.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { auditVerbs } from './audit.ts';
import { read } from './verbs.ts';

const db = await createTestDatabase();
const desk = deskOf(db);
let orgId = 40;

/** As the command line runs it. */
async function kist(...typed: string[]) {
  const asked = read('audit', auditVerbs, typed);
  if (typeof asked === 'string') throw new Error(asked);
  const { lines, isInOrder = true, data } = await asked.verb.run(desk, asked.given);
  return { text: lines.join('\n'), isInOrder, data };
}
const goneWhole = (id: string) =>
  db.plant(
    ['audit_lines', 'audit_heads'],
    'with lines as (delete from audit_lines where subject_id = $1) delete from audit_heads where subject_id = $1',
    [id],
  );

let deviceId: string;
let day: string;
/** An organisation of its own with two days of histories. */
beforeEach(async () => {
  orgId += 1;
  await makeOrganisation(db, orgId);
  for (let n = 0; n < 2; n += 1) {
    await db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
    deviceId = newId();
    for (const id of [newId(), deviceId, deviceId])
      await db.transaction(orgId, (tx) =>
        audit.append(tx, { kind: 'device', id, actor: { userId: newId(), userType: 'retailer' }, action: 'tested' }),
      );
    ({ day } = await audit.closeDay(db, orgId));
  }
});

describe('verify --root', () => {
  const rootOf = async (of: string) =>
    (await db.read(orgId, (tx) => audit.roots(tx, { limit: 10 }))).find((root) => root.day === of)!;
  const mailOf = async (of: string) => {
    const mail = rootMail(
      { orgId, name: 'Asha Mobiles', slug: 'asha', ...(await rootOf(of)) },
      'https://emi.example.in',
    );
    const file = path.join(folder(), 'mail.eml');
    // As it crosses a network: long lines are broken.
    writeFileSync(file, `From: kist@house.example\r\n\r\n${mail.text.replaceAll(/^(.{60})(.+)$/gm, '$1=\r\n$2')}`);
    return file;
  };

  test('says of a mailed root, by the mail or the hash alone, that it stands and everything under it', async () => {
    const { root } = await rootOf(day);
    for (const given of [root, root.toUpperCase(), await mailOf(day)]) {
      const { text, isInOrder } = await kist('verify', String(orgId), '--root', given);
      expect(text).toContain(`ok      root ${root}: stored, of ${day}.`);
      expect(text).toContain('Every root and every history fits.');
      expect(isInOrder).toBe(true);
    }
  });

  test('says that a whole history under it was deleted, with its head', async () => {
    const mail = await mailOf(day);
    await goneWhole(deviceId);
    const { text, isInOrder } = await kist('verify', String(orgId), '--root', mail);
    expect(isInOrder).toBe(false);
    expect(text).toMatch(new RegExp(`MISSING device ${deviceId}: the whole history is gone, \\d+ lines; the root of`));
    expect(text).toContain('The audit does NOT fit.');
  });

  test('says that the root itself, or the one before it, was deleted', async () => {
    const [mail, { root, prev_root }] = [await mailOf(day), await rootOf(day)];
    await db.plant(['audit_roots'], 'delete from audit_roots where org_id = $1 and day = $2', [orgId, day]);
    expect(await kist('verify', String(orgId), '--root', mail)).toMatchObject({
      isInOrder: false,
      text: expect.stringContaining(`MISSING root of ${day}, which you kept.`) as unknown,
      data: { unknown_roots: [root] },
    });
    expect(await kist('verify', String(orgId), '--root', root)).toMatchObject({
      isInOrder: false,
      text: expect.stringContaining(`MISSING root ${root}: no day of this organisation has it`) as unknown,
    });
    await db.plant(['audit_roots'], `delete from audit_roots where root = decode($1, 'hex')`, [prev_root]);
    expect(await kist('verify', String(orgId), '--root', mail)).toMatchObject({
      data: { unknown_roots: [root, prev_root] },
    });
  });

  test('says that everything was rewritten, histories and roots, so that it fits by itself', async () => {
    const mail = await mailOf(day);
    await db.plant(
      ['audit_lines', 'audit_heads', 'audit_root_heads', 'audit_roots'],
      `with a as (delete from audit_lines where subject_id = $1), b as (delete from audit_heads where subject_id = $1)
       delete from audit_root_heads where subject_id = $1`,
      [deviceId],
    );
    await db.plant(
      ['audit_roots'],
      `update audit_roots set root = audit_root_of(org_id, day, prev_root) where org_id = $1 and day = $2`,
      [orgId, day],
    );
    expect(await kist('verify', String(orgId))).toMatchObject({ isInOrder: true });
    const { text, isInOrder } = await kist('verify', String(orgId), '--root', mail);
    expect(isInOrder).toBe(false);
    expect(text).toContain(`CHANGED root of ${day}`);
  });

  test('refuses what is no root, a file without one, and the root of another organisation', async () => {
    const file = path.join(folder(), 'text');
    writeFileSync(file, 'Day: 2026-01-31\nRoot: none\n');
    await expect(kist('verify', String(orgId), '--root', 'abc')).rejects.toThrow(
      'there is no file abc, and it is no root',
    );
    await expect(kist('verify', String(orgId), '--root', '/dev/zero')).rejects.toThrow('may have no end');
    await expect(kist('verify', String(orgId), '--root', file)).rejects.toThrow('neither a root');
    writeFileSync(file, `Organisation: 77 (other)\nRoot: ${'a'.repeat(64)}\n`);
    await expect(kist('verify', String(orgId), '--root', file)).rejects.toThrow(
      `a root of organisation 77, not of ${orgId}`,
    );
  });
});
