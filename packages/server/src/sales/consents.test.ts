import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { maskMobile } from '@kist/contract/masked';
import { registerBodySchema } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { requestOtp, verifyOtp } from '#server/identity/identity.ts';
import { setPolicy } from '#server/locking/policies.ts';
import { newId } from '#server/platform/ids.ts';
import { CLAUSE, createConsentWorld } from '#test/consent-world.ts';
import { makeRetailer, setClock } from '#test/factories.ts';
import * as sales from './sales.ts';

const world = await createConsentWorld();
const { db, shop, heard, newImei, newNumber, whole, register, draft, send, collect, told, sign, consentsOf } = world;
const other = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');
const codeOf = (outcome: unknown) => (outcome instanceof KistError ? outcome.code : outcome);
const isConfirmed = async (customerId: string) =>
  (
    await db.asOwner<{ ok: boolean }>(
      'select is_confirmed as ok from number_confirmations_view where customer_id = $1',
      [customerId],
    )
  )[0]!.ok;
const confirmationsOf = (customerId: string) =>
  db.asOwner<{ mobile: string; hash: string; version: string }>(
    `select mobile, encode(text_hash, 'hex') as hash, text_version as version from consent_confirmations where customer_id = $1 order by confirmed_at`,
    [customerId],
  );

describe('the code of a consent', () => {
  it('goes to the customer’s own number, and a draft’s makes the sale’s consent whole', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await sign(customer_id);
    expect(await send(customer_id)).toEqual({
      resend_after_s: 30,
      expires_in_s: 300,
      masked_mobile: maskMobile(mobile),
    });
    expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: [] });
    const text = db.ports.sales.consentText(CLAUSE.text_version, CLAUSE.language)!;
    const hash = createHash('sha256').update(text).digest('hex');
    expect(await confirmationsOf(customer_id)).toEqual([{ mobile: `+91${mobile}`, hash, version: '2' }]);
    await register({ ...whole(mobile), customer_id });
    expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: true }]);
  });

  it('is asked for by no policy that does without: the signature alone is collected, of a draft and of what runs', async () => {
    const { version: _, ...preset } = POLICY_PRESETS.dealer;
    const set = (change: object) => db.transaction(20, (tx) => setPolicy(tx, shop, { ...preset, ...change }));
    const mobile = newNumber();
    const drafted = await draft(mobile);
    expect(await collect(drafted)).toMatchObject({ missing: ['signature', 'code'] });
    await set({ consentCodeRequired: false });
    expect(await collect(drafted)).toMatchObject({ missing: ['signature'], needs_no_code: true });
    const { customer_id } = await register(whole(newNumber()));
    await set({});
    // What an agreement was signed under counts, whatever came afterwards.
    expect(await collect(drafted)).toMatchObject({ missing: ['signature', 'code'] });
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature'], needs_no_code: true });
    await sign(customer_id);
    heard.length = 0;
    expect(await collect(customer_id)).toMatchObject({ missing: [], needs_no_code: true });
    expect(heard).toHaveLength(1);
    expect(await consentsOf(customer_id)).toContainEqual({ signed: true, confirmed: false });
    expect(await collect(customer_id)).toMatchObject({ missing: [], needs_no_code: true });
  });

  it('is worth nothing for a number that is signed for instead', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await sign(customer_id);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    const { device } = whole(mobile);
    await register({ ...whole(newNumber(), { device }), customer_id });
    expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: false }]);
  });

  it('is worth nothing for another text, another language or another customer', async () => {
    const mobile = newNumber();
    const [mine, theirs] = [await draft(mobile), await draft(mobile)];
    await send(mine);
    const otp = await told(mobile);
    expect(codeOf(await collect(mine, otp, { text_version: '1' }))).toBe('OTP_INVALID');
    expect(codeOf(await collect(mine, otp, { language: 'en' }))).toBe('OTP_INVALID');
    expect(codeOf(await collect(theirs, otp))).toBe('OTP_INVALID');
    expect(await collect(mine, otp)).toMatchObject({ missing: ['signature'] });
    expect(codeOf(await collect(mine, otp))).toBe('OTP_EXPIRED');
  });

  it('has five tries, each of which counts, and is asked for again after thirty seconds', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    await expect(send(customer_id)).rejects.toMatchObject({ code: 'OTP_TOO_SOON' });
    const otp = await told(mobile);
    for (let n = 0; n < 4; n++) expect(codeOf(await collect(customer_id, other(otp)))).toBe('OTP_INVALID');
    expect(codeOf(await collect(customer_id, other(otp)))).toBe('OTP_USED_UP');
    expect(codeOf(await collect(customer_id, otp))).toBe('OTP_USED_UP');
    expect(await confirmationsOf(customer_id)).toEqual([]);
  });

  it('is collected later for an agreement that lacks it, and counts from then', async () => {
    const mobile = newNumber();
    const { customer_id, agreement_id } = await register(whole(mobile));
    heard.length = 0;
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature', 'code'] });
    await send(customer_id);
    expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: ['signature'] });
    expect(await consentsOf(customer_id)).toEqual([{ signed: false, confirmed: false }]);
    await sign(customer_id);
    await setClock(db, '2026-04-20T11:00:00');
    expect(heard).toEqual([]);
    expect(await collect(customer_id)).toMatchObject({ missing: [] });
    expect(await collect(customer_id)).toMatchObject({ missing: [] });
    expect(heard).toEqual([agreement_id]);
    await setClock(db, '2026-04-10T11:00:00');
    expect(await consentsOf(customer_id)).toEqual([
      { signed: false, confirmed: false },
      { signed: true, confirmed: true },
    ]);
    const [row] = await db.asOwner<{ on: string }>(
      `select to_char(x.accepted_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as on from consents x join agreements a using (org_id, agreement_id)
       where a.customer_id = $1 and x.confirmation_id is not null`,
      [customer_id],
    );
    expect(row).toEqual({ on: '2026-04-20' });
  });

  it('is not asked of another shop’s customer, nor of one without a number', async () => {
    const stranger = await makeRetailer(db, 20);
    const customer_id = await draft(newNumber());
    await expect(send(customer_id, {}, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const bare = await register({ plan_id: 1, draft: true });
    await expect(send(bare.customer_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(send(customer_id, { text_version: '99' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('stands for good, but a draft that is deleted takes it along', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    await expect(
      db.transaction(20, (tx) => tx.query(`update consent_confirmations set mobile = '+919000000000'`)),
    ).rejects.toThrow(/refused|denied/);
    await expect(db.transaction(20, (tx) => tx.query('delete from consent_confirmations'))).rejects.toThrow('denied');
    await db.transaction(20, (tx) => sales.deleteDraft(tx, shop, { customer_id }));
    expect(await confirmationsOf(customer_id)).toEqual([]);
  });

  it('makes the number the customer’s own, until another stands on file', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    expect(await isConfirmed(customer_id)).toBe(false);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    expect(await isConfirmed(customer_id)).toBe(true);
    await register({ ...whole(newNumber()), customer_id, draft: true });
    expect(await isConfirmed(customer_id)).toBe(false);
  });
});

describe('the codes of one number', () => {
  it('are counted for each shop with its mini-retailers: what another shop uses up is missing to nobody else', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    const others = await makeRetailer(db, 20);
    const helper = await makeRetailer(db, 20, others);
    const used: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const actor = n % 2 === 0 ? others : helper;
      const one = registerBodySchema.parse({ ...whole(mobile), draft: true });
      const { customer_id: theirs } = await db.transaction(20, (tx) => sales.register(tx, actor, one));
      // Those of one asker are thirty seconds apart.
      await db.asOwner(`update otps set created_at = created_at - interval '40 seconds'`);
      const sent = await send(theirs, CLAUSE, actor).catch((error: unknown) => (error as KistError).code);
      used.push(typeof sent === 'string' ? sent : 'sent');
    }
    expect(used).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', 'OTP_DAILY_LIMIT']);
    expect(await send(customer_id)).toMatchObject({ resend_after_s: 30 });
  });
});

/** They logged in with a code to this very number once. */
const loggedIn = (userId: string) =>
  db.asOwner('update users set number_proved_at = now() where user_id = $1', [userId]);

/** The number is a shop’s by now; whoever signed in with it before does so no more. */
async function goesTo(userId: string, mobile: string): Promise<void> {
  await db.asOwner(`delete from users where user_type = 'customer' and mobile = $1`, [`+91${mobile}`]);
  await db.asOwner('update users set mobile = $2 where user_id = $1', [userId, `+91${mobile}`]);
}

describe('a number that somebody of a shop logs in with', () => {
  it('is one by a login, not by being written down: no shop makes another’s customer unheard', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    const helper = await makeRetailer(db, 20, await makeRetailer(db, 20));
    await goesTo(helper.userId, mobile);
    expect(await isConfirmed(customer_id)).toBe(true);
    await loggedIn(helper.userId);
    expect(await isConfirmed(customer_id)).toBe(false);
  });

  it('gets no code, whoever of the organisation it is, suspended or not; the sale itself is made without', async () => {
    const mini = await makeRetailer(db, 20, shop);
    await loggedIn(mini.userId);
    for (const isActive of [true, false]) {
      const [row] = await db.asOwner<{ mobile: string }>(
        'update users set is_active = $2 where user_id = $1 returning mobile',
        [mini.userId, isActive],
      );
      const device = { imei1: newImei(), brand: 'Redmi', model: '13C' };
      const { customer_id } = await register(whole(row!.mobile.slice(3), { device }));
      await expect(send(customer_id)).rejects.toMatchObject({ code: 'STAFF_NUMBER' });
      await expect(collect(customer_id, '123456')).rejects.toMatchObject({ code: 'STAFF_NUMBER' });
      expect(await consentsOf(customer_id)).toEqual([{ signed: false, confirmed: false }]);
    }
  });

  it('is confirmed by nothing: the database keeps no code told from it, and counts none that was told before', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    expect(await isConfirmed(customer_id)).toBe(true);
    const helper = await makeRetailer(db, 20, shop);
    await goesTo(helper.userId, mobile);
    await loggedIn(helper.userId);
    expect(await isConfirmed(customer_id)).toBe(false);
    await expect(
      db.transaction(20, (tx) =>
        tx.query(
          `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, confirmed_at, confirmed_by)
           values (kist_org(), gen_random_uuid(), $1, $2, '2', '\\x00', 'hn', kist_now(), $3)`,
          [customer_id, `+91${mobile}`, shop.userId],
        ),
      ),
    ).rejects.toThrow('of somebody of a shop');
  });
});

it('a customer’s own login by a code proves the number, and only for this customer and as long as it stands on file', async () => {
  const mobile = newNumber();
  const [mine, theirs] = [await draft(mobile), await draft(mobile)];
  const user_id = newId();
  await db.asOwner(
    `with u as (insert into users (org_id, user_id, user_type, mobile, first_name) values (20, $1, 'customer', $3, 'Savita') returning org_id, user_id)
     insert into customer_logins (org_id, customer_id, user_id, since) select org_id, $2, user_id, kist_now() from u`,
    [user_id, mine, `+91${mobile}`],
  );
  expect(await isConfirmed(mine)).toBe(false);
  const visitor = { orgId: 20, ip: '192.0.2.7', client: { browser: '', platform: '', device: '' } };
  const asked = { mobile: `+91${mobile}`, purpose: 'LOGIN' as const };
  await requestOtp(db, visitor, asked);
  expect(await isConfirmed(mine)).toBe(false);
  await verifyOtp(db, visitor, { ...asked, otp: await told(mobile) });
  expect([await isConfirmed(mine), await isConfirmed(theirs)]).toEqual([true, false]);
  await db.asOwner('update users set mobile = $2 where user_id = $1', [user_id, `+91${newNumber()}`]);
  expect(await isConfirmed(mine)).toBe(false);
  await db.asOwner('update users set mobile = $2 where user_id = $1', [user_id, `+91${mobile}`]);
  expect(await isConfirmed(mine)).toBe(false);
});

describe('after the phone of an agreement was exchanged', () => {
  /** Sold with a whole consent on the 10th, another phone on the 15th: past every door, for what an exchange is else is not asked here. */
  async function exchanged(): Promise<{ customer_id: string; mobile: string }> {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await sign(customer_id);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    const { agreement_id } = await register({ ...whole(mobile), customer_id });
    expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: true }]);
    await setClock(db, '2026-04-15T11:00:00');
    await db.plant(['agreements'], 'update agreements set exchanged_at = kist_now() where agreement_id = $1', [
      agreement_id,
    ]);
    await setClock(db, '2026-04-16T11:00:00');
    await db.asOwner(`update otps set created_at = created_at - interval '2 days'`);
    heard.length = 0;
    return { customer_id, mobile };
  }
  const wholeOnes = async (customer_id: string) =>
    (await consentsOf(customer_id)).filter(({ signed, confirmed }) => signed && confirmed).length;
  afterEach(() => setClock(db, '2026-04-10T11:00:00'));

  it('neither the old signature nor the old code makes a consent: both are given anew', async () => {
    const { customer_id } = await exchanged();
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature', 'code'] });
    expect([await wholeOnes(customer_id), heard]).toEqual([1, []]);
  });

  it('a new signature does not make up for the old code', async () => {
    const { customer_id, mobile } = await exchanged();
    await sign(customer_id);
    expect(await collect(customer_id)).toMatchObject({ missing: ['code'] });
    expect([await wholeOnes(customer_id), heard]).toEqual([1, []]);
    await send(customer_id);
    expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: [] });
    expect([await wholeOnes(customer_id), heard.length]).toEqual([2, 1]);
  });

  it('nor a new code for the old signature', async () => {
    const { customer_id, mobile } = await exchanged();
    await send(customer_id);
    expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: ['signature'] });
    expect([await wholeOnes(customer_id), heard]).toEqual([1, []]);
  });
});
