import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { localesDir } from '#server/compose.ts';
import type { Actor } from '#server/identity/identity.ts';
import { disputesOf } from '#server/locking/locking.ts';
import { noticeLink, renewLink } from '#server/notices/notices.ts';
import { newId } from '#server/platform/ids.ts';
import { type TestApp, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { noticeLinkRoutes } from './notice-links.ts';

const making = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
let world: LockWorld;
let shop: TestApp;
let strict: TestApp;
let admin: Actor;
beforeAll(async () => {
  world = await createLockWorld();
  const register = (app: Parameters<typeof noticeLinkRoutes>[0]) => noticeLinkRoutes(app, making, world.locking);
  shop = await createTestApp({ settings: { localesDir }, database: world.db, register });
  strict = await createTestApp({ settings: { localesDir }, database: world.db, register, limitFactor: 1 });
  admin = { ...world.shop, userType: 'admin', visibleOwnerIds: [] };
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
});

const pathOf = async ({ customerId }: Sale): Promise<string> =>
  (await world.inOrg((tx) => noticeLink(tx, making, world.shop, { customer_id: customerId }))).url.slice(
    making.publicUrl.length,
  );
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}, at = shop) =>
  at.app.fastify.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams({ lang: 'en', ...form }).toString(),
  });
const read = async (path: string, lang = 'en') =>
  (await shop.app.fastify.inject({ url: `${path}?lang=${lang}` })).payload;
const seen = ({ agreement }: Sale) => world.db.read(ORG, (tx) => disputesOf(tx, agreement.agreement_id));
const statesOf = async (sale: Sale) => (await seen(sale)).map(({ state }) => state);
const answer = async (sale: Sale, outcome: string, by = world.shop) => {
  const [{ dispute_id: disputeId } = { dispute_id: '' }] = await seen(sale);
  await world.inOrg((tx) => world.locking.closeDispute(tx, by, { disputeId, outcome }));
  return disputeId;
};
const complaint = { no: '1', text: 'I paid in cash on the 9th.' };

describe('a complaint by the link of a page of notices', () => {
  it('is the customer’s own about one EMI: it stops every raise, the shop hears of it, and the record says that it came by the link and from where', async () => {
    const sale = await world.sell();
    await world.day('2026-03-11');
    const path = await pathOf(sale);
    const sent = await post(path, { no: '2', text: 'Wrong\r\namount' });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `${path}?lang=en`]);
    expect(await seen(sale)).toMatchObject([
      { state: 'open', instalment_no: 2, moves: [{ by: 'customer', text: 'Wrong\namount' }] },
    ]);
    const [row] = await world.db.asOwner<{ channel: string }>('select channel from disputes where agreement_id = $1', [
      sale.agreement.agreement_id,
    ]);
    expect(row).toEqual({ channel: 'link' });
    const lines = await world.db.asOwner<{ data: object; actor: { user_type: string; ip: string } }>(
      `select data, actor from audit_lines where subject_id = $1 and action = 'dispute_opened'`,
      [sale.agreement.agreement_id],
    );
    expect(lines).toMatchObject([{ data: { channel: 'link', instalment_no: 2 }, actor: { user_type: 'system' } }]);
    expect(lines[0]!.actor.ip).toBe('127.0.0.1');
    for (const day of ['2026-03-12', '2026-03-13', '2026-03-14', '2026-03-20']) await world.day(day);
    expect(await world.levelOf(sale)).toBeLessThanOrEqual(1);
    const bells = await world.db.asOwner<{ kind: string }>(
      `select kind from notifications where kind like 'dispute%' and customer_id = $1`,
      [sale.customerId],
    );
    expect(bells.map(({ kind }) => kind)).toEqual(['dispute_opened']);
  });

  it('shows its state and the answer, is taken further within seven days and not after, and the company’s answer is the last', async () => {
    const sale = await world.sell();
    const path = await pathOf(sale);
    await post(path, complaint);
    const waiting = await read(path);
    expect(waiting).toContain('Waiting for the shop’s reply');
    expect(waiting).toContain('I paid in cash on the 9th.');
    expect(waiting).not.toContain('<option value="1"');
    expect(waiting).toContain('<option value="2"');
    const dispute_id = await answer(sale, 'No payment came <b>to us</b>.');
    const answered = await read(path);
    expect(answered).toContain('Shop replied');
    expect(answered).toContain('No payment came &lt;b&gt;to us&lt;/b&gt;.');
    expect(answered).toContain(`name="dispute_id" value="${dispute_id}"`);
    expect((await post(path, { dispute_id, text: 'Ask my brother.' })).statusCode).toBe(303);
    expect(await read(path)).toContain('Waiting for the company’s reply');
    const moved = await world.db.asOwner<{ data: object }>(
      `select data from audit_lines where subject_id = $1 and action = 'dispute_moved' and data ->> 'state' = 'escalated'`,
      [sale.agreement.agreement_id],
    );
    expect(moved).toMatchObject([{ data: { as: 'customer', channel: 'link' } }]);
    const again = await post(path, { dispute_id, text: 'Once more.' });
    expect([again.statusCode, again.payload.includes('Details have changed')]).toEqual([409, true]);
    await answer(sale, 'The books were looked at.', admin);
    expect(await read(path)).toContain('Company replied');

    const late = await world.sell();
    const latePath = await pathOf(late);
    await post(latePath, complaint);
    const lateId = await answer(late, 'No payment found.');
    await world.at('2026-03-12T12:05:00');
    expect(await read(latePath)).not.toContain('name="dispute_id"');
    expect((await post(latePath, { dispute_id: lateId, text: 'But I paid.' })).statusCode).toBe(409);
    expect(await statesOf(late)).toEqual(['answered']);
  });

  it('counts as one of the customer’s own two about an EMI, sent twice is one, and after the company’s no it is not taken', async () => {
    const sale = await world.sell();
    const path = await pathOf(sale);
    const owner = customerOf(world, sale);
    await world.inOrg((tx) => world.locking.openDispute(tx, owner, { customerId: sale.customerId, text: 'Wrong.' }));
    await answer(sale, 'No payment found.');
    await world.at('2026-03-13T12:00:00');
    for (const text of ['Still wrong.', 'Still wrong.'])
      expect((await post(path, { no: '1', text })).statusCode).toBe(303);
    expect(await statesOf(sale)).toEqual(['open', 'answered']);
    await answer(sale, 'No payment found.');
    await world.at('2026-03-21T12:00:00');
    await post(path, complaint);
    const [third] = await seen(sale);
    expect(third!.state).toBe('undecided');
    const said = { disputeId: third!.dispute_id, holds: false, reason: 'The receipts were looked at.' };
    await world.inOrg((tx) => world.locking.decideDispute(tx, admin, said));
    expect(await read(path)).not.toContain('<option value="1"');
    expect((await post(path, complaint)).statusCode).toBe(409);
    expect(await statesOf(sale)).toHaveLength(3);
  });

  it('is refused to whoever guesses, changes or replaced the link, for another agreement’s complaint, from another site’s page, and about what is paid or not there; nothing is written', async () => {
    const [sale, other] = [await world.sell(), await world.sell()];
    const [path, others] = [await pathOf(sale), await pathOf(other)];
    await post(others, complaint);
    const otherId = await answer(other, 'No payment found.');
    const tries: [string, Record<string, string>, Record<string, string>, number][] = [
      [`${path.slice(0, -22)}${'A'.repeat(22)}`, complaint, {}, 404],
      [`${path.slice(0, -22)}${others.slice(-22)}`, complaint, {}, 404],
      ['/n/1', complaint, {}, 404],
      [path, { dispute_id: otherId, text: 'Not mine.' }, {}, 404],
      [path, { dispute_id: newId(), text: 'Nobody’s.' }, {}, 404],
      [path, complaint, { 'sec-fetch-site': 'cross-site' }, 403],
      [path, complaint, { 'sec-fetch-site': 'same-site' }, 403],
      [path, { no: '999', text: 'Which?' }, {}, 409],
      [path, { no: '0', text: 'Which?' }, {}, 400],
      [path, { no: '1', text: ' \n ' }, {}, 400],
      [path, { text: 'About what?' }, {}, 400],
      [path, { no: '1', text: 'x'.repeat(501) }, {}, 400],
      [path, { no: '1', text: 'a\u0000b' }, {}, 400],
    ];
    for (const [url, form, headers, status] of tries)
      expect((await post(url, form, headers)).statusCode, JSON.stringify([url, form, headers])).toBe(status);
    await world.inOrg((tx) => renewLink(tx, world.shop, { customer_id: sale.customerId }));
    expect((await post(path, complaint)).statusCode).toBe(404);
    expect(await seen(sale)).toEqual([]);
    expect(await statesOf(other)).toEqual(['answered']);
  });

  it('keeps what was typed where it was not taken, and says why in the page', async () => {
    const sale = await world.sell();
    const path = await pathOf(sale);
    const empty = await post(path, { no: '2', text: '' });
    expect(empty.payload).toContain('This is a required field.');
    expect(empty.payload).toContain('<option value="2" selected>');
    const long = await post(path, { no: '3', text: `“${'x'.repeat(501)}` });
    expect(long.payload).toContain(`“${'x'.repeat(499)}</textarea>`);
    expect(long.payload).toContain('<details open>');
    expect(long.headers['content-security-policy']).toContain("form-action 'self'");
  });

  it('is taken ten times an hour from one link; whoever makes links up is refused alone, nobody behind the same address with a right one', async () => {
    const sale = await world.sell();
    const path = await pathOf(sale);
    for (let no = 0; no < 12; no += 1)
      expect((await post(`${path.slice(0, -1)}_`, complaint, {}, strict)).statusCode).toBe(404);
    for (let no = 0; no < 10; no += 1)
      expect((await post(path, { no: '1', text: '' }, {}, strict)).statusCode).toBe(400);
    const busy = await post(path, complaint, {}, strict);
    expect([busy.statusCode, Number(busy.headers['retry-after']) > 60]).toEqual([429, true]);
    expect(await seen(sale)).toEqual([]);
    for (let no = 0; no < 120; no += 1) await post('/n/1', complaint, {}, strict);
    expect((await post('/n/1', complaint, {}, strict)).statusCode).toBe(429);
    expect((await post(await pathOf(await world.sell()), complaint, {}, strict)).statusCode).toBe(303);
  });

  it('speaks ten languages', async () => {
    const sale = await world.sell();
    const path = await pathOf(sale);
    await post(path, complaint);
    await answer(sale, 'No payment found.');
    const pages = new Set<string>();
    for (const language of LANGUAGES) {
      const page = await read(path, language);
      expect(page).toContain('<textarea');
      expect(page).not.toMatch(/(?:notice_page|dispute)\.[a-z_]+|\{\{/);
      pages.add(page);
    }
    expect(pages.size).toBe(LANGUAGES.length);
  });
});
