import { expect, test } from 'vitest';
import { TOKENS } from '@kist/contract/tokens';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { policyInForce } from '#server/locking/policies.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { createTestDatabase } from '#test/database.ts';
import { parseAnswers } from './setup-answers.ts';
import { type Outcome, applyAnswers } from './setup-organisation.ts';
import { collectAnswers } from './setup-questions.ts';

const db = await createTestDatabase();
const ORG = 21;
const setUp = async (flags: Record<string, string>): Promise<Outcome[]> => {
  const needed = { 'org-id': String(ORG), slug: 'asha', name: 'Asha Mobiles', shop: 'Asha Mobiles' };
  const retailer = { 'retailer-mobile': '9000000101', 'retailer-first-name': 'Asha' };
  const answers = parseAnswers(await collectAnswers({ ...needed, ...retailer, ...flags }, undefined));
  return db.operator.transaction(ORG, (tx) => applyAnswers(tx, answers));
};
const stands = () =>
  db.read(ORG, async (tx) => ({
    organisation: (await tx.query('select * from organisations')).rows,
    listed: (await tx.query('select * from org_directory')).rows,
    plans: (await catalogue.allPlans(tx)).map(({ name }) => name),
    preset: (await policyInForce(tx)).preset,
    person: (await tx.query('select first_name, last_name, upi_id from users')).rows[0],
  }));

test('of an organisation that exists, what is not said is left as it was set, and named', async () => {
  const set = {
    host: 'emi.asha.example',
    company: 'Asha Finance Private Limited',
    accent: '#123456',
    plan: 'Asha on EMI',
    'lock-policy': 'rbi-2026',
    'retailer-last-name': 'Devi',
    upi: 'asha@upi',
  };
  expect((await setUp(set)).map(({ change }) => change)).not.toContain('kept');
  await db.asOwner(
    `update organisations set parent_company_name = 'Devi and Sons', ai_name = 'Asha' where org_id = $1`,
    [ORG],
  );
  const before = await stands();
  const again = await setUp({});
  expect(await stands()).toEqual(before);
  expect(before).toMatchObject({ plans: ['Asha on EMI'], preset: 'rbi-2026', person: { last_name: 'Devi' } });
  expect(again.map(({ change }) => change)).not.toContain('changed');
  expect(again.filter(({ change }) => change === 'kept').map(({ what }) => what)).toEqual([
    'what is set of host, company_name, parent_company_name, ai_name, theme.accent: nothing was said of it',
    'plan 1 (DPC), Asha on EMI',
    'lock policy rbi-2026',
  ]);
});

test('what is said of it is changed, and nothing else', async () => {
  const before = await stands();
  const outcomes = await setUp({ 'lock-policy': 'dealer', plan: 'EMI' });
  expect(outcomes.filter(({ change }) => change === 'changed').map(({ what }) => what)).toEqual([
    'plan 1 (DPC)',
    'lock policy dealer',
  ]);
  expect(await stands()).toEqual({ ...before, plans: ['EMI'], preset: 'dealer' });
});

test('a new one begins with the defaults', async () => {
  const answers = parseAnswers(
    await collectAnswers(
      {
        'org-id': '22',
        slug: 'ravi',
        name: 'Ravi Telecom',
        shop: 'Ravi Telecom',
        'retailer-mobile': '9000000102',
        'retailer-first-name': 'Ravi',
      },
      undefined,
    ),
  );
  // No port either: the file of settings keeps the one that it has.
  expect(answers.server).toEqual({});
  const outcomes = await db.operator.transaction(22, (tx) => applyAnswers(tx, answers));
  expect(outcomes.map(({ change }) => change)).toEqual(['created', 'created', 'unchanged', 'created', 'given']);
  const made = await db.read(22, async (tx) => ({
    config: await organisations.config(tx, { mode: 'production' }),
    plans: (await catalogue.allPlans(tx)).map(({ name }) => name),
    preset: (await policyInForce(tx)).preset,
  }));
  expect(made).toMatchObject({
    config: { theme: { accent: TOKENS.light.accent } },
    plans: ['EMI Secure (Android)'],
    preset: 'dealer',
  });
});
