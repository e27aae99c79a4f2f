import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { formatInr } from '@kist/contract/money-text';
import { account } from '#server/agreements/agreements.ts';
import { createServerKey } from '#server/commands/adapters/android-agent/server-key.ts';
import { localesDir } from '#server/compose.ts';
import { payCompensation } from '#server/locking/locking.ts';
import { noticeLink } from '#server/notices/notices.ts';
import { makeAdmin, makePenalRule } from '#test/factories.ts';
import { type TestApp, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { certificateRoutes } from './certificates.ts';

const making = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
const key = createServerKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
let world: LockWorld;
let shop: TestApp;
let paid: Sale;
let owing: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  shop = await createTestApp({
    settings: { localesDir },
    database: world.db,
    register: (app) => certificateRoutes(app, making, key),
  });
  await world.at('2026-03-05T12:00:00');
  paid = await world.sell({ tenure: 1 });
  owing = await world.sell();
  await world.pay(paid, 1);
});
const pathOf = async ({ customerId }: Sale) =>
  (await world.inOrg((tx) => noticeLink(tx, making, world.shop, { customer_id: customerId }))).url.slice(
    making.publicUrl.length,
  );
const get = (url: string) => shop.app.fastify.inject({ url });

interface Proof {
  payload: string;
  signature: string;
  key_id: string;
  public_key: string;
}
const isSigned = ({ payload, signature, public_key }: Proof) =>
  verify(
    'sha256',
    Buffer.from(payload),
    {
      key: createPublicKey({ key: Buffer.from(public_key, 'base64url'), format: 'der', type: 'spki' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );

it('says after the last payment that nothing is owed, signed with the key that phones know', async () => {
  const answer = await get(`${await pathOf(paid)}/certificate.json`);
  expect(answer.statusCode).toBe(200);
  const proof = answer.json<Proof>();
  expect(proof).toMatchObject({ key_id: key.keyId, public_key: key.spki });
  expect(JSON.parse(proof.payload)).toMatchObject({
    v: 1,
    says: 'nothing_owed',
    agreement_no: paid.agreement.agreement_no,
    customer: 'Irfan Shaikh',
    completed_on: '2026-03-05',
    released_at: expect.stringMatching(/^2026-03-05T/),
    late_fees_left_paise: 0,
    organisation: `Shop ${ORG}`,
  });
  expect(isSigned(proof)).toBe(true);
  expect(isSigned({ ...proof, payload: proof.payload.replace('Irfan', 'Imran') })).toBe(false);
});

it('is a page in the reader’s language, on which nothing runs', async () => {
  const pages = new Set<string>();
  for (const language of LANGUAGES) {
    const { statusCode, payload, headers } = await get(`${await pathOf(paid)}/certificate?lang=${language}`);
    expect(statusCode).toBe(200);
    expect(payload).toContain(paid.agreement.agreement_no);
    expect(payload).not.toMatch(/certificate\.(?!json)|\{\{|<script/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    pages.add(payload);
  }
  expect(pages.size).toBe(LANGUAGES.length);
});

it('says what is owed for a lock that was wrong: by the organisation, how much, since when and by which rule, in every language', async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const policy = { ...POLICY_PRESETS.dealer, compensationPaisePerHour: 250_00 };
  const wronged = await world.sell({ tenure: 1, policy });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.obey(wronged);
  await world.at('2026-03-13T14:00:00');
  const { agreement_id } = wronged.agreement;
  const { instalmentIds, agreement } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
  await world.inOrg((tx) =>
    world.payments.record(tx, world.shop, {
      instalment_id: instalmentIds.get(1)!,
      amount: agreement.outstanding_paise,
      method: 'CASH',
      reference: '',
      paid_at: '2026-03-12T13:30:00Z',
    }),
  );
  const owed = async () => {
    const proof = (await get(`${await pathOf(wronged)}/certificate.json`)).json<Proof>();
    expect(isSigned(proof)).toBe(true);
    return (JSON.parse(proof.payload) as { owed_for_locks: object[] }).owed_for_locks;
  };
  const said = { rule: 'wrongful', since: expect.stringMatching(/^2026-03-13T07:00:/), paise_per_hour: 250_00 };
  expect(await owed()).toEqual([
    {
      ...said,
      until: null,
      hours: 2,
      paid_paise: 0,
      owed_paise: 500_00,
      reckoned_at: expect.stringMatching(/^2026-03-13T08:30:/),
    },
  ]);
  const pages = new Set<string>();
  for (const language of LANGUAGES) {
    const { payload } = await get(`${await pathOf(wronged)}/certificate?lang=${language}`);
    expect(payload).toContain('<strong>₹500</strong><br>13-03-2026 12:30');
    expect(payload).not.toMatch(/certificate\.(?!json)|\{\{/);
    const said = payload.slice(payload.indexOf('<h2>'), payload.indexOf('</section>', payload.indexOf('<h2>')));
    // Not by the shop that sold it: it is the organisation's own money.
    expect(said.slice(0, said.indexOf('</h2>'))).toContain(`Shop ${ORG}`);
    pages.add(said);
  }
  expect(pages.size).toBe(LANGUAGES.length);
  const admin = await makeAdmin(world.db, ORG);
  await world.inOrg((tx) =>
    payCompensation(tx, admin, { agreement_id, amount: 200_00, method: 'CASH', reference: 'C-1' }),
  );
  // Hours by what each is worth are what was paid out and what is left.
  expect(await owed()).toMatchObject([{ hours: 2, paise_per_hour: 250_00, paid_paise: 200_00, owed_paise: 300_00 }]);
  const sums = new Set<string>();
  for (const language of LANGUAGES) {
    const { payload } = await get(`${await pathOf(wronged)}/certificate?lang=${language}`);
    const [said = ''] = /[^>]*₹500[^<]*₹200[^<]*₹300/.exec(payload) ?? [];
    expect(payload).toContain('<strong>₹300</strong>');
    sums.add(said);
  }
  expect([...sums].toSorted()[0]).not.toBe('');
  expect(sums.size).toBe(LANGUAGES.length);
  const right = (await get(`${await pathOf(paid)}/certificate.json`)).json<Proof>();
  expect(JSON.parse(right.payload)).toMatchObject({ owed_for_locks: [] });
});

it('says what is left of late fees in every language, and that nothing is owed once they are paid; the EMIs were paid when the money came, however late that was told', async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  await makePenalRule(world.db, ORG);
  const charged = await world.sell({ tenure: 1 });
  await world.day('2026-03-16');
  const { agreement_id } = charged.agreement;
  const { instalmentIds, agreement } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
  const pay = (amount: number, paid_at?: string) =>
    world.inOrg((tx) =>
      world.payments.record(tx, world.shop, {
        instalment_id: instalmentIds.get(1)!,
        amount,
        method: 'CASH',
        reference: '',
        paid_at,
      }),
    );
  const payload = async () => {
    const proof = (await get(`${await pathOf(charged)}/certificate.json`)).json<Proof>();
    expect(isSigned(proof)).toBe(true);
    return JSON.parse(proof.payload) as object;
  };
  await world.at('2026-03-18T12:00:00');
  await pay(agreement.outstanding_paise, '2026-03-17T12:00:00+05:30');
  expect(await payload()).toMatchObject({
    says: 'emis_paid',
    completed_on: '2026-03-17',
    late_fees_left_paise: 100_00,
  });
  const pages = new Set<string>();
  for (const language of LANGUAGES) {
    const page = (await get(`${await pathOf(charged)}/certificate?lang=${language}`)).payload;
    const [said = ''] = /<section><p>[^<]*<\/p>/.exec(page) ?? [];
    expect(said).toContain(formatInr(100_00));
    expect(page).not.toMatch(/class="ok"|certificate\.(?!json)|\{\{/);
    pages.add(said);
  }
  expect(pages.size).toBe(LANGUAGES.length);
  await pay(100_00);
  expect(await payload()).toMatchObject({
    says: 'nothing_owed',
    completed_on: '2026-03-17',
    late_fees_left_paise: 0,
  });
});

it('says the day of the money that came last, in whatever order it was told', async () => {
  await world.at('2026-03-05T12:00:00');
  const two = await world.sell({ tenure: 2 });
  await world.at('2026-03-18T12:00:00');
  await world.pay(two, 1);
  await world.at('2026-03-20T12:00:00');
  const { instalmentIds, agreement } = await world.db.read(ORG, (tx) => account(tx, two.agreement));
  await world.inOrg((tx) =>
    world.payments.record(tx, world.shop, {
      instalment_id: instalmentIds.get(2)!,
      amount: agreement.outstanding_paise,
      method: 'CASH',
      reference: '',
      paid_at: '2026-03-17T12:00:00+05:30',
    }),
  );
  const { payload } = (await get(`${await pathOf(two)}/certificate.json`)).json<Proof>();
  expect(JSON.parse(payload)).toMatchObject({ says: 'nothing_owed', completed_on: '2026-03-18' });
});

it('does not exist while an EMI is owed, by a wrong link, or by another name', async () => {
  for (const url of [
    `${await pathOf(owing)}/certificate`,
    `${(await pathOf(paid)).slice(0, -1)}x/certificate`,
    `${await pathOf(paid)}/anything`,
    '/n/1/certificate',
  ])
    expect((await get(url)).statusCode).toBe(404);
});
