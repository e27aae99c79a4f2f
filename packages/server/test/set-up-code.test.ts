import { beforeAll, beforeEach, expect, test } from 'vitest';
import { AGENT_PATHS, type ProvisioningQr, provisioningQrSchema } from '@kist/contract/agent';
import { PROVISIONING } from '@kist/contract/codes';
import { readEnrolmentLink } from '@kist/contract/linked-phone';
import { groupedSetupCode } from '@kist/contract/setup-code';
import { changeStatus } from '#server/customers/customers.ts';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, type Sold, useHouse } from '#test/house.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';

/** The code that sets a phone up, as the app asks for it at every stage of a customer. */
const db = await createTestDatabase();
const house = useHouse(db);
let http: TestApp;
let shop: Actor;
let token: string;
let sold: Sold;

beforeAll(async () => {
  http = await createTestApp({ database: house.services.db, register: (app) => customerRoutes(app, house.services) });
});
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 2);
  token = await createSession(db, { orgId: ORG, userId: shop.userId, mobile: '' });
  sold = await house.sell(shop);
});

const query = () => ({ customer_id: sold.customerId });
const look = async (image: 'png' | 'text' | 'none' = 'png') =>
  (await http.call('getCustomerQrCode', { token, query: { ...query(), image } })).data;
const newLink = () => http.call('generateLinkCode', { token, body: query() });
const newCode = async () => (await http.call('generateEmmCode', { token, query: query() })).data;
const tokenOf = (qr: string | null) =>
  provisioningQrSchema.parse(JSON.parse(qr ?? '{}'))['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'][
    'kist.token'
  ];
const scan = async (qr: string | null) =>
  (await house.phone(sold).enrol(tokenOf(qr), { serial: `S${sold.imei}` })).body;
/** The code typed on a phone; its own numbers go with it. */
const type = async (
  code: string | null,
  phone: { imei?: string[]; serial?: string; agent?: 'DPC' | 'LINKFL' } = {},
) => {
  const payload = { proto: 1, code, imei: [sold.imei], serial: `S${sold.imei}`, agent: 'DPC', ...phone };
  const answer = await house.http.inject({ method: 'POST', url: AGENT_PATHS.setup, payload });
  return { status: answer.statusCode, body: answer.json<ProvisioningQr & { code?: string }>() };
};
const passTime = (hours: number) =>
  db.asOwner(`update clock_offset set shift = shift + make_interval(hours => $1)`, [hours]);
const live = async () =>
  (
    await db.asOwner<{ id: string }>(
      'select e.enrolment_id as id from enrolments e join devices d using (org_id, device_id) where d.customer_id = $1 and e.ended_at is null',
      [sold.customerId],
    )
  ).map(({ id }) => id);
const keys = async () => {
  const [row] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
  return { left: row!.paid, reserved: row!.reserved };
};
const qrStep = async () =>
  (await http.call('getCustomerProfile', { token, query: query() })).data.steps.find(({ step }) => step === 'qr');
const enrol = async () => expect(await scan((await look()).qr)).toMatchObject({ device_id: expect.any(String) });

test('a phone that is set up keeps its enrolment while somebody looks, and is set up again with a code made on purpose', async () => {
  await enrol();
  const enrolments = await live();
  const before = await look();
  expect(before).toMatchObject({ is_enrolled: true, status: 1, offers_code: true, qr: null, image: null });
  const made = await newCode();
  expect(made.is_enrolled).toBe(true);
  expect(await look()).toMatchObject({ is_enrolled: true, enrolled_at: before.enrolled_at, qr: made.qr });
  expect(await live()).toEqual(enrolments);
  expect(await scan(made.qr)).toMatchObject({ device_id: expect.any(String) });
  const after = await look();
  expect(after).toMatchObject({ is_enrolled: true, qr: null });
  expect(after.enrolled_at).not.toBe(before.enrolled_at);
  expect(await keys()).toEqual({ left: 1, reserved: 0 });
});

test('an uninstalled phone is not set up; looking begins nothing, a new code with a new key sets it up again', async () => {
  await enrol();
  await house.inOrg((tx) =>
    changeStatus(tx, SYSTEM(ORG), { customer_id: sold.customerId, status: 3, reason: 'removed' }),
  );
  for (const image of ['png', 'none'] as const)
    expect(await look(image)).toMatchObject({
      is_enrolled: false,
      enrolled_at: null,
      status: 3,
      offers_code: true,
      qr: null,
    });
  expect(await keys()).toEqual({ left: 1, reserved: 0 });
  const made = await newCode();
  expect(made.is_enrolled).toBe(false);
  expect(await keys()).toEqual({ left: 0, reserved: 1 });
  expect(await look()).toMatchObject({ is_enrolled: false, enrolled_at: null, status: 0, qr: made.qr });
  expect(await qrStep()).toEqual({ step: 'qr', is_done: false });
  expect(await scan(made.qr)).toMatchObject({ device_id: expect.any(String) });
  expect(await look()).toMatchObject({ is_enrolled: true, status: 1 });
  expect(await qrStep()).toEqual({ step: 'qr', is_done: true });
  expect(await keys()).toEqual({ left: 0, reserved: 0 });
});

test.each(['AMAPI', 'APPLE'] as const)(
  'of a %s phone no code is made while nothing here sets such phones up: a device owner’s would erase it',
  async (name) => {
    await db.asOwner('update devices set provisioning_type = $2 where customer_id = $1', [
      sold.customerId,
      PROVISIONING[name],
    ]);
    const before = await keys();
    for (const status of [0, 1, 3]) {
      await db.plant(['customers'], 'update customers set status = $2 where customer_id = $1', [
        sold.customerId,
        status,
      ]);
      expect(await http.call('generateEmmCode', { token, query: query() })).toMatchObject({
        status: 422,
        code: 'FEATURE_NOT_OFFERED',
        details: { edit: 'EMM_QR_CODE', provisioning: name },
      });
      expect(await look()).toMatchObject({ status, offers_code: false, qr: null, manual_code: null });
    }
    expect(await keys()).toEqual(before);
    expect(
      await db.asOwner(
        'select from enrolment_tokens t join devices d using (org_id, device_id) where d.customer_id = $1',
        [sold.customerId],
      ),
    ).toEqual([]);
  },
);

test('the code to type is at most 12 signs, the same until it runs out however often one looks, and sets the phone up as its QR does', async () => {
  const shown = await look();
  const code = shown.manual_code ?? '';
  expect(code).toMatch(/^[346789ACDEFGHJKMNPRTVWXY]{8,12}$/);
  await passTime(23);
  for (const again of [await look(), await look('text')])
    expect(again).toMatchObject({ qr: shown.qr, manual_code: code, expires_at: shown.expires_at });
  // The phone's own clock was not moved.
  await passTime(-23);
  const typed = await type(groupedSetupCode(code).toLowerCase());
  expect(typed).toEqual({ status: 200, body: JSON.parse(shown.qr ?? '') });
  expect(await scan(JSON.stringify(typed.body))).toMatchObject({ device_id: expect.any(String) });
  expect(await look('none')).toMatchObject({ is_enrolled: true });
  // It was used.
  expect(await type(code)).toMatchObject({ status: 404, body: { code: 'AGENT_UNKNOWN' } });
});

test('a typed code is of no use on another phone, after another was made, and when it has run out; who guesses is told the same each time', async () => {
  const { manual_code: code } = await look();
  const other = await house.sell(shop);
  const { manual_code: otherCode } = (
    await http.call('getCustomerQrCode', { token, query: { customer_id: other.customerId } })
  ).data;
  const refused = [
    await type(code, { imei: [other.imei], serial: '' }),
    await type(otherCode),
    await type(code, { imei: [], serial: '' }),
    await type(code, { agent: 'LINKFL' }),
    await type('3333-3333'),
    await type('not a code'),
  ];
  const made = await newCode();
  expect(made.manual_code).not.toBe(code);
  refused.push(await type(code));
  expect((await type(made.manual_code)).status).toBe(200);
  await passTime(25);
  refused.push(await type(made.manual_code));
  for (const answer of refused) expect(answer).toEqual(refused[0]);
  expect(refused[0]).toMatchObject({ status: 404, body: { code: 'AGENT_UNKNOWN' } });
  expect((await look()).manual_code).not.toBe(made.manual_code);
  await passTime(-25);
});

test('a phone in use is set up by a link, erases nothing, spends its key once and only reminds; the link before dies, another phone’s plan has none', async () => {
  expect(await newLink()).toMatchObject({
    status: 422,
    code: 'FEATURE_NOT_OFFERED',
    details: { edit: 'EMM_QR_CODE', provisioning: 'DPC' },
  });
  await db.asOwner(
    `with linked as (update devices set provisioning_type = $2 where customer_id = $1 returning device_id)
     update device_reports d set is_strong = false from linked l where d.device_id = l.device_id`,
    [sold.customerId, PROVISIONING.LINKFL],
  );
  const first = (await newLink()).data;
  const { link, device_id } = (await newLink()).data;
  expect(link).toMatch(/^https?:\/\/[^?#]+\/emm\/linkflapk#/);
  expect(await look()).toMatchObject({ qr: link, is_enrolled: false });
  const open = async (of: string) =>
    (
      await house
        .phone(sold)
        .enrol(readEnrolmentLink(of)?.['kist.token'] ?? '', { agent: 'LINKFL', imei: [], serial: '' })
    ).body;
  expect(await open(first.link)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
  expect(await open(link)).toMatchObject({ device_id, lock_strength: 'advisory' });
  expect(await look()).toMatchObject({ is_enrolled: true, qr: null });
  expect(await keys()).toEqual({ left: 1, reserved: 0 });
  expect(await open(link)).toMatchObject({ code: 'ENROLMENT_TOKEN_USED' });
});
