import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newToken } from '#server/platform/ids.ts';
import * as identity from '#server/identity/identity.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import {
  type TestApp,
  type TestUserOptions,
  createOrganisation,
  createSession,
  createShopApp,
  createUser,
} from '#test/http.ts';
import { CLIENT, PAGE, type OpenIdProvider, openIdProvider } from '#test/openid-provider.ts';
import { testSealer } from '#test/sealer.ts';
import { TOKEN_LIES, inSeconds } from '#test/token-lies.ts';
import { authRoutes } from './auth.ts';
import { organisationLoginRoutes } from './organisation-login.ts';
import { organisationRoutes } from './organisation.ts';
import { peopleRoutes } from './people.ts';
import { sessionRoutes } from './sessions.ts';

let it: TestApp;
let provider: OpenIdProvider;
const headers = { origin: 'http://localhost:3210' };
const { client_id, client_secret: secret } = CLIENT;

const set = (orgId: number, given: Partial<Parameters<typeof identity.setProvider>[2]> = {}) =>
  it.db.operator.transaction(orgId, (tx) =>
    identity.setProvider(
      tx,
      SYSTEM(orgId),
      { issuer: provider.issuer, client_id, secret, claim: 'email', ...given },
      testSealer,
    ),
  );

beforeAll(async () => {
  provider = await openIdProvider();
  it = await createShopApp(authRoutes, organisationLoginRoutes, organisationRoutes, sessionRoutes, (app) =>
    peopleRoutes(app, { locking: {} as never }),
  );
  await createOrganisation(it.db, { orgId: 21 });
  await createOrganisation(it.db, { orgId: 22 });
  await set(20);
  await set(21);
});
beforeEach(async () => {
  provider.lie = undefined;
  provider.faults.clear();
  await it.db.asOwner('delete from rate_limits');
});

let people = 0;
/** Somebody of the shop, whom the provider knows by a verified address that the organisation vouches for. */
async function person(options: TestUserOptions = {}, said: Record<string, unknown> = {}) {
  const user = await createUser(it.db, options);
  const email = `asha.${++people}@shop.example`;
  await it.db.asOwner('update users set email = $2, is_email_vouched = true where user_id = $1', [user.userId, email]);
  const account = `account-${people}`;
  provider.people.set(account, { email, email_verified: true, ...said });
  return { user, email, account };
}

const ask = (more: Record<string, string> = {}) => it.call('getOauthUrl', { headers: { ...headers, ...more } });
/** What the browser of an account comes back with. */
async function gone(account: string, more: Record<string, string> = {}) {
  const { url, ticket } = (await ask(more)).data;
  const back = await provider.visit(url, account);
  return { code: back.get('code') ?? '', state: back.get('state') ?? '', iss: back.get('iss') ?? '', ticket };
}
const finish = (query: { code: string; state: string; iss?: string; ticket: string }, more: object = {}) =>
  it.call('oauthCallback', { headers: { ...headers, ...more }, query });
const signIn = async (account: string) => finish(await gone(account));

const audited = (subject: string | number) =>
  it.db.asOwner<{ action: string; data: Record<string, unknown> }>(
    'select action, data from audit_lines where subject_id = $1 order by seq',
    [String(subject)],
  );
const said = ({ status, code }: { status: number; code?: string | undefined }) => [status, code];
const REFUSED = [400, 'OIDC_REFUSED'];
const NOBODY = [403, 'OIDC_NOBODY'];

describe('a provider that is set', () => {
  test('opens a session for whom it vouches, and the second time too; both are in the audit', async () => {
    const { user, account } = await person();
    const { data } = await signIn(account);
    expect(data).toMatchObject({ mobile: user.mobile, session: { user_id: user.userId, org_id: 20 } });
    expect((await it.call('mySessions', { token: data.session.token })).status).toBe(200);
    expect((await signIn(account)).status).toBe(200);
    const lines = await audited(user.userId);
    expect(lines.map(({ action }) => action)).toEqual(['provider_linked', 'signed_in', 'signed_in']);
    expect(lines[1]?.data).toEqual({ how: 'oidc' });
  });

  test('is asked with PKCE (S256), state and nonce, for our own page alone', async () => {
    const { data } = await ask();
    const sent = new URL(data.url).searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({
      client_id,
      redirect_uri: PAGE,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(sent.get(name)).toMatch(/^[\w-]{43}$/);
    const other = new URL((await ask()).data.url).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) expect(other.get(name)).not.toBe(sent.get(name));
    // What redeems the answer is kept nowhere.
    const rows = await it.db.asOwner<{ kept: string }>('select q::text as kept from provider_questions q');
    for (const { kept } of rows) expect(kept).not.toContain(String(sent.get('state')));
  });

  test('finds somebody by a verified number, where that is what it is set to', async () => {
    await set(22, { claim: 'phone_number' });
    const user = await createUser(it.db, { orgId: 22 });
    provider.people.set('by-number', { phone_number: user.mobile, phone_number_verified: true });
    const org = { 'x-org': 'org-22' };
    const { data } = await finish(await gone('by-number', org), org);
    expect(data.session).toMatchObject({ user_id: user.userId, org_id: 22 });
    provider.people.set('not-verified', { phone_number: user.mobile, phone_number_verified: false });
    expect(said(await finish(await gone('not-verified', org), org))).toEqual(NOBODY);
  });

  test('is told to the app; without one nothing is offered, and nothing answers', async () => {
    expect((await it.call('getOrgAppConfig')).data.organisation_login).toBe(true);
    await createOrganisation(it.db, { orgId: 23 });
    const org = { 'x-org': 'org-23' };
    expect((await it.call('getOrgAppConfig', { headers: org })).data.organisation_login).toBe(false);
    expect((await ask(org)).code).toBe('NOT_FOUND');
    const query = { code: 'c', state: newToken(), ticket: newToken() };
    expect((await finish(query, org)).code).toBe('NOT_FOUND');
  });
});

describe('an answer that is refused', () => {
  test('to another question, from another browser, a second time, too late', async () => {
    const { account } = await person();
    const answer = await gone(account);
    expect(said(await finish({ ...answer, state: newToken() }))).toEqual(REFUSED);
    expect(said(await finish({ ...answer, ticket: newToken() }))).toEqual(REFUSED);
    const both = await Promise.all([finish(answer), finish(answer), finish(answer)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(said(await finish(answer))).toEqual(REFUSED);
    const late = await gone(account);
    await it.db.asOwner(`update provider_questions set expires_at = now() - interval '1 second'`);
    expect(said(await finish(late))).toEqual(REFUSED);
  });

  test('a code of before, or of somebody else’s question: the provider gives nothing for it', async () => {
    const { account } = await person();
    const used = await gone(account);
    expect((await finish(used)).status).toBe(200);
    const next = await gone(account);
    expect(said(await finish({ ...next, code: used.code }))).toEqual(REFUSED);
    // A code that another browser was given is bound to that one's PKCE secret.
    const [mine, theirs] = [await gone(account), await gone(account)];
    expect(said(await finish({ ...mine, code: theirs.code }))).toEqual(REFUSED);
  });

  test('of another organisation: its question, its provider', async () => {
    const { account } = await person();
    const answer = await gone(account);
    const org = { 'x-org': 'org-21' };
    expect(said(await finish(answer, org))).toEqual(REFUSED);
    // Of the right organisation it still counts: nobody else's try uses it up.
    expect((await finish(answer)).status).toBe(200);
    // Whom the provider vouches for in one organisation is nobody in another.
    expect(said(await finish(await gone(account, org), org))).toEqual(NOBODY);
  });

  test.each(TOKEN_LIES)('an ID token that lies: %s', async (_, lie) => {
    const { account, user } = await person();
    const answer = await gone(account);
    provider.lie = lie;
    expect(said(await finish(answer))).toEqual(REFUSED);
    expect(await audited(user.userId)).toEqual([]);
  });

  test('an ID token of a provider whose clock is a little fast is taken', async () => {
    const { account, user } = await person();
    const answer = await gone(account);
    provider.lie = ({ claims }) => ({ claims: { ...claims, iat: inSeconds(20), nbf: inSeconds(20) } });
    expect((await finish(answer)).data.session.user_id).toBe(user.userId);
  });

  test('that another issuer claims to have given (mix-up)', async () => {
    const { account } = await person();
    expect(said(await finish({ ...(await gone(account)), iss: 'https://provider.example.evil' }))).toEqual(REFUSED);
  });

  test('that says nothing of who gives it, where the provider does (mix-up)', async () => {
    const { account } = await person();
    const { iss: _iss, ...answer } = await gone(account);
    expect(said(await finish(answer))).toEqual(REFUSED);
  });

  test('that comes to a page that is none of ours, or asks for one', async () => {
    expect(said(await ask({ origin: 'https://kist.example.evil' }))).toEqual(REFUSED);
    const unknown = await it.call('getOauthUrl', { headers, query: { redirect_uri: 'https://evil' } as never });
    expect([unknown.status, unknown.errors?.[0]?.path]).toEqual([400, 'redirect_uri']);
  });
});

describe('somebody whom the provider vouches for and who is nobody here', () => {
  test('without a verified address, with none of ours, and with one that two have', async () => {
    const one = await person({}, { email_verified: false });
    expect(said(await signIn(one.account))).toEqual(NOBODY);
    const two = await person({}, { email_verified: 'true' });
    expect(said(await signIn(two.account))).toEqual(NOBODY);
    provider.people.set('stranger', { email: 'nobody@shop.example', email_verified: true });
    expect(said(await signIn('stranger'))).toEqual(NOBODY);
    const three = await person();
    const { userId } = await createUser(it.db);
    await it.db.asOwner('update users set email = upper($2), is_email_vouched = true where user_id = $1', [
      userId,
      three.email,
    ]);
    expect(said(await signIn(three.account))).toEqual(NOBODY);
    const refusals = (await audited(20)).filter(({ action }) => action === 'provider_sign_in_refused');
    expect(refusals).toHaveLength(4);
    expect(JSON.stringify(refusals)).not.toContain('@');
  });

  test('with an address that only looks like one of ours, or is no text', async () => {
    const { user, email } = await person();
    // The sign of Kelvin is another letter, which a comparison without case takes for a k.
    await it.db.asOwner('update users set email = $2 where user_id = $1', [user.userId, `k${email}`]);
    for (const word of [`\u212a${email}`, `k${email}\u0000`, `k${email} `, [`k${email}`], { email }]) {
      provider.people.set('lookalike', { email: word, email_verified: true });
      expect(said(await signIn('lookalike'))).toEqual(NOBODY);
    }
    provider.people.set('lookalike', { email: `K${email.toUpperCase()}`, email_verified: true });
    expect((await signIn('lookalike')).data.session.user_id).toBe(user.userId);
  });

  test('a customer, and one who is suspended', async () => {
    expect(said(await signIn((await person({ userType: 'customer' })).account))).toEqual(NOBODY);
    const { user, account } = await person();
    await it.db.asOwner('update users set is_active = false where user_id = $1', [user.userId]);
    expect(said(await signIn(account))).toEqual(NOBODY);
  });

  test('one who is suspended stands in the way of nobody who has that address now', async () => {
    const { user, email, account } = await person();
    await it.db.asOwner('update users set is_active = false where user_id = $1', [user.userId]);
    const { userId } = await createUser(it.db);
    await it.db.asOwner('update users set email = $2, is_email_vouched = true where user_id = $1', [userId, email]);
    expect((await signIn(account)).data.session.user_id).toBe(userId);
  });

  test('nobody is locked out by somebody else who writes that address to their own name', async () => {
    const { user, email, account } = await person();
    expect((await signIn(account)).status).toBe(200);
    const { userId } = await createUser(it.db);
    await it.db.asOwner('update users set email = $2 where user_id = $1', [userId, email]);
    expect((await signIn(account)).data.session.user_id).toBe(user.userId);
    provider.people.set('newcomer', { email, email_verified: true });
    expect(said(await signIn('newcomer'))).toEqual(NOBODY);
  });

  test('nobody comes in as somebody who wrote that address first, to the own name or to one of theirs; as whom the organisation vouches for they do', async () => {
    const shop = await createUser(it.db);
    const mini = await createUser(it.db, { userType: 'miniretailer', parentUserId: shop.userId });
    const token = await createSession(it.db, shop);
    const write = (user_id: string, email: string) => it.call('updateUser', { token, body: { user_id, email } });
    expect((await write(shop.userId, 'meera@shop.example')).status).toBe(200);
    expect((await write(mini.userId, 'second@shop.example')).status).toBe(200);
    provider.people.set('meera', { email: 'meera@shop.example', email_verified: true });
    provider.people.set('second', { email: 'second@shop.example', email_verified: true });
    expect(said(await signIn('meera'))).toEqual(NOBODY);
    expect(said(await signIn('second'))).toEqual(NOBODY);
    const vouch = () => it.db.operator.transaction(20, (tx) => identity.vouchForEmail(tx, SYSTEM(20), shop.userId));
    expect(await vouch()).toBe('meera@shop.example');
    expect((await signIn('meera')).data.session.user_id).toBe(shop.userId);
    // Of another address nobody has vouched.
    expect((await write(shop.userId, 'asha@shop.example')).status).toBe(200);
    provider.people.set('asha', { email: 'asha@shop.example', email_verified: true });
    expect(said(await signIn('asha'))).toEqual(NOBODY);
  });

  test('an address that an administrator writes is vouched for', async () => {
    const [admin, shop] = [await createUser(it.db, { userType: 'admin' }), await createUser(it.db)];
    const token = await createSession(it.db, admin);
    const body = { user_id: shop.userId, email: 'written@shop.example' };
    expect((await it.call('updateUser', { token, body })).status).toBe(200);
    provider.people.set('written', { email: 'written@shop.example', email_verified: true });
    expect((await signIn('written')).data.session.user_id).toBe(shop.userId);
  });

  test('an address that went to another account there takes nobody along, until it is let go here', async () => {
    const { user, email, account } = await person();
    expect((await signIn(account)).status).toBe(200);
    provider.people.set('newcomer', { email, email_verified: true });
    expect(said(await signIn('newcomer'))).toEqual(NOBODY);
    // Nor does an account come to another user with another address.
    const other = await person();
    provider.people.set(account, { email: other.email, email_verified: true });
    expect(said(await signIn(account))).toEqual(NOBODY);
    await it.db.operator.transaction(20, (tx) => identity.unlinkProvider(tx, SYSTEM(20), user.userId));
    expect((await signIn('newcomer')).data.session.user_id).toBe(user.userId);
    expect((await audited(user.userId)).map(({ action }) => action)).toContain('provider_unlinked');
  });
});

describe('a provider', () => {
  test('is https outside this machine, and nothing but an address', async () => {
    for (const issuer of [
      'http://provider.example',
      'http://10.0.0.1',
      'https://a@b.example',
      'https://b.example?x=1',
      'x',
    ])
      await expect(set(22, { issuer })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('that does not answer is said to be away, and so is an answer that it is to give', async () => {
    const away = await openIdProvider();
    await createOrganisation(it.db, { orgId: 24 });
    await set(24, { issuer: away.issuer });
    const org = { 'x-org': 'org-24' };
    const { url, ticket } = (await ask(org)).data;
    const back = await away.visit(url, 'somebody');
    await away.close();
    const [code, state, iss] = ['code', 'state', 'iss'].map((name) => String(back.get(name))) as [
      string,
      string,
      string,
    ];
    const query = { code, state, iss, ticket };
    expect(await finish(query, org)).toMatchObject({ status: 503, code: 'OIDC_UNAVAILABLE' });
    await set(24, { issuer: 'http://127.0.0.1:9' });
    expect(await ask(org)).toMatchObject({ status: 503, code: 'OIDC_UNAVAILABLE' });
  });

  test('that is busy is said to be away, and nobody goes where it sends this server', async () => {
    const other = await openIdProvider();
    await createOrganisation(it.db, { orgId: 26 });
    const org = { 'x-org': 'org-26' };
    await set(26, { issuer: other.issuer });
    const meets = async (path: string, fault: 'busy' | { to: string }) => {
      const { url, ticket } = (await ask(org)).data;
      const back = await other.visit(url, 'somebody');
      const [code = '', state = '', iss = ''] = ['code', 'state', 'iss'].map((name) => back.get(name) ?? '');
      other.faults.set(path, fault);
      return said(await finish({ code, state, iss, ticket }, org));
    };
    const elsewhere = { to: `${other.issuer}/elsewhere` };
    expect(await meets('/token', elsewhere)).toEqual(REFUSED);
    expect(await meets('/token', 'busy')).toEqual([503, 'OIDC_UNAVAILABLE']);
    other.faults.clear();
    expect(await meets('/me', elsewhere)).toEqual(REFUSED);
    expect(await meets('/me', 'busy')).toEqual([503, 'OIDC_UNAVAILABLE']);
    // Under another registration what it says of itself is read anew.
    other.faults.set('/.well-known/openid-configuration', elsewhere);
    await set(26, { issuer: other.issuer, secret: undefined });
    expect(said(await ask(org))).toEqual([503, 'OIDC_UNAVAILABLE']);
    expect(other.asked).not.toContain('/elsewhere');
  });

  test('keeps its secret sealed, and is in the audit without it; taken away it opens nothing', async () => {
    await createOrganisation(it.db, { orgId: 25 });
    await set(25);
    const [row] = await it.db.asOwner<{ kept: string }>(
      `select p::text || encode(secret_sealed, 'escape') as kept from identity_providers p where org_id = 25`,
    );
    expect(row?.kept).not.toContain(secret);
    expect(JSON.stringify(await audited(25))).toContain('identity_provider_set');
    expect(JSON.stringify(await audited(25))).not.toContain(secret);
    await it.db.operator.transaction(25, (tx) => identity.removeProvider(tx, SYSTEM(25)));
    expect((await ask({ 'x-org': 'org-25' })).code).toBe('NOT_FOUND');
  });

  test('is not asked without end by one network', async () => {
    const codes = new Set<string | undefined>();
    for (let n = 0; n < 61; n += 1) codes.add((await ask()).code);
    expect([...codes]).toEqual([undefined, 'RATE_LIMITED']);
  });
});

test('what nobody came back for is forgotten', async () => {
  const left = () =>
    it.db.asOwner<{ n: number }>('select count(*)::int as n from provider_questions where org_id = 20');
  await ask();
  await it.db.asOwner(`update provider_questions set expires_at = now() - interval '1 second'`);
  await it.db.transaction(20, (tx) => identity.forgetExpired(tx));
  expect(await left()).toEqual([{ n: 0 }]);
});
