import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, PLAN, PROVISIONING } from '@kist/contract/codes';
import { DAY_MS } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { account, open } from '#server/agreements/agreements.ts';
import { localesDir } from '#server/compose.ts';
import { create } from '#server/devices/devices.ts';
import { NOTICE_PAGE_PATH, noticeLink, renewLink } from '#server/notices/notices.ts';
import { newId } from '#server/platform/ids.ts';
import { noticePage, payTo } from '#server/reports/reports.ts';
import { imei, moveAgreement, terms } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { noticeLinkRoutes } from './notice-links.ts';

const making = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
let world: LockWorld;
let shop: TestApp;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  shop = await createTestApp({
    settings: { localesDir },
    database: world.db,
    register: (app) => noticeLinkRoutes(app, making, world.locking),
  });
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14']) await world.day(day);
  await world.deliver();
});

const linkFor = async ({ customerId }: Sale): Promise<string> =>
  (await world.inOrg((tx) => noticeLink(tx, making, world.shop, { customer_id: customerId }))).url;
const pathOf = (url: string) => url.slice(making.publicUrl.length);
const get = (path: string, headers = {}) => shop.app.fastify.inject({ url: path, headers });
/** Without the links to the page in other languages, which repeat what was asked for. */
const bare = (payload: string) => payload.replaceAll(/<nav>[^]*<\/nav>/g, '');

describe('the link to a page of notices', () => {
  it('stands in the notice before a lock and in the lock’s own message, and opens the page', async () => {
    const told = world.texts.filter(({ template }) => template === 'notice' || template === 'locked');
    expect(told.length).toBeGreaterThan(0);
    for (const { body } of told) {
      const [url] = /https:\/\/\S+$/.exec(body) ?? [];
      expect(url).toBe(await linkFor(sale));
      expect((await get(pathOf(url!))).statusCode).toBe(200);
    }
  });

  it('is no part of what is kept of a message, nor of what the phone is told', async () => {
    const kept = await world.db.asOwner<{ body: string }>(
      `select body from notices union all select args ->> 'text' from commands where args ->> 'text' is not null`,
    );
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.filter(({ body }) => body.includes(`${NOTICE_PAGE_PATH}/`))).toEqual([]);
    const onPhone = await world.db.asOwner<{ body: string }>(
      `select body from notices where channel = 'phone' and kind = 'notice'`,
    );
    for (const { body } of onPhone) expect(body).toMatch(/call \+91\d{10}\.$/);
  });

  it('is not shown in the messages on the page that it leads to', async () => {
    const { agreement, customerId, deviceId } = sale;
    const of = { agreement_id: agreement.agreement_id, customer_id: customerId, device_id: deviceId };
    const bodies = (await world.inOrg((tx) => noticePage(tx, of))).messages.map(({ body }) => body);
    const link = await linkFor(sale);
    const sent = world.texts.filter(({ body }) => body.endsWith(link));
    expect(sent.length).toBeGreaterThan(0);
    for (const { body } of sent) expect(bodies).toContain(body.slice(0, -link.length).replace(/\s*\S+:\s*$/, ''));
    expect(bodies.join('\n')).not.toContain(`${NOTICE_PAGE_PATH}/`);
  });

  it('holds nothing about a person, and 128 bits that nobody can guess', async () => {
    const link = pathOf(await linkFor(sale));
    expect(link).toMatch(/^\/n\/20\.[\w-]{22}\.[\w-]{22}$/);
    expect(Buffer.from(link.slice(-22), 'base64url')).toHaveLength(16);
  });

  it('is given anew to who repeats the request for another one, and stands in no kept reply', async () => {
    const one = await world.sell();
    const first = await linkFor(one);
    const token = await createSession(world.db, { orgId: ORG, userId: world.shop.userId, mobile: '' });
    const idempotencyKey = newId();
    const ask = () => shop.call('renewNoticeLink', { token, idempotencyKey, body: { customer_id: one.customerId } });
    const { url } = (await ask()).data;
    expect(url).not.toBe(first);
    expect(await linkFor(one)).toBe(url);
    expect((await ask()).data).toEqual({ url });
    const kept = await world.db.asOwner<{ reply: string }>(
      'select reply::text as reply from idempotency_keys where key = $1',
      [idempotencyKey],
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]!.reply).not.toContain(NOTICE_PAGE_PATH);
    expect(kept[0]!.reply).not.toContain(url.slice(-22));
  });

  it('opens for nobody who changes it, with another agreement’s proof, in another organisation, or after it was replaced; and all of that looks alike', async () => {
    const [own, others] = [pathOf(await linkFor(sale)), pathOf(await linkFor(await world.sell()))];
    const [, , id, mac] = /^\/n\/(20)\.(.{22})\.(.{22})$/.exec(own)!;
    const gone = await get(`/n/20.${id}.${'A'.repeat(22)}`);
    expect(gone.statusCode).toBe(404);
    const replaced = await linkFor(await renewed());
    const wrong = [
      `/n/20.${id}.${others.slice(-22)}`,
      `/n/36.${id}.${mac}`,
      `/n/20.${'A'.repeat(22)}.${mac}`,
      `/n/0.${id}.${mac}`,
      '/n/20.x.y',
      '/n/1',
      `/n/${'9'.repeat(190)}`,
      replaced === '' ? '' : firstOfRenewed,
    ];
    for (const path of wrong) {
      const answer = await get(path);
      expect([answer.statusCode, bare(answer.payload)], path).toEqual([404, bare(gone.payload)]);
    }
    expect((await get(pathOf(replaced))).statusCode).toBe(200);
  });

  it('opens for half a year after the last word about an agreement that is over, and then no more', async () => {
    const over = await world.sell();
    const link = pathOf(await linkFor(over));
    const { instalmentIds } = await world.inOrg((tx) => account(tx, over.agreement));
    const all = { customer_id: over.customerId, instalment_ids: [...instalmentIds.values()] };
    await world.inOrg((tx) => world.payments.recordMany(tx, world.shop, { ...all, method: 'CASH', reference: '' }));
    expect((await get(`${link}?lang=en`)).payload).toContain('All EMIs are paid');
    const { rows } = await world.inOrg((tx) =>
      tx.query<{ last: Date }>('select max(created_at) as last from notices where agreement_id = $1', [
        over.agreement.agreement_id,
      ]),
    );
    const after = (days: number) =>
      world.at(new Date(rows[0]!.last.getTime() + (days + 5.5 / 24) * DAY_MS).toISOString().slice(0, 19));
    await after(179.9);
    expect((await get(link)).statusCode).toBe(200);
    await after(180.1);
    expect((await get(link)).statusCode).toBe(404);
    await world.at('2026-03-14T18:00:00');
  });

  it('is the customer’s own and the shop’s, nobody else’s', async () => {
    const stranger = { ...world.shop, userId: newId(), visibleOwnerIds: [newId()] };
    const asked = { customer_id: sale.customerId };
    await expect(world.inOrg((tx) => noticeLink(tx, making, stranger, asked))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(world.inOrg((tx) => renewLink(tx, stranger, asked))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('after a link was replaced', () => {
  it('the next message carries the new one, which opens, and not the one that is dead', async () => {
    await world.forgetDays();
    await world.at('2026-03-05T12:00:00');
    const one = await world.sell();
    const dead = await linkFor(one);
    await world.inOrg((tx) => renewLink(tx, world.shop, { customer_id: one.customerId }));
    const link = await linkFor(one);
    const before = world.texts.length;
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    const told = world.texts
      .slice(before)
      .filter(({ body }) => body.includes(one.agreement.agreement_no) && body.includes(`${NOTICE_PAGE_PATH}/`));
    expect(told.length).toBeGreaterThan(0);
    for (const { body } of told) expect([body.endsWith(link), body.includes(dead)]).toEqual([true, false]);
    expect((await get(pathOf(link))).statusCode).toBe(200);
    await world.at('2026-03-14T18:00:00');
  });

  it('while a complaint was on its way the complaint is not taken', async () => {
    const one = await world.sell();
    let isReplaced = false;
    /** Between the look at the link and the transaction that writes. */
    const replacing = <D extends LockWorld['db']>(db: D): D => ({
      ...db,
      transaction: async (orgId, work) => {
        if (!isReplaced) await world.inOrg((tx) => renewLink(tx, world.shop, { customer_id: one.customerId }));
        isReplaced = true;
        return db.transaction(orgId, work);
      },
      with: (ports) => replacing(db.with(ports)),
    });
    const late = await createTestApp({
      settings: { localesDir },
      database: replacing(world.db),
      register: (app) => noticeLinkRoutes(app, making, world.locking),
    });
    const sent = await late.app.fastify.inject({
      method: 'POST',
      url: pathOf(await linkFor(one)),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ lang: 'en', no: '1', text: 'I paid in cash.' }).toString(),
    });
    expect([isReplaced, sent.statusCode]).toEqual([true, 404]);
    expect(
      await world.db.asOwner('select from disputes where agreement_id = $1', [one.agreement.agreement_id]),
    ).toEqual([]);
  });
});

let firstOfRenewed = '';
/** A sale whose link was replaced by another. */
async function renewed(): Promise<Sale> {
  const one = await world.sell();
  firstOfRenewed = pathOf(await linkFor(one));
  await world.inOrg((tx) => renewLink(tx, world.shop, { customer_id: one.customerId }));
  expect(pathOf(await linkFor(one))).not.toBe(firstOfRenewed);
  return one;
}

describe('the page', () => {
  it('says of a phone that its owner had locked that no payment opens it', async () => {
    const one = await world.sell();
    const page = async () => (await get(`${pathOf(await linkFor(one))}?lang=en`)).payload;
    expect(await page()).not.toContain('does not unlock');
    const owner = customerOf(world, one);
    await world.inOrg((tx) =>
      world.locking.reportLost(tx, owner, { customerId: one.customerId, kind: 'lost', note: '' }),
    );
    expect(await page()).toContain('A payment does not unlock it.');
  });

  it('says what is owed, what was told and what was done and by whom, how to pay and how to complain; of the person next to nothing', async () => {
    await world.db.asOwner('update users set upi_id = $2 where user_id = $1', [world.shop.userId, 'asha@upi']);
    const { payload, headers } = await get(`${pathOf(await linkFor(sale))}?lang=en`);
    const [person] = await world.db.asOwner<{ first_name: string; last_name: string; mobile: string; imei1: string }>(
      `select c.first_name, c.last_name, c.mobile, d.imei1 from customers c join devices d on d.org_id = c.org_id and d.customer_id = c.customer_id
       where c.customer_id = $1`,
      [sale.customerId],
    );
    expect(payload).toContain('Due since 10-03-2026');
    expect(payload).toContain('₹2,674');
    expect(payload).toContain('upi://pay?pa=asha@upi&amp;');
    expect(payload).toContain('always stay on');
    expect(payload).toContain('If this is wrong');
    expect(payload).toContain('automatic, by the lock rules');
    const [notice] = world.texts.filter(({ template }) => template === 'notice');
    expect(payload).toContain(notice!.body.split('.')[0]!.replaceAll('&', '&amp;'));
    expect(payload).toContain(`…${person!.imei1.slice(-4)}`);
    for (const secret of [person!.first_name, person!.mobile, person!.mobile.slice(3), person!.imei1])
      expect(payload).not.toContain(secret);
    expect(headers['set-cookie']).toBeUndefined();
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    expect(payload).not.toContain('<script');
    const trs = await Promise.all(
      [1, 2].map(async () => /tr=(\w+)/.exec((await get(pathOf(await linkFor(sale)))).payload)![1]),
    );
    expect(trs[0]).not.toBe(trs[1]);
  });

  it('tells what the customer said as the customer’s word: a phone held for its owner, and a payment that the shop has not confirmed', async () => {
    const [stolen, paid] = [await world.sell(), await world.sell()];
    const owner = { ...world.shop, userType: 'customer' as const, visibleOwnerIds: [] };
    const lost = { customerId: stolen.customerId, kind: 'theft' as const, note: '' };
    await world.inOrg((tx) => world.locking.reportLost(tx, { ...owner, customerIds: [stolen.customerId] }, lost));
    const pageOf = async (one: Sale) => (await get(`${pathOf(await linkFor(one))}?lang=en`)).payload;
    const held = await pageOf(stolen);
    expect(held).toMatch(/Customer says it is stolen<br><span class="soft">[^<]+ · by you</);
    for (const wrong of ['overdue:', 'by the shop', 'If nothing is paid', 'Days left'])
      expect(held).not.toContain(wrong);

    await world.inOrg((tx) =>
      world.locking.paymentClaimed(tx, { ...owner, customerIds: [paid.customerId] }, paid.agreement, {
        paymentId: newId(),
        amountPaise: 1_000_00,
      }),
    );
    const claimed = await pageOf(paid);
    expect(claimed).toMatch(/Customer says it is paid<br><span class="soft">[^<]+ · by you</);
    expect(claimed).not.toContain('Grace period');
  });

  it('names its bearer by a first sign and an initial, never by the family name', async () => {
    const [person] = await world.db.asOwner<{ last_name: string }>(
      'select last_name from customers where customer_id = $1',
      [sale.customerId],
    );
    const of = {
      agreement_id: sale.agreement.agreement_id,
      customer_id: sale.customerId,
      device_id: sale.deviceId,
    };
    expect((await world.inOrg((tx) => noticePage(tx, of))).name).toBe('I••• S.');
    const { payload } = await get(`${pathOf(await linkFor(sale))}?lang=en`);
    expect(payload).toContain('I••• S.');
    expect(payload).not.toContain(person!.last_name);
  });

  it('of an agreement that is over asks for no money of the one that came after it', async () => {
    const over = await world.sell();
    const { customerId, agreement } = over;
    const of = { agreement_id: agreement.agreement_id, customer_id: customerId, device_id: over.deviceId };
    await moveAgreement(world.db, agreement.agreement_id, 'cancelled');
    await world.db.asOwner('update devices set released_at = kist_now() where device_id = $1', [over.deviceId]);
    const next = await world.inOrg(async (tx) => {
      const phone = {
        customerId,
        provisioningType: PROVISIONING.DPC,
        imei1: imei(900_001),
        brand: 'Vivo',
        model: 'Y28',
      };
      return open(tx, world.shop, {
        customer_id: customerId,
        device_id: await create(tx, world.shop, phone),
        owner_user_id: world.shop.userId,
        plan_type: PLAN.DPC,
        terms: terms({ delivered_on: '2026-03-14', down_payment: 0 }),
        policy: POLICY_PRESETS.dealer,
      });
    });
    expect(await world.inOrg((tx) => payTo(tx, world.shop, { customer_id: customerId }))).toMatchObject({
      agreement_no: next.agreement_no,
      amount_paise: next.emi_paise,
    });
    const page = await world.inOrg((tx) => noticePage(tx, of));
    expect(page.pay).toMatchObject({ agreement_no: agreement.agreement_no, amount_paise: 0 });
  });

  it('speaks the customer’s language, and ten when asked', async () => {
    const link = pathOf(await linkFor(sale));
    const pages = new Set<string>();
    for (const language of LANGUAGES) {
      const { payload } = await get(`${link}?lang=${language}`);
      expect(payload).not.toMatch(/(?:notice_page|lock_timeline|mine|lock|emi)\.[a-z_]+|\{\{/);
      pages.add(payload);
    }
    expect(pages.size).toBe(LANGUAGES.length);
    const [{ language } = { language: '' }] = await world.db.asOwner<{ language: string }>(
      'select language from customers where customer_id = $1',
      [sale.customerId],
    );
    expect(language).toBe('en');
    await world.db.asOwner(`update customers set language = 'hn' where customer_id = $1`, [sale.customerId]);
    expect((await get(link, { 'accept-language': 'en' })).payload).toContain('lang="hi"');
    await world.db.asOwner(`update customers set language = 'en' where customer_id = $1`, [sale.customerId]);
    expect(ORG).toBe(20);
  });
});
