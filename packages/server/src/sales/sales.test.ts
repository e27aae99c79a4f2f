import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { PLAN } from '@kist/contract/codes';
import { localesDir } from '#server/compose.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import * as reports from '#server/reports/reports.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { type ListCustomersQuery, listCustomersQuery } from '@kist/contract/customers';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, imei, makeOrganisation, makeRetailer, setClock } from '#test/factories.ts';
import { png } from '#test/png-file.ts';
import { createServices } from '#test/services.ts';
import * as sales from './sales.ts';

const services = createServices(await createTestDatabase());
const { db } = services;
let shop: Actor;
let serial = 900;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await setClock(db, '2026-04-10T11:00:00');
  await giveKeys(db, shop, { count: 20 });
});

const whole = (change: object = {}) => ({
  plan_id: 1,
  customer: { first_name: 'Savita', last_name: 'More', mobile: '9812345678', aadhaar_last4: '1234', pan: 'ABCDE1234F' },
  device: { imei1: imei(++serial), brand: 'Redmi', model: '13C' },
  emi: {
    method: 'FLAT',
    cash_price: 14_000_00,
    down_payment: 0,
    rate_bps: 1800,
    tenure: 12,
    frequency: 'MONTHLY',
    delivered_on: '2026-04-10',
  },
  consent: { text_version: '1', language: 'hn', method: 'typed', typed_name: 'Savita More', accepted: true },
  ...change,
});
const send = (body: object) => db.transaction(20, (tx) => sales.register(tx, shop, registerBodySchema.parse(body)));
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const list = (actor: Actor, query: ListCustomersQuery) =>
  db.read(20, (tx) => reports.customerList(tx, actor, listCustomersQuery.parse(query)));
const keys = async () => (await db.read(20, (tx) => wallet.keysOf(tx, shop.userId)))[0]!;

describe('registering a customer', () => {
  it('reserves one key, signs the agreement with its policy, and keeps the consent, in one transaction', async () => {
    const before = await keys();
    const done = await send(whole());
    expect(done).toMatchObject({ is_draft: false, status: 0, agreement_no: expect.stringMatching(/^20-\d{5}$/) });
    expect(await keys()).toEqual({ ...before, paid: before.paid - 1, reserved: before.reserved + 1 });
    const seen = await db.read(20, (tx) => reports.customerProfile(tx, shop, done));
    expect(seen.customer).toMatchObject({
      mobile: '+919812345678',
      aadhaar_masked: '•••• •••• 1234',
      pan_masked: 'AB••••••4F',
    });
    expect(seen.agreement).toMatchObject({ emi_paise: 1_377_00, tenure: 12, next_due_on: '2026-05-10' });
    expect(seen.steps.map((step) => step.is_done)).toEqual([true, true, true, true, true, false, false]);
    expect((await db.read(20, (tx) => checkBooks(tx))).differences).toEqual([]);
  });

  it('without a key left changes nothing', async () => {
    const poor = await makeRetailer(db, 20);
    const refused = db.transaction(20, (tx) => sales.register(tx, poor, registerBodySchema.parse(whole())));
    expect(await code(refused)).toBe('INSUFFICIENT_KEYS');
    const { total } = await list(poor, {});
    expect(total).toBe(0);
  });

  it('names every part that is missing', async () => {
    const refused = send({ plan_id: 1 }).catch((error: { options: { fields: { path: string }[] } }) =>
      error.options.fields.map((field) => field.path),
    );
    expect(await refused).toEqual(['customer', 'device', 'emi', 'consent']);
  });

  it.each([
    ['2026-04-10', 'accepted'],
    ['2026-04-07', 'accepted'],
    ['2026-04-06', 'INVALID_INPUT'],
    ['2026-04-11', 'INVALID_INPUT'],
    ['2025-04-10', 'INVALID_INPUT'],
    ['2062-04-10', 'INVALID_INPUT'],
  ])('of a phone handed over on %s on 10 April 2026 is %s', async (deliveredOn, expected) => {
    const body = whole();
    const done = send({ ...body, emi: { ...body.emi, delivered_on: deliveredOn } });
    expect(await code(done)).toBe(expected);
    if (expected === 'INVALID_INPUT')
      await expect(done).rejects.toMatchObject({
        options: { fields: [{ path: 'emi.delivered_on', key: 'field.delivered_on' }] },
      });
  });

  it('counts the days in India: at 20:00 UTC on 10 April the 11th has begun there', async () => {
    await setClock(db, '2026-04-11T01:30:00');
    const body = whole();
    expect(await code(send({ ...body, emi: { ...body.emi, delivered_on: '2026-04-11' } }))).toBe('accepted');
    expect(await code(send({ ...body, emi: { ...body.emi, delivered_on: '2026-04-07' } }))).toBe('INVALID_INPUT');
    await setClock(db, '2026-04-10T11:00:00');
  });

  it('refuses a phone that is under management already, and a consent text it never had', async () => {
    const body = whole();
    await send(body);
    expect(await code(send(whole({ device: body.device })))).toBe('DUPLICATE_IMEI');
    expect(await code(send(whole({ consent: { ...body.consent, text_version: '9' } })))).toBe('INVALID_INPUT');
  });

  it.each(['1', '2'])('keeps the words of clause %s as they stood on the screen', async (text_version) => {
    const body = whole();
    const { agreement_id } = await send({ ...body, consent: { ...body.consent, text_version } });
    const locale = JSON.parse(readFileSync(path.join(localesDir, 'hn.json'), 'utf8'));
    const rows = await db.asOwner(
      'select text_version, language, encode(text_hash, $2) as hash from consents where agreement_id = $1',
      [agreement_id, 'hex'],
    );
    const hash = createHash('sha256').update(locale.consent[`text_v${text_version}`]).digest('hex');
    expect(rows).toEqual([{ text_version, language: 'hn', hash }]);
  });

  it.each([
    ['anti-hacking', 3],
    ['one that was withdrawn', 4],
    ['AMAPI, chosen by the plan', 5],
  ])('sells no plan that it cannot deliver: %s; no draft is begun and no key set aside', async (_plan, planId) => {
    await db.asOwner(
      `insert into plans (org_id, plan_id, plan_type, provisioning_type, name, is_active)
       values (20, 4, 0, null, 'Last year', false), (20, 5, 0, 1, 'EMI Google', true) on conflict do nothing`,
    );
    await giveKeys(db, shop, { planType: PLAN.LINKFL });
    const count = async () => (await list(shop, {})).total;
    const before = [await count(), await db.read(20, (tx) => wallet.keysOf(tx, shop.userId))];
    expect(await code(send(whole({ plan_id: planId })))).toBe('PLAN_NOT_ON_SALE');
    expect(await code(send({ draft: true, plan_id: planId }))).toBe('PLAN_NOT_ON_SALE');
    const draft = await send({ draft: true, plan_id: 1 });
    expect(await code(send(whole({ plan_id: planId, customer_id: draft.customer_id })))).toBe('PLAN_NOT_ON_SALE');
    await db.transaction(20, (tx) => sales.deleteDraft(tx, shop, draft));
    expect([await count(), await db.read(20, (tx) => wallet.keysOf(tx, shop.userId))]).toEqual(before);
  });

  it('reaches the phone as the plan says, where its plane runs', async () => {
    const google = db.with({ ...db.ports, sales: { ...db.ports.sales, planes: ['DPC', 'AMAPI'] } });
    const { device_id } = await google.transaction(20, (tx) =>
      sales.register(tx, shop, registerBodySchema.parse(whole({ plan_id: 5 }))),
    );
    const typeOf = async (id: string | null) =>
      (await db.asOwner('select provisioning_type as type from devices where device_id = $1', [id]))[0];
    expect(await typeOf(device_id)).toEqual({ type: 1 });
    expect(await typeOf((await send(whole())).device_id)).toEqual({ type: 0 });
  });

  it('takes a granted key before a paid one', async () => {
    const both = await makeRetailer(db, 20);
    await giveKeys(db, both);
    await giveKeys(db, both, { lot: 'granted' });
    await db.transaction(20, (tx) => sales.register(tx, both, registerBodySchema.parse(whole())));
    expect(await db.read(20, (tx) => wallet.keysOf(tx, both.userId))).toMatchObject([
      { paid: 1, granted: 0, reserved: 1 },
    ]);
  });

  it('twice at once with the last key sells one phone', async () => {
    const lean = await makeRetailer(db, 20);
    await giveKeys(db, lean, { lot: 'granted' });
    const both = await Promise.all(
      [whole(), whole()].map((body) =>
        code(db.transaction(20, (tx) => sales.register(tx, lean, registerBodySchema.parse(body)))),
      ),
    );
    expect(new Set(both)).toEqual(new Set(['INSUFFICIENT_KEYS', 'accepted']));
  });
});

const addSignature = ({ customer_id }: { customer_id: string }) =>
  documents.keep(db, shop, { customer_id, document_type: 'signature', bytes: png() });
const documentsOf = async ({ customer_id }: { customer_id: string }) =>
  (await db.asOwner('select from documents where customer_id = $1', [customer_id])).length;

describe('a draft', () => {
  it('costs nothing, gives back what was typed, and becomes a customer', async () => {
    const before = await keys();
    const draft = await send({
      draft: true,
      plan_id: 1,
      customer: whole().customer,
      draft_state: { step: 'device', typed: { imei1: '35' } },
    });
    expect(draft).toMatchObject({ is_draft: true, agreement_id: null });
    expect(await keys()).toEqual(before);
    const seen = await db.read(20, (tx) => reports.customerProfile(tx, shop, draft));
    expect(seen.draft).toMatchObject({
      draft_state: { step: 'device', typed: { imei1: '35' } },
      customer: { first_name: 'Savita' },
    });
    expect(JSON.stringify(seen.draft)).not.toContain('ABCDE1234F');
    expect(await send(whole({ customer_id: draft.customer_id }))).toMatchObject({
      customer_id: draft.customer_id,
      is_draft: false,
    });
    expect(await code(send(whole({ customer_id: draft.customer_id })))).toBe('STATE_CONFLICT');
  });

  it('can be deleted; a signed one can not', async () => {
    const draft = await send({ draft: true, plan_id: 1 });
    await addSignature(draft);
    expect(await db.transaction(20, (tx) => sales.deleteDraft(tx, shop, draft))).toEqual({ keys_returned: 0 });
    expect(await documentsOf(draft)).toBe(0);
    expect(await code(db.read(20, (tx) => reports.customerProfile(tx, shop, draft)))).toBe('NOT_FOUND');
    const before = await keys();
    const signed = [await send(whole()), await send({ draft: true, plan_id: 1 })];
    // A sale without instalments has no agreement.
    await db.asOwner('update customers set is_draft = false where customer_id = $1', [signed[1]!.customer_id]);
    for (const { customer_id } of signed) {
      await addSignature({ customer_id });
      expect(await code(db.transaction(20, (tx) => sales.deleteDraft(tx, shop, { customer_id })))).toBe(
        'STATE_CONFLICT',
      );
      const seen = await db.read(20, (tx) => reports.customerProfile(tx, shop, { customer_id }));
      expect(seen.customer).toMatchObject({ customer_id });
      expect(await documentsOf({ customer_id })).toBe(1);
    }
    expect(await keys()).toEqual({ ...before, paid: before.paid - 1, reserved: before.reserved + 1 });
  });
});

describe('a reserved key', () => {
  it('is spent once when the phone enrols, and comes back by itself after seven days when nobody does', async () => {
    const enrolled = await send(whole());
    const waiting = await send(whole());
    const before = await keys();
    await db.transaction(20, (tx) => wallet.spend(tx, shop, { customer_id: enrolled.customer_id }));
    await db.transaction(20, (tx) => wallet.spend(tx, shop, { customer_id: enrolled.customer_id }));
    expect(await keys()).toEqual({ ...before, reserved: before.reserved - 1 });
    await setClock(db, '2026-04-18T11:00:00');
    await db.transaction(20, (tx) => wallet.expire(tx, shop));
    expect(await keys()).toMatchObject({ reserved: 0, paid: before.paid + before.reserved - 1 });
    expect(await db.transaction(20, (tx) => wallet.expire(tx, shop))).toBe(0);
    expect((await db.read(20, (tx) => checkBooks(tx))).differences).toEqual([]);
    expect(waiting.customer_id).toBeTruthy();
  });
});

describe('the list', () => {
  it('pages without gaps or repeats whatever order the pages are opened in', async () => {
    for (const sort of ['newest', 'name', 'due'] as const) {
      const pages = new Map<number, string[]>();
      for (const page of [1, 3, 2, 4])
        pages.set(
          page,
          (await list(shop, { page, page_size: 2, sort })).list.map((row) => row.customer_id),
        );
      const ids = [...pages.entries()].toSorted(([a], [b]) => a - b).flatMap(([, rows]) => rows);
      expect(new Set(ids).size).toBe(ids.length);
      const all = await list(shop, { page_size: 100, sort });
      expect(all.list.map((row) => row.customer_id).slice(0, ids.length)).toEqual(ids);
    }
  });
  it('finds by name, mobile, IMEI and agreement number, and takes wildcards as letters', async () => {
    await setClock(db, '2026-04-10T11:00:00');
    const { agreement_no } = await send(whole({ customer: { first_name: 'Zubeida', mobile: '9700000123' } }));
    const found = async (search: string) => (await list(shop, { search })).total;
    expect([
      await found('zubei'),
      await found('9700000123'),
      await found(imei(serial)),
      await found(agreement_no!),
    ]).toEqual([1, 1, 1, 1]);
    expect([await found('%'), await found('97000_0123'), await found("'; drop table customers; --")]).toEqual([
      0, 0, 0,
    ]);
  });
});
