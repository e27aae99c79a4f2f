import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { localesDir } from '#server/compose.ts';
import { newId } from '#server/platform/ids.ts';
import { imei, makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { type TestApp, createTestApp } from '#test/http.ts';
import { publicImeiRoutes } from './public-imei.ts';

const UNKNOWN = '490154203237518';
let shop: TestApp;
let sold: { imei1: string; imei2: string | null; device_id: string };
beforeAll(async () => {
  shop = await createTestApp({ settings: { localesDir }, register: publicImeiRoutes });
  for (const orgId of [20, 36]) await makeOrganisation(shop.db, orgId);
  const retailer = await makeRetailer(shop.db, 36);
  const { deviceId } = await shop.db.transaction(36, (tx) => makeSale(tx, retailer));
  [sold] = (await shop.db.asOwner('select imei1, imei2, device_id from devices where device_id = $1', [deviceId])) as [
    typeof sold,
  ];
});

const ask = (imei: unknown, ip = '203.0.113.7') =>
  shop.app.fastify.inject({
    method: 'POST',
    url: '/public/imei',
    remoteAddress: ip,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ imei }),
  });
const askPage = (imei: string, lang = 'en') =>
  shop.app.fastify.inject({
    method: 'POST',
    url: '/public/imei',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ imei, lang }).toString(),
  });
/** What says nothing of the number itself. */
const withoutNumber = (page: string, imei: string) => page.replaceAll(imei, '');

describe('the check of a phone’s number', () => {
  it('says of a phone of any shop that it is under an agreement, and nothing more; when it is released, that it is free', async () => {
    const held = await ask(sold.imei1);
    expect([held.statusCode, held.json()]).toEqual([200, { state: 'under_agreement' }]);
    const spaced = `${sold.imei1.slice(0, 6)} ${sold.imei1.slice(6)}`;
    expect((await ask(spaced)).json()).toEqual({ state: 'under_agreement' });
    await shop.db.asOwner('update devices set released_at = kist_now() where device_id = $1', [sold.device_id]);
    expect((await ask(sold.imei1)).json()).toEqual({ state: 'free' });
    await shop.db.asOwner('update devices set released_at = null where device_id = $1', [sold.device_id]);
  });

  it('answers in whole quarters of a second, also when the database takes its time', async () => {
    const held = shop.db.asOwner(
      `do $$ begin lock table devices in access exclusive mode; perform pg_sleep(0.7); end $$`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const from = performance.now();
    await ask(UNKNOWN);
    await held;
    // The look took between 0.6 and 0.75 of a second.
    expect(performance.now() - from).toBeGreaterThan(745);
  });

  it('says the same by the second number of a phone with two', async () => {
    const second = imei(880_001);
    expect((await ask(second)).json()).toEqual({ state: 'free' });
    await shop.db.asOwner('update devices set imei2 = $2 where device_id = $1', [sold.device_id, second]);
    expect((await ask(second)).json()).toEqual({ state: 'under_agreement' });
    expect((await ask(sold.imei1)).json()).toEqual({ state: 'under_agreement' });
  });

  it('answers of a number that nobody knows as of a free one, to the letter and not sooner', async () => {
    await shop.db.asOwner('update devices set released_at = kist_now() where device_id = $1', [sold.device_id]);
    const free = await askPage(sold.imei1);
    await shop.db.asOwner('update devices set released_at = null where device_id = $1', [sold.device_id]);
    const from = performance.now();
    const unknown = await askPage(UNKNOWN);
    expect(performance.now() - from).toBeGreaterThanOrEqual(245);
    expect(withoutNumber(unknown.payload, UNKNOWN)).toBe(withoutNumber(free.payload, sold.imei1));
    expect(unknown.statusCode).toBe(free.statusCode);
    const names = (answer: typeof free) =>
      Object.keys(answer.headers).filter((name) => !/^(x-request-id|date)$/.test(name));
    expect(names(unknown)).toEqual(names(free));
  });

  it('looks for nothing that is no IMEI', async () => {
    for (const wrong of ['490154203237519', '12', '', 'x'.repeat(500), null, { a: 1 }])
      expect((await ask(wrong)).statusCode, JSON.stringify(wrong)).toBeGreaterThanOrEqual(400);
    const page = await askPage('"><script>1</script>');
    expect(page.statusCode).toBe(400);
    expect(page.payload).toContain('aria-invalid');
    expect(page.payload).not.toContain('<script');
  });

  it('is a page in ten languages without script, cookie or number in its address', async () => {
    const titles = new Set<string>();
    for (const language of LANGUAGES) {
      const page = await askPage(sold.imei1, language);
      expect(page.payload).not.toMatch(/imei_check\.|\{\{|<script/);
      expect(page.headers['set-cookie']).toBeUndefined();
      expect(page.headers['content-security-policy']).toContain("form-action 'self'");
      titles.add(/<h1>(.*)<\/h1>/.exec(page.payload)![1]!);
    }
    expect(titles.size).toBe(LANGUAGES.length);
    const form = await shop.app.fastify.inject({ url: '/public/imei', headers: { 'accept-language': 'mr' } });
    expect(form.payload).toContain('lang="mr"');
    expect(form.payload).toContain('method="post"');
  });
});

it('one address asks twenty times a minute; another is not made to wait for it', async () => {
  const strict = await createTestApp({ settings: { localesDir }, register: publicImeiRoutes, limitFactor: 1 });
  const one = (ip: string) =>
    strict.app.fastify.inject({
      method: 'POST',
      url: '/public/imei',
      remoteAddress: ip,
      headers: { 'content-type': 'application/json', 'x-request-id': newId() },
      payload: JSON.stringify({ imei: UNKNOWN }),
    });
  const answers = await Promise.all(Array.from({ length: 24 }, () => one('198.51.100.1')));
  expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(2);
  expect(answers.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBeDefined();
  expect((await one('192.0.2.1')).statusCode).toBe(200);
});
