import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { createLog } from '#server/platform/log.ts';
import { migrationsDirectory } from '#test/template.ts';
import { programOf } from '#test/programs.ts';
import { AnswersError, parseAnswers } from './setup-answers.ts';
import { collectAnswers, questionName } from './setup-questions.ts';

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'kist-setup-'));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

const answers = () => ({
  organisation: { org_id: 21, slug: 'asha', name: 'Asha Mobiles', support: { phone: '+919000000100' } },
  admin: { mobile: '9000000100', first_name: 'Meera' },
  retailers: [
    {
      mobile: '9000000101',
      first_name: 'Asha',
      shop_name: 'Asha Mobiles',
      keys: [{ id: 'start', plan_type: 'DPC', count: 25 }],
    },
    {
      mobile: '9000000102',
      first_name: 'Ravi',
      shop_name: 'Ravi Telecom',
      keys: [{ id: 'start', plan_type: 'DPC', count: 5 }],
    },
  ],
  plans: [{ plan_id: 1, plan_type: 'DPC', name: 'EMI Secure' }],
  lock_policy: 'rbi-2026',
  server: { public_url: 'https://emi.example.in', sms_url: 'https://sms.example/messages' },
});

interface Ended {
  code: number;
  output: string;
}
/** The command line as a program of its own, as `npm run kist` runs it. */
function kist(args: string[], env: Record<string, string>): Promise<Ended> {
  const program = programOf('kist');
  return new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const child = execFile(process.execPath, [program, ...args], { env: { PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}
async function valuesIn(dataDir: string): Promise<Record<string, number>> {
  const booted = await bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory,
    mode: 'production',
    demoSlug: DEMO_SLUG,
    log: createLog('silent'),
  });
  try {
    return await booted.database.read(21, async (tx) => {
      const { rows } = await tx.query<Record<string, number>>(
        `select (select count(*)::int from users) as users, (select count(*)::int from users where user_type = 'admin') as admins,
           (select sum(available)::int from wallets) as keys, (select count(*)::int from plans) as plans,
           (select count(*)::int from lock_policies) as policies, (select count(*)::int from audit_lines) as lines,
           (select count(*)::int from org_directory) as organisations`,
      );
      return rows[0] ?? {};
    });
  } finally {
    await booted.stop();
  }
}

/** Each starts a PostgreSQL of its own several times over. */
describe('setup', { timeout: 120_000 }, () => {
  test('makes an organisation from a file; done again it doubles nothing, and no secret is ever printed', async () => {
    const dataDir = path.join(folder(), 'data');
    const from = path.join(folder(), 'answers.json');
    const secretFile = path.join(folder(), 'sms');
    writeFileSync(secretFile, 'k9v-3jQp_7TzLw2x\n');
    const passwordFile = path.join(folder(), 'smtp');
    writeFileSync(passwordFile, 'mail-9vQ3_pJk\n');
    const mail = {
      smtp_url: 'smtps://mail.example.in',
      smtp_user: 'kist',
      smtp_password_file: passwordFile,
      mail_from: 'kist@example.in',
    };
    const server = { ...answers().server, sms_secret_file: secretFile, ...mail };
    const organisation = { ...answers().organisation, audit_emails: ['auditor@books.example'] };
    writeFileSync(from, JSON.stringify({ ...answers(), organisation, server }));
    const first = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(first.output).toContain('created       organisation 21 (asha)');
    expect(first.code).toBe(0);
    expect(first.output).toContain('KIST_AGENT_PACKAGE_URL');
    // Wherever it is typed: without the folder a start would make a demo.
    for (const command of ['npm start', 'npm run kist -- doctor'])
      expect(first.output).toContain(`KIST_DATA_DIR=${dataDir} ${command}`);
    const file = path.join(dataDir, 'kist.env');
    const settings = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'agent-key.pem')).mode & 0o777).toBe(0o600);
    const before = await valuesIn(dataDir);
    expect(before).toEqual({ users: 3, admins: 1, keys: 30, plans: 1, policies: 1, lines: 6, organisations: 1 });

    const second = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(second.code).toBe(0);
    expect(second.output).toContain('given before');
    expect(second.output).not.toMatch(/^ {2}(created|changed|given) {2,}/m);
    expect(readFileSync(file, 'utf8')).toBe(settings);
    expect(await valuesIn(dataDir)).toEqual(before);

    const secrets = [...settings.matchAll(/^(?:KIST_SECRET_\w+|KIST_SMS_SECRET|KIST_SMTP_PASSWORD)=(.+)$/gm)].map(
      ([, value = '']) => value,
    );
    expect(secrets).toHaveLength(4);
    for (const line of [
      'KIST_SMTP_URL=smtps://mail.example.in',
      'KIST_SMTP_USER=kist',
      'KIST_MAIL_FROM=kist@example.in',
    ])
      expect(settings.split('\n')).toContain(line);
    for (const secret of secrets) expect(first.output + second.output).not.toContain(secret);
  });

  test('what is declared otherwise the next time is changed; secrets and keys are not', async () => {
    const dataDir = path.join(folder(), 'data');
    const from = path.join(folder(), 'answers.json');
    writeFileSync(from, JSON.stringify(answers()));
    expect((await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir })).code).toBe(0);
    const pepper = /^KIST_SECRET_PEPPER=.*$/m;
    const [before] = pepper.exec(readFileSync(path.join(dataDir, 'kist.env'), 'utf8')) ?? [];
    const changed = answers();
    changed.organisation.name = 'Asha Mobile World';
    changed.server.public_url = 'https://shop.example.in';
    writeFileSync(from, JSON.stringify(changed));
    const { output } = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(output).toContain('changed       organisation 21');
    expect(output).toMatch(/kist\.env: KIST_PUBLIC_URL$/m);
    const settings = readFileSync(path.join(dataDir, 'kist.env'), 'utf8');
    expect(settings).toContain('KIST_PUBLIC_URL=https://shop.example.in');
    expect(pepper.exec(settings)?.[0]).toBe(before);
    const wrong = { ...changed, retailers: [{ ...changed.retailers[0], mobile: '9000000100' }], admin: undefined };
    writeFileSync(from, JSON.stringify({ ...wrong, organisation: { ...wrong.organisation, name: 'Never' } }));
    const refused = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('signs in as admin already. Nothing was changed.');
    const again = await kist(['setup', '--from', from.replace('answers', 'none')], { KIST_DATA_DIR: dataDir });
    expect([again.code, again.output]).toEqual([2, expect.stringContaining('there is no file')]);
    expect(await valuesIn(dataDir)).toMatchObject({ users: 3, keys: 30 });
  });

  test('a second organisation leaves the first the one of a sign-in that names none, unless a flag says so', async () => {
    const dataDir = path.join(folder(), 'data');
    const from = path.join(folder(), 'answers.json');
    const setUp = async (org_id: number, slug: string, ...flags: string[]) => {
      const retailers = [{ mobile: `90000${org_id}`.padEnd(10, '1'), first_name: 'Asha', shop_name: 'Asha Mobiles' }];
      const organisation = { ...answers().organisation, org_id, slug };
      writeFileSync(from, JSON.stringify({ ...answers(), organisation, admin: undefined, retailers }));
      const { code, output } = await kist(['setup', '--from', from, ...flags], { KIST_DATA_DIR: dataDir });
      expect(code, output).toBe(0);
      const kept = readFileSync(path.join(dataDir, 'kist.env'), 'utf8');
      return { output, kept: /^KIST_DEFAULT_ORG=(.*)$/m.exec(kept)?.[1] };
    };
    expect(await setUp(21, 'asha')).toMatchObject({ kept: '21', output: expect.not.stringContaining('--default-org') });
    expect(await setUp(22, 'ravi')).toMatchObject({ kept: '21', output: expect.stringContaining('goes to 21') });
    expect(await setUp(22, 'ravi', '--default-org')).toMatchObject({ kept: '22' });
  });

  test('of keys that were given before it says how many those were, whatever is asked for now', async () => {
    const dataDir = path.join(folder(), 'data');
    const from = path.join(folder(), 'answers.json');
    writeFileSync(from, JSON.stringify(answers()));
    expect((await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir })).code).toBe(0);
    const more = answers();
    more.retailers[0]!.keys[0]!.count = 5000;
    writeFileSync(from, JSON.stringify(more));
    const { output } = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(output).toMatch(
      /given before +25 keys DPC \(start\) of Asha Mobiles; the 5000 of now need an id of their own/,
    );
    expect(output).toMatch(/given before +5 keys DPC \(start\) of Ravi Telecom$/m);
    expect(await valuesIn(dataDir)).toMatchObject({ keys: 30 });
  });

  test('lost secrets are not replaced by new ones: setup names them, and writes nothing until they are back', async () => {
    const dataDir = path.join(folder(), 'data');
    const from = path.join(folder(), 'answers.json');
    writeFileSync(from, JSON.stringify(answers()));
    expect((await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir })).code).toBe(0);
    const secrets = ['kist.env', 'agent-key.pem'].map((name) => path.join(dataDir, name));
    const kept = secrets.map((file) => readFileSync(file));
    for (const file of secrets) rmSync(file);
    const changed = { ...answers(), organisation: { ...answers().organisation, name: 'Never' } };
    writeFileSync(from, JSON.stringify(changed));
    const { code, output } = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect(code).toBe(1);
    for (const name of ['KIST_SECRET_PEPPER', 'key 1 of KIST_SECRET_KEY', 'the agent signing key'])
      expect(output).toContain(name);
    expect(readdirSync(dataDir)).toEqual(['postgres']);
    for (const [index, file] of secrets.entries()) writeFileSync(file, kept[index]!, { mode: 0o600 });
    writeFileSync(from, JSON.stringify(answers()));
    const again = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect([again.code, again.output]).toEqual([0, expect.not.stringMatching(/^ {2}changed {2,}/m)]);
  });

  test('a demo’s database is refused by name and gets no file of settings', async () => {
    const dataDir = folder();
    const demo = await bootDatabase({
      connection: undefined,
      ownerConnection: undefined,
      dataDir,
      migrationsDirectory,
      mode: 'demo',
      demoSlug: DEMO_SLUG,
      log: createLog('silent'),
    });
    await demo.stop();
    const from = path.join(folder(), 'answers.json');
    writeFileSync(from, JSON.stringify(answers()));
    const { code, output } = await kist(['setup', '--from', from], { KIST_DATA_DIR: dataDir });
    expect([code, output]).toEqual([1, expect.stringContaining('demo database')]);
    expect(() => statSync(path.join(dataDir, 'kist.env'))).toThrow('ENOENT');
  });
});

describe('answers', () => {
  test('name every problem by its path', () => {
    const wrong = {
      organisation: { slug: 'No Spaces', name: '' },
      retailers: [
        { mobile: '12345', first_name: '', shop_name: 'x', keys: [{ id: 'a', plan_type: 'DPC', count: 0 }] },
        { mobile: '9000000102', first_name: 'B', shop_name: 'y', keys: [{ id: 'b', plan_type: 'APPLE', count: 1 }] },
        { mobile: '9000000102', first_name: 'C', shop_name: 'z' },
      ],
      plans: [
        { plan_id: 1, plan_type: 'DPC', name: 'x', provisioning: 'APPLE' },
        { plan_id: 2, plan_type: 'ANTIHACKING', name: 'y' },
      ],
      lock_policy: 'harsh',
      surprise: true,
    };
    expect(() => parseAnswers(wrong)).toThrow(AnswersError);
    try {
      parseAnswers(wrong);
    } catch (error) {
      const { message } = error as Error;
      for (const place of [
        'organisation.slug',
        'organisation.name',
        'retailers.0.mobile: an Indian mobile number',
        'retailers.0.keys.0.count',
        'retailers.1.keys.0.plan_type: APPLE cannot be delivered',
        'plans.1.plan_type: ANTIHACKING cannot be delivered',
        'plans.0.provisioning: phones of DPC are reached by DPC',
        'lock_policy',
        'surprise',
      ])
        expect(message).toContain(place);
    }
  });

  test('refuse one number for two people, and one id for two lots of keys', () => {
    const twice = answers();
    twice.retailers[1]!.mobile = '+919000000100';
    twice.retailers[0]!.keys.push({ id: 'start', plan_type: 'DPC', count: 1 });
    expect(() => parseAnswers(twice)).toThrow(
      /retailers\.1\.mobile[^]*retailers\.0\.keys\.1\.id|retailers\.0\.keys\.1\.id[^]*retailers\.1\.mobile/,
    );
  });

  test('keep of every text what can be seen: no line ends, controls, zero-width or bidi characters', () => {
    const dirty = '\u202E\u200BAsha\r\nKist: x\u0000\u2066 \u00AD1';
    const given = {
      organisation: {
        slug: 'asha',
        name: dirty,
        company_name: dirty,
        parent_company_name: dirty,
        ai_name: dirty,
        support: { phone: '+91\u200B9000000100\r\n' },
        privacy_contact: dirty,
      },
      admin: { mobile: '9000000100', first_name: dirty, last_name: dirty },
      retailers: [{ mobile: '9000000101', first_name: dirty, last_name: dirty, shop_name: dirty, upi_id: 'a@upi\r\n' }],
      plans: [{ plan_id: 1, plan_type: 'DPC', name: dirty }],
    };
    // A control that is no white space is refused, what only cannot be seen is taken out.
    expect(() => parseAnswers(given)).toThrow(
      /organisation\.name: has nothing to read, or characters that cannot be shown/,
    );
    const kept = JSON.stringify(parseAnswers(JSON.parse(JSON.stringify(given).replaceAll('\\u0000', ''))));
    expect(kept).toContain('"name":"Asha Kist: x 1"');
    expect(kept).toContain('"phone":"+919000000100"');
    expect(kept).toContain('"upi_id":"a@upi"');
    expect(kept).not.toMatch(/[\p{Cc}\p{Cf}]|\\[rnu]/u);
  });

  test('of a person are checked one by one and asked again by name and flag; what is good is not asked twice', async () => {
    const typed: Record<string, string[]> = {
      'Name of the brand': ['\u200B', 'Asha'],
      'Short name': ['No Spaces', 'asha'],
      'Administrator: mobile': ['9000000101'],
      'Administrator: first name': ['', 'Meera'],
      'First retailer: mobile': ['12345', '9000000101', '9000000102'],
      'First retailer: first name': ['Asha'],
      'First retailer: name of the shop': ['Asha Mobiles'],
      'Keys to start with': ['many', '10'],
      'File that holds': ['/nowhere/secret', ''],
      'Address of the SMS gateway': ['sms.example', 'https://sms.example/messages'],
    };
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      const last = question.split('\n').at(-1) ?? '';
      return (
        Object.entries(typed)
          .find(([start]) => last.startsWith(start))?.[1]
          .shift() ?? ''
      );
    };
    const given = parseAnswers(await collectAnswers({ 'lock-policy': 'harsh' }, ask));
    expect(given).toMatchObject({
      organisation: { name: 'Asha', slug: 'asha' },
      admin: { mobile: '+919000000101', first_name: 'Meera' },
      retailers: [{ mobile: '+919000000102', keys: [{ count: 10 }] }],
      server: { sms_url: 'https://sms.example/messages' },
    });
    for (const complaint of [
      '(--slug): small letters, digits and hyphens',
      '(--retailer-mobile): an Indian mobile number',
      '(--retailer-mobile): this number is somebody else’s already',
      '(--keys): a whole number',
      '(--sms-secret-file): a file that can be read: there is no file',
      '(--sms-url): an address',
      '(--lock-policy): ',
    ])
      expect(
        asked.filter((question) => question.includes(complaint)),
        complaint,
      ).toHaveLength(1);
    expect(asked.filter((question) => question.startsWith('Name of the plan'))).toHaveLength(1);
    for (const start of ['Address that phones', 'Address of the SMS gateway', 'Address of the Android agent'])
      expect(asked.find((question) => question.startsWith(start))).toContain(
        'needed before the first start in production',
      );
  });

  test('of flags are named by their flag when nobody can be asked', async () => {
    const given = await collectAnswers({ slug: 'No Spaces', 'retailer-mobile': '12345' }, undefined);
    expect(() => parseAnswers(given, questionName)).toThrow(/--slug\)[^]*--retailer-mobile\): an Indian mobile number/);
  });

  test('of a person: only what is needed is asked, flags are not asked again, empty answers take the default', async () => {
    const asked: string[] = [];
    const typed: Record<string, string> = { 'Name of the brand': 'Asha', 'First retailer: mobile': '9000000101' };
    const ask = async (question: string) => {
      asked.push(question);
      return Object.entries(typed).find(([start]) => question.startsWith(start))?.[1] ?? '';
    };
    const flags = { slug: 'asha', 'retailer-first-name': 'Asha', shop: 'Asha Mobiles' };
    expect(parseAnswers(await collectAnswers(flags, ask))).toMatchObject({
      organisation: { org_id: 20, slug: 'asha', name: 'Asha' },
      retailers: [{ mobile: '+919000000101', keys: [{ id: 'start', plan_type: 'DPC', count: 10 }] }],
      plans: [{ plan_id: 1, plan_type: 'DPC' }],
    });
    expect(asked.some((question) => question.startsWith('Short name'))).toBe(false);
    // Nobody is asked for the name of an administrator who was left out.
    expect(asked.some((question) => question.startsWith('Administrator: first name'))).toBe(false);
  });
});
