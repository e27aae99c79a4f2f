import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { beforeAll, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { makeOrganisation } from '#test/factories.ts';
import { type TestDatabase, createTestDatabase } from '#test/database.ts';
import { policyFor, policyInForce, setPolicy } from './policies.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await makeOrganisation(db, 20);
});
const inOrg = <T>(work: Parameters<typeof db.transaction<T>>[1]) => db.transaction(20, work);

it('an organisation that never chose has the dealer preset, on record from its first use on', async () => {
  expect(await inOrg(policyInForce)).toEqual(POLICY_PRESETS.dealer);
  expect(await db.asOwner('select from lock_policies')).toHaveLength(0);
  expect(await inOrg(policyFor)).toEqual(POLICY_PRESETS.dealer);
  await inOrg(policyFor);
  expect(await db.asOwner('select from lock_policies')).toHaveLength(1);
});

it('a new policy is the next version, on record and in the audit; one that is harder than the law is refused', async () => {
  const { version: _, ...kinder } = { ...POLICY_PRESETS.dealer, minDwellDays: 2 };
  const set = await inOrg((tx) => setPolicy(tx, SYSTEM(20), kinder));
  expect(set).toMatchObject({ version: 2, minDwellDays: 2 });
  expect(await inOrg(policyFor)).toEqual(set);
  const { version: __, ...harder } = { ...POLICY_PRESETS['rbi-2026'], compensationPaisePerHour: 0 };
  await expect(inOrg((tx) => setPolicy(tx, SYSTEM(20), harder))).rejects.toThrow('₹250');
  expect(await inOrg(policyFor)).toEqual(set);
  const lines = await db.asOwner(`select action from audit_lines where subject_kind = 'organisation'`);
  expect(lines).toEqual([{ action: 'lock_policy_set' }]);
});
