import { beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { requestSignup } from '#server/identity/identity.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { giveKeys, makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { nouns, useKist } from '#test/kist-command.ts';
import { SCREEN_TEXTS } from '#test/screen-texts.ts';
import { read } from './verbs.ts';

const { db, kist, fileOf } = await useKist();

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
});

/** What no call takes for a reason. */
const WRONG_REASONS = ['', '   ', 'x'.repeat(100_000), 'closed\u0007'];

describe('help', () => {
  test.each(
    Object.entries(nouns).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([name, verb]) => [noun, name, verb] as const),
    ),
  )('kist %s %s teaches: its line, every option, an example that is read', async (noun, name, verb) => {
    const help = await kist(noun, name, '--help');
    expect(help).toContain(`kist ${noun} ${name}`);
    for (const option of Object.keys(verb.options ?? {})) expect(help).toContain(`--${option} `);
    const example = (verb.example.split(/ [|>] /)[0]!.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
      word.replaceAll('"', ''),
    );
    expect(read(noun, { [name]: verb }, example.slice(2))).toMatchObject({ verb });
  });

  test('what is typed wrongly is answered with what is right', async () => {
    expect(await kist('org')).toContain('kist org import FILE');
    expect(await kist('org', 'ad')).toContain('UsageError: kist org ad: no such thing');
    expect(await kist('plan', 'add', '20')).toContain('kist plan add ORG PLAN');
    expect(await kist('plan', 'add', 'twenty', '1')).toContain('UsageError: the first argument is the organisation id');
    for (const number of ['1e2', '0x14', '+20', ' 20', '20.0', '-20', '0', '1000000000', ''])
      expect(await kist('plan', 'list', '--', number), number).toContain('UsageError: the first argument');
    expect(await kist('plan', 'add', '20', '9', '--type', 'DPC')).toContain('UsageError: --name is missing');
    expect(await kist('plan', 'add', '20', '9', '--colour', 'red')).toContain("Unknown option '--colour'");
  });
});

test('a penal rule is set, told with its versions, and its organisation’s alone', async () => {
  expect(await kist('penal', 'show', '20')).toEqual([]);
  expect(await kist('penal', 'set', '20', '--charge', '100')).toContain('UsageError: --grace is a number of days');
  const rule = ['--charge', '100', '--grace', '3', '--every', '30', '--cap', '5', '--waiver-limit', '500'];
  const why = ['--by', 'R. Shah', '--reason', 'from 1 March'];
  expect(await kist('penal', 'set', '20', ...rule, ...why)).toMatchObject([{ charge_paise: 10_000, cap_bps: 500 }]);
  expect(await kist('penal', 'show', '21')).toEqual([]);
  const beyond = rule.map((word) => (word === '5' ? '500' : word));
  expect(await kist('penal', 'set', '20', ...beyond, ...why)).toMatch(
    /^RefusedError: Refused: cap_bps: [^{]*10000\. Nothing was changed\.$/,
  );
  expect(await kist('penal', 'set', '999', ...rule, ...why)).toContain(
    'RefusedError: Refused: there is no organisation',
  );
  expect(await kist('penal', 'set', '--help')).toContain('--waiver-limit');
});

test('an organisation that is not there has no answer, an empty one neither; numbers are digits', async () => {
  for (const asked of [
    ['retailer', 'list', '999'],
    ['plan', 'list', '999'],
    ['keys', 'show', '999', '9000000101'],
    ['holiday', 'list', '999'],
    ['org', 'oidc', 'show', '999'],
    ['check', 'state', '999'],
    ['financer', 'list', '999'],
  ])
    expect(await kist(...asked)).toBe(
      'RefusedError: Refused: there is no organisation 999 (kist org list). Nothing was changed.',
    );
  for (const wrong of ['1e1', '0x2', '2.0']) {
    expect(await kist('financer', 'end', '20', wrong)).toContain('UsageError: ID is the number');
    expect(await kist('policy', 'preview', '20', '--days', wrong)).toContain('UsageError: --days');
  }
});

describe('plans, prices and keys', () => {
  test('a plan is put on sale, renamed and taken off; another organisation’s of the same number stays', async () => {
    expect(await kist('plan', 'add', '20', '9', '--type', 'DPC', '--name', 'Nine')).toMatchObject({
      change: 'created',
    });
    expect(await kist('plan', 'add', '20', '9', '--type', 'LINKFL', '--name', 'Nine')).toContain(
      'RefusedError: Refused: STATE_CONFLICT',
    );
    expect(await kist('plan', 'edit', '20', '1', '--sale', 'off', '--name', 'Was one')).toMatchObject({
      is_changed: true,
    });
    expect(await kist('plan', 'edit', '20', '1', '--sale', 'off')).toMatchObject({ is_changed: false });
    expect(await kist('plan', 'edit', '20', '77', '--sale', 'off')).toContain('RefusedError: Refused: NOT_FOUND');
    // As in a file of organisations, the number of an app is one from 0 on.
    const app = (number: string) => kist('plan', 'edit', '20', '1', '--app-type', number);
    expect(await app('0')).toMatchObject({ app_type: 0, is_changed: true });
    expect(await app('0')).toMatchObject({ is_changed: false });
    for (const wrong of ['1.5', 'none', ''])
      expect(await app(wrong)).toContain('UsageError: --app-type is a whole number from 0 to');
    expect(await kist('plan', 'add', '20', '0', '--type', 'DPC', '--name', 'None')).toContain('UsageError: PLAN');
    const of = async (org: string) => (await kist('plan', 'list', org)).filter((plan) => plan.plan_id === 1)[0];
    expect(await of('20')).toMatchObject({ name: 'Was one', is_on_sale: false, is_active: false });
    expect(await of('21')).toMatchObject({ name: 'EMI phone', is_on_sale: true });
  });

  test('a price is set, changed and taken away, and each change stands in the audit', async () => {
    expect(await kist('price', 'set', '20', 'DPC', '99.50')).toMatchObject({ price_paise: 9950, is_changed: true });
    expect(await kist('price', 'set', '20', 'dpc', '99.5')).toMatchObject({ is_changed: false });
    expect(await kist('price', 'show', '21')).toEqual([]);
    expect(await kist('price', 'set', '20', 'DPC', 'none')).toMatchObject({ price_paise: null, is_changed: true });
    for (const wrong of ['0', '-1', '1.005', 'free'])
      expect(await kist('price', 'set', '20', 'DPC', '--', wrong)).toContain('UsageError');
    const lines = await db.asOwner<{ data: object }>(
      `select data from audit_lines where action = 'key_price_set' and org_id = 20 order by seq`,
    );
    expect(lines.map(({ data }) => data)).toEqual([
      { plan_type: 0, price_paise: 9950 },
      { plan_type: 0, price_paise: null },
    ]);
  });

  test('keys of one id are given once, to the shop that is named, in its organisation alone', async () => {
    const shop = await makeRetailer(db, 20);
    const sibling = await makeRetailer(db, 20);
    const mobileOf = async (userId: string) =>
      (await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [userId]))[0]!.mobile;
    const mobile = (await mobileOf(shop.userId)).slice(3);
    const grant = (...more: string[]) => kist('keys', 'grant', '20', mobile, 'DPC', '25', ...more);
    expect(await grant('--id', 'first')).toMatchObject({ keys: 25, change: 'given' });
    expect(await grant('--id', 'first')).toMatchObject({ keys: 25, change: 'given before' });
    expect(await grant('--id', 'second', '--paid')).toMatchObject({ change: 'given' });
    expect(await kist('keys', 'show', '20', mobile)).toEqual([
      { plan_type: 'DPC', paid: 25, granted: 25, reserved: 0 },
    ]);
    expect(await kist('keys', 'show', '20', await mobileOf(sibling.userId))).toEqual([]);
    expect(await kist('keys', 'grant', '21', mobile, 'DPC', '25', '--id', 'x')).toContain('UsageError: no active shop');
    expect(await grant()).toContain('UsageError: --id is missing');
  });

  test('keys that a mini-retailer has not used go back to its retailer once for an id', async () => {
    const shop = await makeRetailer(db, 20);
    const mini = await makeRetailer(db, 20, shop);
    await giveKeys(db, shop, { count: 3 });
    const passed = { to_user_id: mini.userId, plan_type: PLAN.DPC, keys: 3 };
    await db.transaction(20, (tx) => wallet.transferKeys(tx, shop, passed));
    const [user] = await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [mini.userId]);
    const back = (count: string, ...more: string[]) =>
      kist('keys', 'back', '20', user!.mobile.slice(3), 'DPC', count, ...more);
    expect(await back('2', '--id', 'closed')).toMatchObject({ keys: 2, left: 1, change: 'taken' });
    expect(await back('2', '--id', 'closed')).toMatchObject({ keys: 2, left: 1, change: 'taken before' });
    expect(await back('1', '--id', 'closed')).toContain('IDEMPOTENCY_CONFLICT');
    expect(await back('2', '--id', 'more')).toContain('INSUFFICIENT_KEYS');
    expect(await back('1')).toContain('UsageError: --id is missing');
  });
});

test('a plan that this version cannot deliver is made, and keys for it given, with a warning', async () => {
  const { userId } = await makeRetailer(db, 20);
  const [user] = await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [userId]);
  const add = (plan: string, type: string) => kist('plan', 'add', '20', plan, '--type', type, '--name', type);
  const grant = (type: string) => kist('keys', 'grant', '20', user!.mobile, type, '5', '--id', `w-${type}`);
  const because = 'cannot be delivered by this version';
  expect(await add('81', 'ANTIHACKING')).toMatchObject({
    change: 'created',
    warnings: [expect.stringContaining(because)],
  });
  expect(await grant('ANTIHACKING')).toMatchObject({ change: 'given', warnings: [expect.stringContaining(because)] });
  expect(await add('82', 'DPC')).toMatchObject({ change: 'created', warnings: [] });
  expect(await grant('DPC')).toMatchObject({ change: 'given', warnings: [] });
});

describe('shops', () => {
  const add = (org: string, mobile: string, ...more: string[]) =>
    kist('retailer', 'add', org, mobile, '--first-name', 'Asha', '--shop', 'Asha Mobiles', ...more);
  const listed = async (org: string, mobile: string) =>
    (await kist<{ mobile: string; user_type: string; is_active: boolean }[]>('retailer', 'list', org)).find(
      (shop) => shop.mobile === `+91${mobile}`,
    );

  test('are added, listed with those below, suspended and let in again, in their organisation alone', async () => {
    expect(await add('20', '9700000001', '--city', 'Nashik')).toMatchObject({ change: 'created' });
    expect(await add('20', '9700000002', '--under', '9700000001')).toMatchObject({ change: 'created' });
    expect(await add('20', '9700000002')).toContain('RefusedError: Refused: MOBILE_TAKEN');
    expect(await add('20', '9700000003', '--under', '9799999999')).toContain('UsageError: no shop signs in');
    expect(await add('20', '12345')).toContain('UsageError: - mobile');
    expect(await listed('20', '9700000002')).toMatchObject({ user_type: 'miniretailer', is_active: true });
    expect(await listed('21', '9700000001')).toBeUndefined();
    const suspend = (org: string, reason = 'closed') =>
      kist('retailer', 'suspend', org, '9700000001', '--reason', reason);
    for (const wrong of WRONG_REASONS) expect(await suspend('20', wrong), wrong).toContain('UsageError: - reason: ');
    expect(await listed('20', '9700000001')).toMatchObject({ is_active: true });
    expect(await suspend('21')).toContain('UsageError: no shop signs in');
    expect(await suspend('20', ' closed\u202E')).toEqual({ suspended: 2 });
    const kept = await db.asOwner(`select suspend_reason from users where mobile = '+919700000001' and org_id = 20`);
    expect(kept).toEqual([{ suspend_reason: 'closed' }]);
    expect(await suspend('20')).toContain('RefusedError: Refused: STATE_CONFLICT');
    expect(await listed('20', '9700000002')).toMatchObject({ is_active: false });
    expect(await kist('retailer', 'activate', '20', '9700000001')).toEqual({ activated: 2 });
  });

  test('customers pass from one to another: first told how many, then done, and neither to whom it is not theirs', async () => {
    const sell = {
      actor: await makeRetailer(db, 20),
      to: await makeRetailer(db, 20),
      foreign: await makeRetailer(db, 21),
    };
    const numberOf = async ({ userId }: { userId: string }) =>
      (await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [userId]))[0]!.mobile.slice(
        3,
      );
    const [from, to, foreign] = await Promise.all([sell.actor, sell.to, sell.foreign].map(numberOf));
    const sold = await db.transaction(20, (tx) => makeSale(tx, sell.actor));
    await db.transaction(20, (tx) => makeSale(tx, sell.actor));
    const pass = (...more: string[]) => kist('retailer', 'transfer', '20', from!, ...more, '--reason', 'it closes');
    expect(await pass(to!, '--dry-run')).toEqual({ moved: 2, agreements: 2 });
    expect(await pass(foreign!)).toContain('UsageError: no shop signs in with');
    expect(await pass(to!, '--customer', sold.customerId)).toEqual({ moved: 1, agreements: 1 });
    expect(await pass(to!)).toEqual({ moved: 1, agreements: 1 });
    expect(await pass(to!)).toEqual({ moved: 0, agreements: 0 });
    const owners = await db.asOwner<{ owner: string }>(
      'select distinct owner_user_id as owner from customers where owner_user_id = any($1)',
      [[sell.actor.userId, sell.to.userId]],
    );
    expect(owners).toEqual([{ owner: sell.to.userId }]);
  });

  test('all customers of a shop pass to another, however many they are', async () => {
    const [from, to] = [await makeRetailer(db, 20), await makeRetailer(db, 20)];
    const users = [from, to].map(({ userId }) => userId);
    await db.asOwner(
      `insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at)
       select 20, gen_random_uuid(), $1, 0, kist_now(), kist_now() from generate_series(1, $2::int)`,
      [from.userId, LIMITS.transferCustomers + 1],
    );
    const numbers = await db.asOwner<{ mobile: string }>(
      'select substr(mobile, 4) as mobile from users where user_id = any($1) order by user_id <> $2',
      [users, from.userId],
    );
    const shops = numbers.map(({ mobile }) => mobile);
    expect(await kist('retailer', 'transfer', '20', ...shops, '--reason', 'it closes')).toEqual({
      moved: LIMITS.transferCustomers + 1,
      agreements: 0,
    });
    expect(await db.asOwner('select from customers where owner_user_id = $1', [from.userId])).toEqual([]);
  });

  test('get and lose words; a word that is none is refused', async () => {
    const set = (...words: string[]) =>
      kist('access', 'set', '20', '9700000001', ...words.flatMap((word) => ['--set', word]));
    expect(await set('unistall=off', 'unlock=off', 'add_retailer=on')).toEqual({
      changed: ['user_access', 'lock_access', 'may_add_retailers'],
    });
    expect(await set('unistall=off')).toEqual({ changed: [] });
    expect(await kist('access', 'show', '20', '9700000001')).toMatchObject({
      unistall: '0',
      unlock: '0',
      lock: '1',
      add_retailer: '1',
    });
    expect(await kist('access', 'show', '20', '9700000002')).toMatchObject({
      unistall: '0',
      unlock: '0',
      add_retailer: '0',
    });
    expect(await set('fly=on')).toContain('UsageError: --set is WORD=on');
    expect(await set()).toContain('UsageError: --set WORD=on');
  });

  test('that ask for an account are listed, approved and refused', async () => {
    const ask = (mobile: string) =>
      db.transaction(20, (tx) =>
        requestSignup(tx, {
          mobile,
          first_name: 'F',
          last_name: '',
          shop_name: 'New Star',
          city: '',
          pincode: '',
          note: '',
          language: 'hn',
        }),
      );
    await ask('+919700000011');
    await ask('+919700000012');
    const open = () => kist<{ request_id: string }[]>('signup', 'list', '20');
    const [first, second] = await open();
    expect(await kist('signup', 'list', '21')).toEqual([]);
    expect(await kist('signup', 'approve', '20', first!.request_id)).toHaveProperty('user_id');
    for (const wrong of WRONG_REASONS)
      expect(await kist('signup', 'refuse', '20', second!.request_id, '--reason', wrong), wrong).toContain(
        'UsageError: --reason is a sentence',
      );
    expect(await kist('signup', 'refuse', '20', second!.request_id, '--reason', 'no such shop')).toEqual({
      refused: true,
      is_told: true,
    });
    expect(await kist('signup', 'approve', '20', second!.request_id)).toContain(
      'RefusedError: Refused: STATE_CONFLICT',
    );
    expect(
      await db.asOwner(
        `select payload, sealed, next_attempt_at <= now() + interval '12 hours' as soon from outbox where payload ->> 'signup_request_id' is not null order by id`,
      ),
    ).toEqual(
      [first!, second!].map(({ request_id }) => ({
        payload: { signup_request_id: request_id },
        sealed: null,
        soon: true,
      })),
    );
    expect(await kist('signup', 'approve', '20', '1')).toContain('UsageError: REQUEST is an id');
    expect(await open()).toEqual([]);
    expect(await listed('20', '9700000011')).toMatchObject({ user_type: 'retailer' });
  });
});

describe('the rules of locking', () => {
  test('a policy is shown, set and tried out; what is harder than its preset is refused', async () => {
    const set = (...words: string[]) => kist('policy', 'set', '21', ...words);
    expect(await kist('policy', 'list')).toHaveProperty('rbi-2026');
    expect(await set('--preset', 'rbi-2026')).toMatchObject({ is_changed: true });
    expect(await set('--preset', 'rbi-2026')).toMatchObject({ is_changed: false });
    expect(await set('--preset', 'harsh')).toContain('UsageError: a preset is one of: dealer, rbi-2026');
    expect(await set()).toContain('UsageError: --preset, --file or both');
    const harder = ['--file', fileOf({ cureWithinMinutes: 600 })];
    expect(await set(...harder)).toContain('RefusedError: Refused: INVALID_INPUT: free within 60');
    expect(await set('--file', fileOf({ minDwell: 1 }))).toContain('UsageError: This cannot be used');
    expect(await set('--file', fileOf({ minDwellDays: 14 }))).toMatchObject({ is_changed: true });
    expect(await kist('policy', 'show', '21')).toMatchObject({ policy: { preset: 'rbi-2026', minDwellDays: 14 } });
    expect(await kist('policy', 'preview', '21', '--days', '7')).toEqual({ agreements: 0, steps: [] });
    expect(await kist('policy', 'preview', '21', '--days', '31')).toContain('UsageError: --days');
  });

  test('a preset and numbers are set as one version, and neither where one is refused', async () => {
    const shown = () => kist('policy', 'show', '20');
    const set = (change: object) => kist('policy', 'set', '20', '--preset', 'rbi-2026', '--file', fileOf(change));
    const before = await shown();
    expect(before).toMatchObject({ policy: { preset: 'dealer' }, versions: [] });
    expect(await set({ cureWithinMinutes: 600 })).toContain('RefusedError: Refused: INVALID_INPUT: free within 60');
    expect(await shown()).toEqual(before);
    expect(await set({ minDwellDays: 21 })).toMatchObject({ is_changed: true });
    const policy = { preset: 'rbi-2026', minDwellDays: 21 };
    expect(await shown()).toMatchObject({ policy, versions: [{ policy }] });
  });

  test('holidays are added, listed and removed', async () => {
    expect(await kist('holiday', 'add', '21', '2098-01-26')).toEqual({ days: ['2098-01-26'] });
    expect(await kist('holiday', 'add', '21', '2098-02-30')).toContain('UsageError: 2098-02-30 is no day');
    expect(await kist('holiday', 'list', '21')).toEqual({ days: ['2098-01-26'] });
    expect(await kist('holiday', 'remove', '21', '2098-01-27')).toContain('RefusedError: Refused: NOT_FOUND');
    expect(await kist('holiday', 'remove', '21', '2098-01-26')).toEqual({ days: [] });
  });
});

describe('kist template', () => {
  test('words for customers’ screens are added in ten languages, listed and ended; what is wrong is said', async () => {
    expect(await kist('template', 'list', '20')).toEqual([]);
    const wrong = await kist<string>('template', 'add', '20', 'festival', fileOf({ en: 'Pay now!' }));
    expect(wrong).toContain('en: says no {phone}');
    expect(wrong).toContain('tm: is missing');
    expect(await kist('template', 'add', '20', 'festival', fileOf(SCREEN_TEXTS))).toMatchObject({ name: 'festival' });
    expect(await kist('template', 'list', '20')).toMatchObject([{ name: 'festival', ended_at: null }]);
    expect(await kist('template', 'end', '20', 'festival')).toEqual({ name: 'festival', phones: 0 });
    expect(await kist<string>('template', 'end', '20', 'festival')).toContain('RefusedError');
  });
});
