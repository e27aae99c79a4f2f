import { describe, expect, it } from 'vitest';
import type { IsoDate } from '@kist/contract/dates';
import { isErased } from '@kist/contract/erased';
import { forgetOld } from '#server/jobs/retention.ts';
import * as ledger from '#server/ledger/ledger.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { withIdempotency } from '#server/platform/idempotency.ts';
import { newId } from '#server/platform/ids.ts';
import * as reports from '#server/reports/reports.ts';
import { erasingActs } from '#test/erasing-acts.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, type Sale, customerOf } from '#test/lock-world.ts';
import { CANARIES, withNames } from '#test/named-customer.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { keptUntil } from './erasing.ts';
import * as sales from './sales.ts';

const world = useLockWorld();
const { finished, paidOff, preview, erase, outcome } = erasingActs(world);

const named = (sale: Sale) => withNames(world, sale);

/** Where a word of the customer's still stands, row by row of every table. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const tables = await world.db.asOwner<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await world.db.asOwner<{ count: number }>(
      `select count(*)::int as count from ${name} t where t::text ~* $1`,
      [words.map((word) => `(^|[^0-9a-f])${word}`).join('|')],
    );
    if (row!.count > 0) found.push(name);
  }
  return found;
}

describe('an erasure', () => {
  it('leaves no name, number, address, picture or place anywhere, ends the login, and the books as they were', async () => {
    const sale = await finished();
    const user_id = await named(sale);
    expect(await placesOf(CANARIES)).toEqual(
      expect.arrayContaining([
        'customers',
        'device_events',
        'device_reports',
        'documents',
        'idempotency_keys',
        'users',
      ]),
    );
    await world.db.asOwner(
      `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, customer_id, about_hash, code_hash, created_at, expires_at)
       values (${ORG}, gen_random_uuid(), '', 'counter', '', 'NUMBER', $1, sha256('+919876500001'), '', now(), now())`,
      [sale.customerId],
    );
    const done = await erase(sale);
    expect(done).toMatchObject({ refused: null, erased_at: expect.any(String) });
    expect(
      await world.db.asOwner('select from otps where customer_id = $1 and purpose = $2', [sale.customerId, 'NUMBER']),
    ).toEqual([]);
    expect(await placesOf(CANARIES.filter((word) => word !== '7788'))).toEqual([]);
    const rows = await world.db.asOwner(
      `select gone_at is not null as is_gone, key_sealed from documents where customer_id = $1 and document_type <> 'signature'`,
      [sale.customerId],
    );
    expect(rows).toEqual([
      { is_gone: true, key_sealed: null },
      { is_gone: true, key_sealed: null },
    ]);
    const [files] = await world.db.asOwner<{ count: number }>('select count(*)::int as count from loose_files');
    expect(files!.count).toBe(2);
    const [user] = await world.db.asOwner('select is_active, mobile, first_name from users where user_id = $1', [
      user_id,
    ]);
    expect(user).toEqual({ is_active: false, mobile: `erased:${user_id}`, first_name: '—' });
    const [report] = await world.db.asOwner('select location, sims from device_reports where device_id = $1', [
      sale.deviceId,
    ]);
    expect(report).toEqual({ location: null, sims: [] });
    expect((await ledger.checkWhole(world.db, ORG)).faults).toEqual([]);
    expect((await audit.checkAll(world.db, ORG)).faults).toEqual([]);
  });

  it('leaves no word of why a late fee was waived, or of why somebody said no: that there was one stays', async () => {
    const [sale, other] = [await finished(), await finished()];
    const said = 'Kanarienvogel lost her job';
    const [charge_id, batch_id] = [newId(), newId()];
    const by = world.shop.userId;
    const waivers: string[] = [];
    const waiver = async ({ agreement }: Sale, charge: string, state: string, note: string | null): Promise<void> => {
      waivers.push(newId());
      await world.db.plant(
        ['waivers'],
        `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at, refusal_note)
         values ($1, $2, $3, $4, 100, $5, 100, $6, $7, now() - interval '1 day', $8, now() - interval '1 hour', $9)`,
        [ORG, waivers.at(-1), agreement.agreement_id, charge, said, state, by, world.second.userId, note],
      );
    };
    const charges = [charge_id, newId()];
    for (const [at, { agreement }] of [sale, other].entries()) {
      await world.db.plant(
        ['charges'],
        `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, waived_paise, charged_on) values ($1, $2, $3, 1, 500, 100, '2026-02-12')`,
        [ORG, charges[at], agreement.agreement_id],
      );
    }
    await waiver(sale, charge_id, 'granted', null);
    await waiver(sale, charge_id, 'refused', said);
    await waiver(other, charges[1]!, 'refused', said);
    await world.db.plant(
      ['batches', 'batch_parts'],
      `with b as (insert into batches (org_id, batch_id, command, reason, requested_by, created_at, finished_at, state, stopped_for, refusal_note, total)
         values ($1, $2, 'lock', 'EMI_OVERDUE', $3, now(), now(), 'stopped', 'NOT_APPROVED', $4, 2) returning org_id, batch_id)
       insert into batch_parts (org_id, batch_id, no, customer_ids) select org_id, batch_id, 1, array[$5, $6]::uuid[] from b`,
      [ORG, batch_id, by, said, sale.customerId, newId()],
    );
    // Whoever decided it is there no more.
    await world.db.asOwner('update users set is_active = false where user_id = $1', [world.second.userId]);
    await erase(sale);
    await world.db.asOwner('update users set is_active = true where user_id = $1', [world.second.userId]);
    const kept = await world.db.asOwner(
      'select state, reason, refusal_note, amount_paise::int as paise from waivers where waiver_id = any($1) order by array_position($1, waiver_id)',
      [waivers],
    );
    expect(kept).toEqual([
      { state: 'granted', reason: '—', refusal_note: null, paise: 100 },
      { state: 'refused', reason: '—', refusal_note: '—', paise: 100 },
      { state: 'refused', reason: said, refusal_note: said, paise: 100 },
    ]);
    const [batch] = await world.db.asOwner('select state, refusal_note from batches where batch_id = $1', [batch_id]);
    expect(batch).toEqual({ state: 'stopped', refusal_note: '—' });
    const write = (text: string) =>
      expect(world.inOrg((tx) => tx.query(text, [waivers[2]]))).rejects.toThrow('facts stay as they were written');
    await write(`update waivers set reason = '—' where waiver_id = $1`);
    await write(`update waivers set refusal_note = '—' where waiver_id = $1`);
    await world.db.plant(['waivers'], 'delete from waivers where waiver_id = any($1)', [waivers]);
    await world.db.plant(['charges'], 'delete from charges where charge_id = any($1)', [charges]);
  });

  it('leaves the keys of requests used up: one that is repeated late neither sells nor orders anew', async () => {
    const sale = await finished();
    const claim = { actor: world.shop.userId, key: newId(), requestHash: Buffer.from('the same') };
    let times = 0;
    const ask = () =>
      world.inOrg((tx) =>
        withIdempotency(tx, claim, async () => {
          times += 1;
          return { status: 200, body: { customer_id: sale.customerId, first_name: 'Kanarienvogel' } };
        }),
      );
    await ask();
    expect(await ask()).toMatchObject({ replayed: true });
    await erase(sale);
    await expect(ask()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(times).toBe(1);
  });

  it('takes no picture of them any more, beside it neither, and lets go of one that was taken when it could be', async () => {
    const sale = await finished();
    const keep = (tx: Tx, id: string) =>
      tx.query(
        `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
         values ($1, $2, $3, 'pan', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $4, kist_now())`,
        [ORG, id, sale.customerId, world.shop.userId],
      );
    const late = newId();
    let beside: Promise<string> | undefined;
    await world.inOrg(async (tx) => {
      await sales.eraseCustomer(tx, world.shop, { customer_id: sale.customerId });
      beside = outcome(world.inOrg((other) => keep(other, newId())));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(await beside).toMatch('the customer was erased');
    await expect(world.inOrg((tx) => keep(tx, newId()))).rejects.toThrow('the customer was erased');
    await world.db.plant(
      ['documents'],
      `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
       values ($1, $2, $3, 'pan', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $4, now())`,
      [ORG, late, sale.customerId, world.shop.userId],
    );
    await erase(sale);
    expect(
      await world.db.asOwner('select gone_at is not null as gone from documents where document_id = $1', [late]),
    ).toEqual([{ gone: true }]);
    const told = `select data from audit_lines where subject_id = $1 and action = 'documents_deleted'`;
    expect(await world.db.asOwner(told, [sale.customerId])).toEqual([{ data: { document_ids: [late] } }]);
  });

  it('is told with its day on the customer’s page, which takes no edit any more, and has the EMIs as they were', async () => {
    const sale = await paidOff();
    const { customerId: customer_id } = sale;
    const profile = () => world.inOrg((tx) => reports.customerProfile(tx, world.shop, { customer_id }));
    const before = await profile();
    expect(before.erasure).toBeNull();
    expect(before.edit_actions).not.toEqual([]);
    const { erased_at, evidence_until, books_until } = await erase(sale);
    const after = await profile();
    expect(after.erasure).toEqual({ erased_at, evidence_until, books_until });
    expect(after.edit_actions).toEqual([]);
    expect(isErased(after.customer)).toBe(true);
    expect(after.agreement).toEqual(before.agreement);
  });

  it('said again answers the same and writes nothing', async () => {
    const sale = await finished();
    const first = await erase(sale);
    const lines = async () =>
      (await world.db.asOwner(`select seq from audit_lines where subject_id = $1`, [sale.customerId])).length;
    const before = await lines();
    expect(await erase(sale)).toEqual(first);
    expect(await lines()).toBe(before);
  });

  it('is the customer’s own to ask for, and nobody else’s', async () => {
    const sale = await finished();
    const stranger = await makeRetailer(world.db, ORG);
    await expect(erase(sale, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(erase(sale, customerOf(world, { customerId: newId() }))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const word = { ...world.shop, access: { ...world.shop.access, active_deactive: '0' as const } };
    for (const ask of [erase, preview])
      await expect(ask(sale, word)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    await erase(sale, customerOf(world, sale));
    const [row] = await world.db.asOwner('select asked_as from erasures where customer_id = $1', [sale.customerId]);
    expect(row).toEqual({ asked_as: 'customer' });
  });

  it('is undone by nobody: neither the server nor the owner writes a name again, deletes the note of it or sells anew', async () => {
    const sale = await finished();
    await erase(sale);
    const again = `update customers set first_name = 'Somebody' where customer_id = '${sale.customerId}'`;
    await expect(world.inOrg((tx) => tx.query(again))).rejects.toThrow('no name any more');
    await expect(world.db.asOwner(again)).rejects.toThrow('no name any more');
    await expect(world.db.asOwner('delete from erasures')).rejects.toThrow('what was written stays');
    await expect(
      world.db.asOwner(`update consent_confirmations set mobile = 'erased' where customer_id = $1`, [sale.customerId]),
    ).rejects.toThrow('a correction is a new row');
  });

  it('what proves a consent goes when its time is over, and not a day before', async () => {
    const sale = await finished();
    const signature = newId();
    await world.db.asOwner(
      `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
       values ($1, $2, $3, 'signature', 'image/png', 9, '', decode(repeat('00', 65), 'hex'), $4, now())`,
      [ORG, signature, sale.customerId, world.shop.userId],
    );
    await world.db.plant(
      ['consents'],
      `insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id)
       values ($1, $2, $3, '1', '', 'en', 'signature', now(), $4)`,
      [ORG, newId(), sale.agreement.agreement_id, signature],
    );
    const { evidence_until } = await erase(sale);
    const isGone = async () =>
      (
        await world.db.asOwner<{ gone: boolean }>(
          'select gone_at is not null as gone from documents where document_id = $1',
          [signature],
        )
      )[0]!.gone;
    await world.at(`${evidence_until}T00:00:00`.replace(/T.*/, 'T12:00:00'));
    await world.db.asOwner(`update clock_offset set shift = shift - interval '1 day'`);
    expect(await forgetOld(world.db, ORG)).toMatchObject({ evidence: 0 });
    expect(await isGone()).toBe(false);
    await world.db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
    expect((await forgetOld(world.db, ORG)).evidence).toBeGreaterThan(0);
    expect(await isGone()).toBe(true);
    expect(await forgetOld(world.db, ORG)).toMatchObject({ evidence: 0 });
  });
});

it.each([
  ['2026-03-31', '2029-03-31', '2034-03-31'],
  ['2026-04-01', '2029-04-01', '2035-03-31'],
  ['2028-02-29', '2031-03-01', '2036-03-31'],
])('of %s proofs are kept until %s and books until %s', (day, evidence_until, books_until) => {
  expect(keptUntil(day as IsoDate)).toEqual({ evidence_until, books_until });
});
