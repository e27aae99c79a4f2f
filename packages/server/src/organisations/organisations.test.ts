import { beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation } from '#test/http.ts';
import * as organisations from './organisations.ts';

const bare = await createTestDatabase();
/** A process that has read nothing yet. */
const process = () => bare.with({ ...bare.ports, organisations: organisations.rememberOrganisations({ missMs: 0 }) });
const db = process();
beforeAll(async () => {
  await createOrganisation(db, { orgId: 20, slug: 'mine', host: 'Shop.example' });
  await createOrganisation(db, { orgId: 21, slug: 'theirs' });
});

const asked = { tokenOrg: undefined, host: 'elsewhere.example', slug: undefined, defaultOrgId: 20 };
const unknown = { code: 'ORGANISATION_UNKNOWN' };

describe('whom a request is for', () => {
  test('the token’s organisation, else the host’s, else the slug’s, else the installation’s own', async () => {
    const ask = (named: { tokenOrg?: number; host?: string; slug?: string }) =>
      organisations.ofRequest(db, { ...asked, ...named });
    expect([
      await ask({ tokenOrg: 21, host: 'shop.example', slug: 'mine' }),
      await ask({ host: 'shop.EXAMPLE', slug: 'theirs' }),
      await ask({ slug: 'theirs' }),
      await ask({}),
      await ask({ tokenOrg: 4711, slug: 'theirs' }),
    ]).toEqual([21, 20, 21, 20, 21]);
  });

  test('nobody where the slug names none, or the installation’s own was never set up', async () => {
    await expect(organisations.ofRequest(db, { ...asked, slug: 'nobody' })).rejects.toMatchObject(unknown);
    await expect(organisations.ofRequest(db, { ...asked, defaultOrgId: 77 })).rejects.toMatchObject(unknown);
    await expect(organisations.assertKnown(db, 77)).rejects.toMatchObject(unknown);
    await organisations.assertKnown(db, 21);
  });

  test('one that was made a moment ago, though the directory is remembered', async () => {
    await expect(organisations.assertKnown(db, 22)).rejects.toMatchObject(unknown);
    await createOrganisation(db, { orgId: 22 });
    await expect.poll(() => organisations.assertKnown(db, 22).then(() => 'known')).toBe('known');
  });

  test('is read once for many, and a read that failed is nobody’s answer', async () => {
    let reads = 0;
    let isAway = true;
    const unscoped: Database['unscoped'] = async (work) => {
      reads += 1;
      if (isAway) throw new Error('away');
      return db.unscoped(work);
    };
    const mine = { ...db, unscoped, ports: { ...db.ports, organisations: organisations.rememberOrganisations() } };
    await expect(organisations.ofRequest(mine, asked)).rejects.toThrow('away');
    isAway = false;
    expect(await Promise.all(Array.from({ length: 20 }, () => organisations.ofRequest(mine, asked)))).toEqual(
      Array.from({ length: 20 }, () => 20),
    );
    expect(reads).toBe(2);
  });
});

describe('an organisation', () => {
  const config = (orgId: number) => db.read(orgId, (tx) => organisations.config(tx, { mode: 'production' }));

  test('describes itself with its own words, and no other’s', async () => {
    await db.asOwner(
      `update organisations set ai_name = 'Secret', theme = '{"accent": "#000000"}', support = '{"phone": "1"}' where org_id = 21`,
    );
    const mine = await config(20);
    expect(mine).toMatchObject({
      orgId: 20,
      orgName: 'mine',
      aiName: '',
      theme: { accent: '#3538a6', logo: null },
      support: { phone: '', email: '' },
      mode: 'production',
    });
    expect(await config(21)).toMatchObject({ orgId: 21, aiName: 'Secret', theme: { accent: '#000000' } });
  });

  test('that stands in the directory and was never set up is not found', async () => {
    await db.asOwner(`insert into org_directory (org_id, slug, name) values (30, 'begun', 'Begun')`);
    await expect(config(30)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await organisations.brandOf(process(), { host: '', slug: 'begun', defaultOrgId: 20 })).toBeUndefined();
  });

  test('shows itself on its own host whatever slug is asked for there; elsewhere the slug says who, else the installation', async () => {
    const serving = process();
    const shown = async (named: { host?: string; slug?: string; defaultOrgId?: number }) =>
      (await organisations.brandOf(serving, { host: 'elsewhere.example', slug: undefined, defaultOrgId: 20, ...named }))
        ?.orgId;
    expect([
      await shown({ host: 'shop.example', slug: 'theirs', defaultOrgId: 21 }),
      await shown({ slug: 'theirs' }),
      await shown({ defaultOrgId: 21 }),
    ]).toEqual([20, 21, 21]);
  });

  test('has the feature lists it was given, and no other’s', async () => {
    await db.asOwner(`update organisations set allowed_features = '{"DPC": ["lock"]}' where org_id = 21`);
    const lists = (orgId: number) => db.read(orgId, (tx) => organisations.allowedFeatures(tx));
    expect([await lists(20), await lists(21)]).toEqual([{}, { DPC: ['lock'] }]);
  });
});

describe('establishing', () => {
  const words = {
    slug: 'new',
    host: null as string | null,
    org_name: 'New',
    company_name: 'New Limited',
    parent_company_name: '',
    ai_name: '',
    theme: { accent: '#123456' },
    support: { phone: '1800' },
    privacy_policy: {},
  };
  const establish = (wanted: typeof words, orgId = 40) =>
    db.operator.transaction(orgId, (tx) => organisations.establish(tx, SYSTEM(orgId), wanted));
  const row = async (orgId: number) => (await db.asOwner('select * from organisations where org_id = $1', [orgId]))[0];
  const actions = async () =>
    (await db.asOwner(`select action from audit_lines where org_id = 40 order by seq`)).map((line) => line['action']);

  test('makes, changes or leaves what is declared, keeps what is left out, and says which', async () => {
    const before = await row(21);
    expect(await establish(words)).toBe('created');
    expect(await establish(words)).toBe('unchanged');
    expect(await establish({ ...words, theme: {} as typeof words.theme })).toBe('unchanged');
    expect(await establish({ ...words, slug: 'newer' })).toBe('changed');
    expect(await establish({ ...words, slug: 'newer', support: { email: 'a@b.in' } as never })).toBe('changed');
    expect(await row(40)).toMatchObject({
      theme: { accent: '#123456' },
      support: { phone: '1800', email: 'a@b.in' },
    });
    expect(await actions()).toEqual(['organisation_created', 'organisation_changed', 'organisation_changed']);
    expect(await row(21)).toEqual(before);
  });

  test('a short name or a host of another organisation is refused, and nothing of it stays', async () => {
    const before = await row(40);
    await expect(establish({ ...words, slug: 'theirs', ai_name: 'Taken' })).rejects.toMatchObject({ code: '23505' });
    for (const host of ['shop.example', 'SHOP.example'])
      await expect(establish({ ...words, slug: 'newer', host })).rejects.toMatchObject({
        code: '23505',
        constraint: 'org_directory_host_any_letters',
      });
    expect(await row(40)).toEqual(before);
  });

  test('is for whoever runs the installation: the account that serves may not write the directory', async () => {
    await expect(
      db.transaction(20, (tx) => organisations.establish(tx, SYSTEM(20), { ...words, slug: 'stolen' })),
    ).rejects.toThrow(/permission denied/);
  });
});
