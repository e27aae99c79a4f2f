import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVISIONING } from '@kist/contract/codes';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { CustomerData } from '@kist/contract/privacy';
import * as agreements from '#server/agreements/agreements.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import { takeDownPayment } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { imei, terms } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { customerData } from './reports.ts';

/** Tables whose rows are a customer's, and where the customer's own file has them. */
const IN_THE_FILE: Record<string, keyof CustomerData> = {
  agreement_moves: 'agreement_moves',
  agreements: 'agreement',
  audit_lines: 'history',
  charges: 'emi',
  commands: 'orders',
  consent_confirmations: 'confirmations',
  consents: 'consents',
  cures: 'cures',
  customer_logins: 'sessions',
  customer_transfers: 'transfers',
  customers: 'customer',
  device_desired: 'device',
  device_events: 'phone_events',
  device_reports: 'phones',
  devices: 'phones',
  dispute_moves: 'disputes',
  disputes: 'disputes',
  documents: 'documents',
  enrolments: 'phones',
  financed_loans: 'emi',
  holds: 'holds',
  instalments: 'emi',
  journal_lines: 'emi',
  locks: 'locks',
  notices: 'messages',
  number_changes: 'number_changes',
  passkeys: 'ways_in',
  payment_moves: 'emi',
  payments: 'emi',
  phone_claims: 'phone_claims',
  phone_exchanges: 'exchanges',
  protection_reports: 'lost_history',
  refund_tasks: 'refunds',
  restrictions: 'takings',
  schedule_versions: 'schedule_changes',
  sessions: 'sessions',
  trusted_devices: 'ways_in',
  users: 'ways_in',
  verdicts: 'verdicts',
};

/** Tables that name a customer, an agreement, a phone or a user, and why the file has nothing of them. */
const LEFT_OUT: Record<string, string> = {
  audit_heads: 'the last number of a history, which the file has line by line',
  audit_root_heads: 'the same, of a day',
  accounts: 'names of accounts in the books; the lines that stand on a customer’s are told as payments',
  batch_parts: 'who was in an order to many: the order to this phone is among the orders',
  compensation_payouts: 'what was paid out for a lock has its line in the history',
  customer_moves: 'each change of status has its line in the history',
  deliveries: 'what waits for a phone this moment, as it shall be: device',
  device_changes: 'what a check-in changed, until a moment later somebody acted on it: phone_events and orders',
  enrolment_tests: 'that the one test lock was used up: its order is among the orders',
  enrolment_tokens: 'codes by which a phone is set up, hashed: that it was is among the phones',
  erasures: 'that nothing is left; the shop’s page says it',
  historic_agreements: 'the number of a line in a file that was brought in: what it said is the agreement',
  key_grants: 'what a shop bought',
  key_reservations: 'the shop’s key that a sale used: nothing of the customer',
  key_transfers: 'keys that a shop passed to one below it',
  notice_link_numbers: 'how often the page of messages got another address',
  notice_proofs: 'how the arrival of a message is proved; when it arrived is among the messages',
  notifications: 'lines of the shop’s bell, for some weeks: what they told is an event, a payment, a dispute',
  otps: 'codes of some minutes, hashed',
  override_asks: 'talk of the shop about a lock: the order, and what the gate said of it, are among the orders',
  passkey_challenges: 'a question to a device, for two minutes',
  payment_given_ids: 'under which other number a shop brought a payment: the payment is told under its own',
  proof_tokens: 'what a code was exchanged for, hashed, for some minutes',
  provider_subjects: 'how somebody of a shop comes in through their company',
  signup_requests: 'who asked for a shop’s account',
  user_pictures: 'of shops',
  waivers: 'talk of the shop about a charge; what was waived of it is among the charges',
  wallets: 'a shop’s keys',
};

const OWN_KEY =
  '(^|_)(customer|agreement|device|user|payment|instalment|dispute|charge|notice|document|subject|owner)_ids?$';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
const { sell, cancel } = cancellingActs(() => world);

const fileOf = ({ customerId: customer_id }: Pick<Sale, 'customerId'>, by: Actor = world.shop) =>
  world.inOrg((tx) => customerData(tx, by, { customer_id }));

/** The file, and every statement that it was made of. */
async function readFile(sale: Sale): Promise<string> {
  const texts: string[] = [];
  await world.inOrg(async (tx) => {
    const heard: Tx['query'] = (text, values, name) => {
      texts.push(text);
      return tx.query(text, values, name);
    };
    await customerData({ ...tx, query: heard }, world.shop, { customer_id: sale.customerId });
  });
  return texts.join('\n');
}

describe('the file of a customer', () => {
  it('has every table of theirs, or says why not', async () => {
    const tables = await world.db.asOwner<{ name: string }>(
      `select distinct c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name ~ $1 order by 1`,
      [OWN_KEY],
    );
    const named = [...Object.keys(IN_THE_FILE), ...Object.keys(LEFT_OUT)].toSorted();
    expect(named).toEqual(tables.map(({ name }) => name));
  });

  it('has the end alone of the number of a SIM card', async () => {
    const sale = await sell();
    await world.db.asOwner(
      `update device_reports set sims = '[{"slot": 0, "operator": "Jio", "iccid": "8991000000000001234"}]' where device_id = $1`,
      [sale.deviceId],
    );
    const { phones } = await fileOf(sale);
    expect(phones.map(({ sims }) => sims)).toEqual([[{ slot: 0, operator: 'Jio', iccid_tail: '1234' }]]);
  });

  it('is made of the tables that it says it has', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    const read = new Set((await readFile(sale)).match(/\b[a-z_]+\b/g));
    const views = await world.db.asOwner<{ view: string; name: string }>(
      `select distinct v.relname as view, t.relname as name
       from pg_rewrite r join pg_class v on v.oid = r.ev_class join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass
         join pg_class t on t.oid = d.refobjid and t.oid <> v.oid and d.refclassid = 'pg_class'::regclass
       where v.relkind = 'v' and v.relnamespace = 'public'::regnamespace`,
    );
    for (let found = true; found;) {
      const behind = views.filter(({ view, name }) => read.has(view) && !read.has(name));
      for (const { name } of behind) read.add(name);
      found = behind.length > 0;
    }
    expect(Object.keys(IN_THE_FILE).filter((table) => !read.has(table))).toEqual([]);
    const sections = Object.keys(ENDPOINTS.getCustomerData.reply.shape);
    expect(Object.values(IN_THE_FILE).filter((section) => !sections.includes(section))).toEqual([]);
  });

  it('tells where they are signed in, and nothing of whoever had the number before', async () => {
    const sale = await sell();
    const userId = await signedIn(sale);
    const shops = await fileOf(sale);
    expect(shops.sessions).toEqual([
      {
        device: 'Redmi 13C',
        browser: 'Chrome 140',
        platform: 'Android',
        place: null,
        first_seen_at: expect.any(String),
        last_seen_at: expect.any(String),
        ended_at: null,
      },
    ]);
    const own = await fileOf(sale, { ...customerOf(world, sale), userId });
    expect(own.sessions.map(({ place }) => place)).toEqual(['203.0.113.7']);
    expect(own.ways_in.map(({ kind, device }) => [kind, device])).toEqual([
      ['trusted_device', {}],
      ['passkey', { device: 'Redmi 13C' }],
    ]);
  });

  it('tells what phones said, what was ordered, decided and held, and every word and picture that is kept', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    await traced(sale);
    const data = await fileOf(sale);
    const { deviceId: device_id } = sale;
    expect(data.phone_events).toEqual([
      { device_id, kind: 'sim_changed', at: '2026-02-11T06:00:00.000Z', data: { operator: 'Jio' } },
    ]);
    expect(data.orders).toContainEqual(
      expect.objectContaining({ device_id, type: 'ring', reason: 'CUSTOMER_REQUEST', note: 'cannot find it' }),
    );
    expect(data.holds).toMatchObject([{ kind: 'claim', until_on: '2026-03-12', due_on: '2026-03-10' }]);
    expect(data.lost_history).toMatchObject([{ kind: 'theft', reported_by: 'customer', closed_as: 'customer' }]);
    expect(data.documents.map(({ image_name, replaced_at }) => [image_name, replaced_at !== null])).toContainEqual([
      'old photo',
      true,
    ]);
    expect(data.messages.map(({ kind }) => kind)).toContain('receipt');
    expect(data.phones).toMatchObject([
      { device_id, brand: 'Redmi', channels: [{ grade: 'hardware', ended_at: null }] },
    ]);
    expect(data.transfers).toMatchObject([{ reason: 'the shop closed' }]);
    expect(data.number_changes).toMatchObject([{ waits: true }]);
    expect(data.verdicts).toMatchObject([{ device_id, allowed: false, rule: 'CONSENT_MISSING' }]);
    expect(ENDPOINTS.getCustomerData.reply.parse(data)).toEqual(data);
  });

  it('has everything that was said on the phone, also of an agreement that counts no more', async () => {
    const sale = await sell({ isEnrolled: false });
    const { customerId: customer_id, agreement } = sale;
    for (const [no, state] of ['refused', 'paid', 'told', 'over', 'open'].entries())
      await world.db.plant(
        ['phone_claims'],
        `insert into phone_claims (org_id, claim_id, agreement_id, customer_id, said_at, state, ended_at, answered_by, reason)
         values ($1, gen_random_uuid(), $2, $3, kist_now() - make_interval(mins => $4), $5::text, case when $5 <> 'open' then kist_now() end,
           case when $5 = 'refused' then $6::uuid end, case when $5 = 'refused' then 'Nothing came in' end)`,
        [ORG, agreement.agreement_id, customer_id, 9 - no, state, world.shop.userId],
      );
    await cancel(sale);
    const { phone_claims } = await fileOf(sale);
    expect(phone_claims.map(({ state, reason }) => [state, reason])).toEqual([
      ['over', null],
      ['over', null],
      ['told', null],
      ['paid', null],
      ['refused', 'Nothing came in'],
    ]);
    expect(phone_claims[0]).toMatchObject({
      agreement_id: agreement.agreement_id,
      said_at: expect.any(String),
      ended_at: expect.any(String),
    });
  });

  it('has nothing that somebody could come in or unlock with', async () => {
    const sale = await sell();
    await signedIn(sale);
    const names = new Set<string>();
    JSON.stringify(await fileOf(sale), (name, value: unknown) => (names.add(name), value));
    expect([...names].filter((name) => /hash|token|sealed|secret|public_key|credential|push/.test(name))).toEqual([]);
  });

  it('has what messages said, without the address that opens their page', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    await world.db.plant(
      ['notices'],
      `update notices set body = 'It is paid. Read it all: {link}' where customer_id = $1`,
      [sale.customerId],
    );
    const { messages } = await fileOf(sale);
    expect(new Set(messages.map(({ body }) => body))).toEqual(new Set(['It is paid.']));
  });

  it('has an agreement that was cancelled whole, and what is paid back for it', async () => {
    const sale = await sell({ isEnrolled: false });
    await world.pay(sale, 1);
    await cancel(sale);
    const data = await fileOf(sale);
    expect(data.emi?.agreement.state).toBe('cancelled');
    expect(data.agreement_moves[0]).toMatchObject({ to_state: 'cancelled', reason: 'given back' });
    expect(data.refunds.length).toBeGreaterThan(0);
    const messages = await world.db.asOwner('select 1 from notices where customer_id = $1', [sale.customerId]);
    expect(data.messages).toHaveLength(messages.length);
  });

  it('has what was signed before, beside what counts now', async () => {
    const sale = await sell({ isEnrolled: false });
    await world.pay(sale, 1);
    await cancel(sale);
    await world.inOrg(async (tx) => {
      const phone = { customerId: sale.customerId, provisioningType: PROVISIONING.DPC, brand: 'Vivo', model: 'Y29' };
      const { agreement } = sale;
      const device_id = await devices.create(tx, world.shop, { ...phone, imei1: imei(900_001) });
      const { customer_id, owner_user_id, plan_type, policy } = agreement;
      const signing = { customer_id, device_id, owner_user_id, plan_type, policy, terms: terms() };
      await takeDownPayment(tx, world.shop, await agreements.open(tx, world.shop, signing));
    });
    const data = await fileOf(sale);
    expect(data.emi?.agreement.state).toBe('active');
    expect(data.earlier_agreements).toMatchObject([
      { agreement: { agreement_id: sale.agreement.agreement_id, state: 'cancelled' } },
    ]);
    expect(data.earlier_agreements[0]!.payments.length).toBeGreaterThan(0);
    expect(data.phones.map(({ brand }) => brand)).toEqual(['Vivo', 'Redmi']);
    expect(data.consents.length).toBeGreaterThan(0);
  });

  it('is nobody else’s', async () => {
    const sale = await sell();
    const stranger = { ...customerOf(world, { customerId: newId() }), userId: newId() };
    await expect(fileOf(sale, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** A login of today, whose number was somebody else's a month ago. */
async function signedIn({ customerId }: Sale): Promise<string> {
  const userId = newId();
  const mobile = `+9197${String(Math.random()).slice(2, 10)}`;
  const { db } = world;
  await db.asOwner(
    `insert into users (org_id, user_id, user_type, mobile, first_name) values ($1, $2, 'customer', $3, 'Irfan')`,
    [ORG, userId, mobile],
  );
  await db.plant(
    ['customer_logins'],
    `insert into customer_logins (org_id, customer_id, user_id, since) values ($1, $2, $3, kist_now() - interval '1 hour')`,
    [ORG, customerId, userId],
  );
  const session = (device: object, ip: string, ago: string, revoked: string | null) =>
    db.asOwner(
      `insert into sessions (org_id, session_id, user_id, token_hash, device, ip, created_at, last_seen_at, expires_at, revoked_at)
       values ($1, gen_random_uuid(), $2, sha256(gen_random_uuid()::text::bytea), $3, $4, now() - $5::interval, now() - $5::interval, now() + interval '30 days', now() - $6::interval)`,
      [ORG, userId, JSON.stringify(device), ip, ago, revoked],
    );
  await session({ device: 'Nokia', browser: 'Firefox', platform: 'Android' }, '198.51.100.9', '30 days', '29 days');
  await session({ device: 'Redmi 13C', browser: 'Chrome 140', platform: 'Android' }, '203.0.113.7', '2 minutes', null);
  await db.asOwner(
    `insert into trusted_devices (org_id, user_id, device_hash, created_at) values ($1, $2, sha256('d'), now() - interval '2 minutes')`,
    [ORG, userId],
  );
  await db.asOwner(
    `insert into passkeys (org_id, user_id, device_hash, passkey_id, credential_id, public_key, rp_id, device)
     values ($1, $2, sha256('d'), gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'k', 'kist.example', '{"device": "Redmi 13C"}')`,
    [ORG, userId],
  );
  return userId;
}

/** One row of everything that leaves a trace of a customer. */
async function traced({ customerId, deviceId, agreement: { agreement_id } }: Sale): Promise<void> {
  const { plant, asOwner } = world.db;
  const { userId } = world.shop;
  await asOwner(
    `insert into device_events (org_id, device_id, event_id, at, kind, data) values ($1, $2, gen_random_uuid(), '2026-02-11T06:00:00Z', 'sim_changed', '{"operator": "Jio"}')`,
    [ORG, deviceId],
  );
  await plant(
    ['commands'],
    `insert into commands (org_id, command_id, device_id, seq, type, is_state, reason, note, state, created_at, expires_at)
     values ($1, gen_random_uuid(), $2, 900, 'ring', false, 'CUSTOMER_REQUEST', 'cannot find it', 'EXPIRED', now(), now())`,
    [ORG, deviceId],
  );
  await plant(
    ['holds'],
    `insert into holds (org_id, hold_id, agreement_id, kind, until_on, due_on, created_by, created_at)
     values ($1, gen_random_uuid(), $2, 'claim', '2026-03-12', '2026-03-10', $3, kist_now())`,
    [ORG, agreement_id, userId],
  );
  await plant(
    ['protection_reports'],
    `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, closed_at, closed_as, closed_by)
     values ($1, gen_random_uuid(), $2, 'theft', 'customer', $3, kist_now(), kist_now(), 'customer', $3)`,
    [ORG, deviceId, userId],
  );
  await plant(
    ['documents'],
    `insert into documents (org_id, document_id, customer_id, document_type, image_name, mime, bytes, sha256, key_sealed, created_by, created_at, replaced_at)
     values ($1, gen_random_uuid(), $2, 'photo', 'old photo', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $3, kist_now(), kist_now())`,
    [ORG, customerId, userId],
  );
  await plant(
    ['customer_transfers'],
    `insert into customer_transfers (org_id, transfer_id, customer_id, from_user_id, to_user_id, reason, made_by, made_at, clock_shift)
     values ($1, gen_random_uuid(), $2, $3, $4, 'the shop closed', $3, kist_now(), '0')`,
    [ORG, customerId, world.second.userId, userId],
  );
  await plant(
    ['number_changes'],
    'insert into number_changes (org_id, customer_id, changed_at) values ($1, $2, kist_now())',
    [ORG, customerId],
  );
  await plant(
    ['verdicts'],
    `insert into verdicts (org_id, verdict_id, device_id, allowed, rule, facts, verdict, decided_at)
     values ($1, gen_random_uuid(), $2, false, 'CONSENT_MISSING', '{}', '{}', kist_now())`,
    [ORG, deviceId],
  );
}
