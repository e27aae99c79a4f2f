import { beforeAll, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { LANGUAGES, LANGUAGE_TAGS } from '@kist/contract/codes';
import { otherOrganisations } from '#server/demo/brands.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { makeOrganisation } from '#test/factories.ts';
import { PUBLIC_URL, useKist } from '#test/kist-command.ts';
import { said } from './words.ts';

const { db, kist, fileOf } = await useKist();
const config = (orgId: number) => db.read(orgId, (tx) => organisations.config(tx, { mode: 'production' }));

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
});

const file = otherOrganisations(isoDate('2026-11-29'));

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

test('what list tells makes the same organisation elsewhere: the plan’s app and the lock policy too', async () => {
  const [one] = file;
  await kist(
    'org',
    'import',
    fileOf([
      {
        ...one,
        plans: [
          { ...one!.plans[0], app_type: 9 },
          { plan_id: 77, plan_type: 'DPC', name: 'By Google', provisioning: 'AMAPI' },
        ],
        lock_policy: 'rbi-2026',
      },
    ]),
  );
  const listed = (await kist('org', 'list')).find(({ org_id }) => org_id === one!.org_id);
  expect(listed).toMatchObject({
    lock_policy: 'rbi-2026',
    plans: [{ app_type: 9 }, { plan_id: 77, provisioning: 'AMAPI' }],
  });
  await kist('org', 'import', fileOf([{ ...listed, org_id: 900, slug: 'elsewhere', name: 'Elsewhere', host: null }]));
  const there = (await kist('org', 'list')).find(({ org_id }) => org_id === 900);
  expect(there).toEqual({ ...listed, org_id: 900, slug: 'elsewhere', name: 'Elsewhere', host: null });
});

test('a plan that was taken off sale is not listed: a list that is imported puts it on sale nowhere', async () => {
  const least = { org_id: 901, slug: 'off-sale', name: 'Off sale' };
  const plans = [1, 2].map((plan_id) => ({ plan_id, plan_type: 'DPC', name: `Plan ${plan_id}` }));
  await kist('org', 'import', fileOf([{ ...least, plans }]));
  const listed = async () => (await kist('org', 'list')).find(({ org_id }) => org_id === 901)!;
  expect(await listed()).toMatchObject({ plans });
  await db.asOwner('update plans set is_active = false where org_id = 901 and plan_id = 2');
  expect(await listed()).toMatchObject({ plans: [plans[0]] });
  await kist('org', 'import', fileOf([await listed()]));
  expect(await db.asOwner('select plan_id, is_active from plans where org_id = 901 order by plan_id')).toEqual([
    { plan_id: 1, is_active: true },
    { plan_id: 2, is_active: false },
  ]);
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
  for (const name of ['saral kist', 'saral-kist', '46']) expect((await kist('org', 'find', name))[0]?.org_id).toBe(46);
  expect(await kist('org', 'find', 'nobody')).toBe('not in order');
});

test('a payment page is kept under https alone, and offered while the flag is on', async () => {
  const offered = async () => (await config(46)).payment_url;
  expect((await config(19)).payment_url).toBe('https://pay.example.in/emi');
  await kist('org', 'edit', '46', '--payment-url', 'https://Pay.Example.in/saral?shop=1');
  expect(await offered()).toBeNull();
  await kist('org', 'edit', '46', '--payment-gateway', 'on');
  expect(await offered()).toBe('https://pay.example.in/saral?shop=1');
  for (const wrong of [
    'http://pay.example.in/',
    'javascript:alert(1)',
    'pay.example.in',
    'https://',
    'https://shop@pay.example.in/',
    'data:text/html,x',
    `https://pay.example.in/${'x'.repeat(400)}`,
  ])
    expect(await kist('org', 'edit', '46', '--payment-url', wrong), wrong).toContain('https://');
  const long = `https://${'pay.'.repeat(48)}in/${'x'.repeat(295)}`;
  expect(await kist('org', 'edit', '46', '--payment-url', long)).toMatch(/payment.url.*at most 400 characters/s);
  await expect(
    db.asOwner(`update organisations set payment_url = 'http://pay.example.in/' where org_id = 46`),
  ).rejects.toThrow('organisations_payment_url');
  // What else is said leaves it.
  await kist('org', 'edit', '46', '--support-phone', '1801');
  expect(await offered()).toBe('https://pay.example.in/saral?shop=1');
  await kist('org', 'edit', '46', '--payment-url', '');
  expect(await offered()).toBeNull();
  await kist('org', 'edit', '46', '--payment-gateway', 'off');
});

test('add makes one, edit changes what is said and leaves the rest, of this one alone', async () => {
  const other = await config(46);
  expect(
    await kist('org', 'add', '70', '--slug', 'seventy', '--name', 'Seventy', '--language', 'mr', '--layout', 'compact'),
  ).toEqual({
    org_id: 70,
    change: 'created',
  });
  expect(await kist('org', 'add', '70', '--slug', 'seventy', '--name', 'Seventy')).toContain('is there already');
  expect(await kist('org', 'edit', '71', '--name', 'X')).toContain(
    'RefusedError: Refused: there is no organisation 71',
  );
  await kist('org', 'edit', '70', '--support-phone', '1800', '--witness-signature', 'on', '--special', 'on');
  await kist('org', 'edit', '70', '--support-email', 'a@b.in', '--host', 'emi.seventy.example', '--accent', '#1f6f54');
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

test('its own list of features is said by type of phone, and taken back', async () => {
  const lists = () => db.read(70, (tx) => organisations.allowedFeatures(tx));
  await kist('org', 'edit', '70', '--features', 'DPC=lock,unlock', '--features', 'APPLE=lock');
  expect(await lists()).toEqual({ DPC: ['lock', 'unlock'], APPLE: ['lock'] });
  await kist('org', 'edit', '70', '--features', 'APPLE=', '--layout', 'classic');
  expect(await lists()).toEqual({ DPC: ['lock', 'unlock'] });
  for (const wrong of ['DPC=fly', 'PAGER=lock', 'lock'])
    expect(await kist('org', 'edit', '70', '--features', wrong)).toContain('UsageError');
  await kist('org', 'edit', '70', '--features', 'DPC=');
  expect(await lists()).toEqual({});
});

test.each([
  [{ layout: 'baroque' }, 'layout'],
  [{ languages: ['xx'] }, 'languages.0'],
  [{ theme: { accent: 'red' } }, 'theme.accent'],
  [{ allowed_features: { DPC: ['fly'] } }, 'allowed_features.DPC.0'],
  [{ slug: 'UPPER' }, 'slug'],
  [{ slug: '"><script>' }, 'slug'],
  [{ host: 'a"><script src=//x>' }, 'host'],
  [{ theme: { accent: '#123456;x:url(//x)' } }, 'theme.accent'],
  [{ theme: { accent: '#123456', logo: '<svg onload=alert(1)>' } }, 'theme'],
  [{ support: { email: '"<img src=x onerror=alert(1)>"@x.example' } }, 'support.email'],
  [{ surprise: 1 }, '0'],
  [{ holidays: ['2026-02-30'] }, 'holidays.0'],
])('a file with %j is refused by its place, and nothing of it is written', async (wrong, place) => {
  const before = (await db.unscoped(organisations.list)).length;
  const answer = await kist('org', 'import', fileOf([{ org_id: 80, slug: 'eighty', name: 'Eighty', ...wrong }]));
  expect(answer).toContain(`UsageError: This cannot be used:\n- 0.${place}`.replace('- 0.0', '- 0'));
  expect((await db.unscoped(organisations.list)).length).toBe(before);
});

test.each([
  ['localhost', 'this machine'],
  ['10.0.0.7', 'number of a machine'],
  ['ravi', 'with a dot'],
  ['ravi.example.in.', 'dot at its end'],
  ['Ravi.example.in', 'small letters'],
  ['ravi.example.in:8443', 'port'],
  [new URL(PUBLIC_URL).hostname, 'KIST_PUBLIC_URL'],
])('%s is nobody’s own host, by whichever verb, and the place is named', async (host, why) => {
  const before = await db.unscoped(organisations.list);
  const named = { slug: 'hosted', name: 'Hosted' };
  for (const answer of [
    await kist('org', 'import', fileOf([{ org_id: 82, ...named, host }])),
    await kist('org', 'add', '82', '--slug', named.slug, '--name', named.name, '--host', host),
    await kist('org', 'edit', '70', '--host', host),
  ])
    expect([host, answer.match(/^UsageError: This cannot be used:\n- 0\.host: .*$/)?.[0]]).toEqual([
      host,
      expect.stringContaining(why),
    ]);
  expect(await db.unscoped(organisations.list)).toEqual(before);
});

test('one that had the installation’s address, or other letters, before is changed in other things as it was', async () => {
  const { hostname } = new URL(PUBLIC_URL);
  await db.asOwner('update org_directory set host = $1 where org_id = 70', [hostname]);
  expect((await kist('org', 'edit', '70', '--ai-name', 'Seventy')).change).toBe('changed');
  await db.asOwner(`update org_directory set host = 'Emi.Seventy.example' where org_id = 70`);
  expect((await kist('org', 'edit', '70', '--ai-name', 'Other')).change).toBe('changed');
  const [row] = await db.asOwner<{ host: string }>('select host from org_directory where org_id = 70');
  expect(row?.host).toBe('emi.seventy.example');
});

test('one that is refused is named, with those before it that are in', async () => {
  const [good, taken] = [
    { org_id: 91, slug: 'ninety-one', name: 'Ninety-one' },
    { org_id: 92, slug: 'saral-kist', name: 'Another' },
  ];
  expect(await kist('org', 'import', fileOf([taken]))).toBe(
    'RefusedError: Refused: another organisation has this short name. It is organisation 92 of the file; nothing was changed.',
  );
  expect(await kist('org', 'import', fileOf([good, taken]))).toBe(
    'RefusedError: Refused: another organisation has this short name. It is organisation 92 of the file; those before it are in (91), and may be imported again.',
  );
  expect((await kist('org', 'import', fileOf([good]))).map((one) => one.change)).toEqual(['unchanged']);
});

test('what a file leaves out of one that is there stays as it is; a new one gets the defaults', async () => {
  const least = { org_id: 97, slug: 'ninety-seven', name: 'Ninety-seven' };
  const one = (await kist('org', 'list')).find(({ org_id }) => org_id === 20);
  const row = async () => (await kist('org', 'list')).find(({ org_id }) => org_id === 97)!;
  await kist('org', 'import', fileOf([least]));
  expect(await row()).toMatchObject({
    host: null,
    company_name: 'Ninety-seven',
    parent_company_name: '',
    ai_name: '',
    layout: 'classic',
    is_special: false,
    plans: [],
    prices_paise: {},
  });
  const whole = {
    ...one,
    ...least,
    host: 'emi.ninety-seven.example',
    company_name: 'Ninety-seven Limited',
    parent_company_name: 'Hundred',
    ai_name: 'Nina',
    ai_agent_id: 'agent-nina',
    theme: { accent: '#123456' },
    support: { phone: '1800', email: 'a@b.in' },
    audit_emails: ['books@b.in'],
    privacy_contact: 'Asha, Nashik',
    privacy_text: 'Ours.',
    layout: 'compact',
    antihacking_layout: 'steps',
    languages: ['en', 'mr'],
    flags: { witness_signature_layout: true, payment_gateway: true },
    payment_url: 'https://pay.example.in/97',
    is_special: true,
    holidays: ['2027-01-26'],
    allowed_features: { DPC: ['lock'] },
    plans: [{ plan_id: 1, plan_type: 'DPC', name: 'By Google', provisioning: 'AMAPI', app_type: 9 }],
    prices_paise: { DPC: 9900 },
    lock_policy: 'rbi-2026',
  };
  expect(await kist('org', 'import', fileOf([whole]))).toMatchObject([{ change: 'changed' }]);
  expect(await row()).toEqual(whole);
  expect(await kist('org', 'import', fileOf([least]))).toMatchObject([{ change: 'unchanged' }]);
  const withoutWay = [{ plan_id: 1, plan_type: 'DPC', name: 'By Google' }];
  expect(await kist('org', 'import', fileOf([{ ...least, plans: withoutWay }]))).toMatchObject([
    { change: 'unchanged' },
  ]);
  expect(await kist('org', 'import', fileOf([{ ...least, name: 'Renamed' }]))).toMatchObject([{ change: 'changed' }]);
  expect(await row()).toEqual({ ...whole, name: 'Renamed' });
  // What was sold under a plan does not change, and what is said is done.
  const otherWay = [{ ...withoutWay[0], provisioning: 'DPC' }];
  expect(await kist('org', 'import', fileOf([{ ...least, plans: otherWay }]))).toMatch(/^RefusedError/);
  expect(await kist('org', 'import', fileOf([{ ...least, host: null, ai_name: '' }]))).toMatchObject([
    { change: 'changed' },
  ]);
  expect(await row()).toMatchObject({ host: null, ai_name: '', company_name: 'Ninety-seven Limited' });
});

test('two of one number or short name in a file are refused', async () => {
  const one = { org_id: 81, slug: 'a', name: 'A' };
  expect(await kist('org', 'import', fileOf([one, { ...one, slug: 'b', name: 'B' }]))).toContain(
    '- 1.org_id: stands here a second time',
  );
});

test('a name finds one organisation: another cannot be called so, in whatever letters and from whatever file', async () => {
  const named = { org_id: 93, slug: 'ninety-three', name: 'Ninety-three' };
  await kist('org', 'import', fileOf([named]));
  const taken = '0.name: organisation 93 is called so';
  expect(await kist('org', 'import', fileOf([{ ...named, org_id: 94, slug: 'b', name: 'NINETY-three' }]))).toContain(
    taken,
  );
  expect(await kist('org', 'add', '94', '--slug', 'b', '--name', 'Ninety-three')).toContain(taken);
  expect(await kist('org', 'import', fileOf([named]))).toMatchObject([{ change: 'unchanged' }]);
  // The two of one file may change names.
  const other = { org_id: 94, slug: 'b', name: 'Ninety-four' };
  await kist('org', 'import', fileOf([other]));
  const swapped = [
    { ...named, name: 'Ninety-four' },
    { ...other, name: 'Ninety-three' },
  ];
  expect(await kist('org', 'import', fileOf(swapped))).toMatchObject([{ change: 'changed' }, { change: 'changed' }]);
  expect(await kist('org', 'add', '95', '--slug', 'c', '--name', '__proto__')).toContain('0.name: ');
  // Two that were called the same before are told by the older one's number.
  await db.asOwner(`update org_directory set name = 'Twin' where org_id in (93, 94)`);
  expect((await config(46)).organisations['Twin']).toBe(93);
  expect(await kist('org', 'edit', '94', '--support-phone', '1800')).toMatchObject({ change: 'changed' });
});

test('what is refused is said in words, in the language of the terminal, and not by a key', async () => {
  const answer = await kist('org', 'add', '96', '--slug', 'd', '--name', 'x'.repeat(500));
  expect(answer).toContain('0.name: At most');
  expect(answer).not.toMatch(/field\.|\{\{/);
  for (const language of LANGUAGES) {
    const LANG = `${LANGUAGE_TAGS[language]}_IN.UTF-8`;
    for (const rule of ['small', 'alone', 'dot', 'machine', 'number', 'whole', 'shape', 'shared']) {
      const words = said(`host.${rule}`, {}, { LANG });
      expect(words).not.toBe(`host.${rule}`);
      expect([language, rule, words === said(`host.${rule}`, {}, { LANG: 'C' })]).toEqual([
        language,
        rule,
        language === 'en',
      ]);
    }
  }
});

test('the database holds layouts, languages, colours and addresses, whoever writes', async () => {
  const accent = `theme = '{"accent": "#123456<script>"}'`;
  for (const wrong of [
    `layout = 'x'`,
    `antihacking_layout = 'x'`,
    `languages = '{hn}'`,
    `languages = '{en,xx}'`,
    accent,
  ])
    await expect(db.asOwner(`update organisations set ${wrong} where org_id = 70`)).rejects.toThrow(/organisations_/);
  for (const wrong of [`slug = 'a"><b>'`, `slug = ''`, `host = 'a b'`])
    await expect(db.asOwner(`update org_directory set ${wrong} where org_id = 70`)).rejects.toThrow(/org_directory_/);
});

test('a new organisation lacks its short name or name in plain words; a short name and a name that are taken are both told', async () => {
  expect(await kist('org', 'add', '152', '--name', 'Nameless')).toContain('UsageError: --slug is missing');
  expect(await kist('org', 'add', '152', '--slug', 'nameless')).toContain('UsageError: --name is missing');
  await kist('org', 'add', '153', '--slug', 'taken-twice', '--name', 'Taken Twice');
  const both = await kist('org', 'add', '154', '--slug', 'taken-twice', '--name', 'taken twice');
  expect(both).toContain('0.slug: another organisation has this short name');
  expect(both).toContain('0.name: organisation 153 is called so');
});
