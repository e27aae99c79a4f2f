import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { otherOrganisations } from '#server/demo/brands.ts';
import { requestSignup } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { SCREEN_TEXTS } from '#test/screen-texts.ts';
import { disputeVerbs } from './dispute-verbs.ts';
import { organisationVerbs } from './organisation-verbs.ts';
import { accessVerbs, retailerVerbs, signupVerbs } from './people-verbs.ts';
import { holidayVerbs, policyVerbs } from './policy-verbs.ts';
import { agreementNouns } from './agreement-verbs.ts';
import { penalVerbs } from './penal.ts';
import { saleVerbs } from './sale-verbs.ts';
import { templateVerbs } from './template-verbs.ts';
import { tacVerbs } from './tac-verbs.ts';
import { theftVerbs } from './theft-verbs.ts';
import { type Verbs, explain, read } from './verbs.ts';

const db = await createTestDatabase();
const desk = { database: db, openOperator: () => db.operator };
const nouns: Record<string, Verbs> = {
  org: organisationVerbs,
  ...saleVerbs,
  ...agreementNouns,
  retailer: retailerVerbs,
  access: accessVerbs,
  signup: signupVerbs,
  policy: policyVerbs,
  holiday: holidayVerbs,
  penal: penalVerbs,
  dispute: disputeVerbs,
  theft: theftVerbs,
  template: templateVerbs,
  tac: tacVerbs,
};
const folder = mkdtempSync(path.join(tmpdir(), 'kist-verbs-'));
atEnd(async () => rmSync(folder, { recursive: true }));

interface One {
  org_id: number;
  plan_id: number;
  change: string;
}
/** Text, or what `--json` prints: each test says by its use which. */
type Answered = One[] & One & string;

/** As the command line runs it. @returns what `--json` prints; the text of a refusal, of help or of a mistake */
async function kist<T = Answered>(...typed: string[]): Promise<T> {
  const [noun = '', ...args] = typed;
  try {
    const asked = read(noun, nouns[noun]!, args);
    if (typeof asked === 'string') return asked as T;
    const { lines, data, isInOrder = true } = await asked.verb.run(desk, asked.given).catch(explain);
    expect(lines.length).toBeGreaterThan(0);
    return (isInOrder ? data : 'not in order') as T;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}` as T;
  }
}
const fileOf = (value: unknown): string => {
  const file = path.join(folder, `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
};
const config = (orgId: number) => db.read(orgId, (tx) => organisations.config(tx, { mode: 'production' }));

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
});

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
  expect(await kist('penal', 'set', '--help')).toContain('--waiver-limit');
});

describe('organisations', () => {
  const file = otherOrganisations();

  test('a file of 23 comes in, a second time changes nothing, and is what list tells', async () => {
    const from = fileOf(file);
    expect((await kist('org', 'import', from, '--dry-run')).every((one) => one.change === 'read')).toBe(true);
    expect((await db.unscoped(organisations.list)).length).toBe(2);
    const first = await kist('org', 'import', from);
    expect([first.length, new Set(first.map((one) => one.change))]).toEqual([23, new Set(['created'])]);
    const second = await kist('org', 'import', from);
    expect(new Set(second.map((one) => one.change))).toEqual(new Set(['unchanged']));
    const listed = (await kist('org', 'list')).filter(({ org_id }) => org_id !== 20 && org_id !== 21);
    const again = await kist('org', 'import', fileOf(listed));
    expect(new Set(again.map((one) => one.change))).toEqual(new Set(['unchanged']));
  });

  test('describes itself to its app as the file says', async () => {
    expect(file.map(({ org_id }) => org_id)).toEqual(expect.arrayContaining([35, 36, 46]));
    expect(file.filter(({ is_special }) => is_special)).toHaveLength(12);
    expect(await config(35)).toMatchObject({
      orgName: 'Neelam Phone Finance',
      parentCompanyName: 'Kist demo',
      aiName: 'Neela',
      aiAgentId: 'agent-neelam-finance',
      layout: 'compact',
      antihacking_layout: 'steps',
      inactive_warning: true,
      is_special: true,
      organisations: { 'Saral Kist': 46, 'Udaan EMI': 36 },
    });
    expect((await config(11)).flags).toEqual({ witness_signature_layout: true, payment_gateway: false });
    const spoken = file.find(({ languages }) => languages)!;
    expect((await config(spoken.org_id)).languages).toEqual(spoken.languages);
    expect((await db.read(36, (tx) => organisations.allowedFeatures(tx))).DPC).toContain('tracking');
    expect(await kist('price', 'show', '46')).toEqual([{ plan_type: 'DPC', price_paise: 9900 }]);
  });

  test('is found by its name, its short name or its number, whatever letters', async () => {
    for (const name of ['saral kist', 'saral-kist', '46'])
      expect((await kist('org', 'find', name))[0]?.org_id).toBe(46);
    expect(await kist('org', 'find', 'nobody')).toBe('not in order');
  });

  test('add makes one, edit changes what is said and leaves the rest, of this one alone', async () => {
    const other = await config(46);
    expect(
      await kist(
        'org',
        'add',
        '70',
        '--slug',
        'seventy',
        '--name',
        'Seventy',
        '--language',
        'mr',
        '--layout',
        'compact',
      ),
    ).toEqual({
      org_id: 70,
      change: 'created',
    });
    expect(await kist('org', 'add', '70', '--slug', 'seventy', '--name', 'Seventy')).toContain('is there already');
    expect(await kist('org', 'edit', '71', '--name', 'X')).toContain('There is no organisation 71');
    await kist('org', 'edit', '70', '--support-phone', '1800', '--witness-signature', 'on', '--special', 'on');
    await kist(
      'org',
      'edit',
      '70',
      '--support-email',
      'a@b.in',
      '--host',
      'emi.seventy.example',
      '--accent',
      '#1f6f54',
    );
    expect(await config(70)).toMatchObject({
      orgName: 'Seventy',
      support: { phone: '1800', email: 'a@b.in' },
      flags: { witness_signature_layout: true, payment_gateway: false },
      layout: 'compact',
      languages: ['en', 'mr'],
      is_special: true,
      theme: { accent: '#1f6f54' },
    });
    expect(await kist('org', 'edit', '70', '--name', 'Seventy')).toEqual({ org_id: 70, change: 'unchanged' });
    expect({ ...(await config(46)), organisations: {}, special_organisations: [] }).toEqual({
      ...other,
      organisations: {},
      special_organisations: [],
    });
  });

  test.each([
    [{ layout: 'baroque' }, 'layout'],
    [{ languages: ['xx'] }, 'languages.0'],
    [{ theme: { accent: 'red' } }, 'theme.accent'],
    [{ allowed_features: { DPC: ['fly'] } }, 'allowed_features.DPC.0'],
    [{ slug: 'UPPER' }, 'slug'],
    [{ surprise: 1 }, '0'],
    [{ holidays: ['2026-02-30'] }, 'holidays.0'],
  ])('a file with %j is refused by its place, and nothing of it is written', async (wrong, place) => {
    const before = (await db.unscoped(organisations.list)).length;
    const answer = await kist('org', 'import', fileOf([{ org_id: 80, slug: 'eighty', name: 'Eighty', ...wrong }]));
    expect(answer).toContain(`UsageError: This cannot be used:\n- 0.${place}`.replace('- 0.0', '- 0'));
    expect((await db.unscoped(organisations.list)).length).toBe(before);
  });

  test('two of one number or short name in a file are refused', async () => {
    const one = { org_id: 81, slug: 'a', name: 'A' };
    expect(await kist('org', 'import', fileOf([one, { ...one, slug: 'b', name: 'B' }]))).toContain(
      '- 1.org_id: stands here a second time',
    );
  });

  test('the database holds layouts and languages, whoever writes', async () => {
    for (const wrong of [`layout = 'x'`, `antihacking_layout = 'x'`, `languages = '{hn}'`, `languages = '{en,xx}'`])
      await expect(db.asOwner(`update organisations set ${wrong} where org_id = 70`)).rejects.toThrow(/organisations_/);
  });
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
    const suspend = (org: string) => kist('retailer', 'suspend', org, '9700000001', '--reason', 'closed');
    expect(await suspend('21')).toContain('UsageError: no shop signs in');
    expect(await suspend('20')).toEqual({ suspended: 2 });
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
        }),
      );
    await ask('+919700000011');
    await ask('+919700000012');
    const open = () => kist<{ request_id: string }[]>('signup', 'list', '20');
    const [first, second] = await open();
    expect(await kist('signup', 'list', '21')).toEqual([]);
    expect(await kist('signup', 'approve', '20', first!.request_id)).toHaveProperty('user_id');
    expect(await kist('signup', 'refuse', '20', second!.request_id, '--reason', 'no such shop')).toEqual({
      refused: true,
    });
    expect(await kist('signup', 'approve', '20', second!.request_id)).toContain(
      'RefusedError: Refused: STATE_CONFLICT',
    );
    expect(await kist('signup', 'approve', '20', '1')).toContain('UsageError: REQUEST is an id');
    expect(await open()).toEqual([]);
    expect(await listed('20', '9700000011')).toMatchObject({ user_type: 'retailer' });
  });
});

describe('the rules of locking', () => {
  test('a policy is shown, chosen, changed and tried out; what is harder than its preset is refused', async () => {
    expect(await kist('policy', 'list')).toHaveProperty('rbi-2026');
    expect(await kist('policy', 'choose', '21', 'rbi-2026')).toMatchObject({ is_changed: true });
    expect(await kist('policy', 'choose', '21', 'rbi-2026')).toMatchObject({ is_changed: false });
    expect(await kist('policy', 'choose', '21', 'harsh')).toContain('UsageError: a preset is one of: dealer, rbi-2026');
    const harder = fileOf({ cureWithinMinutes: 600 });
    expect(await kist('policy', 'change', '21', harder)).toContain(
      'RefusedError: Refused: INVALID_INPUT: free within 60',
    );
    expect(await kist('policy', 'change', '21', fileOf({ minDwell: 1 }))).toContain('UsageError: This cannot be used');
    expect(await kist('policy', 'change', '21', fileOf({ minDwellDays: 14 }))).toMatchObject({ is_changed: true });
    expect(await kist('policy', 'show', '21')).toMatchObject({ policy: { preset: 'rbi-2026', minDwellDays: 14 } });
    expect(await kist('policy', 'preview', '21', '--days', '7')).toEqual({ agreements: 0, steps: [] });
    expect(await kist('policy', 'preview', '21', '--days', '31')).toContain('UsageError: --days');
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
