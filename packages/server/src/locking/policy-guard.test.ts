import { beforeAll, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';

const ORG = 20;
const db = await createTestDatabase();
beforeAll(() => makeOrganisation(db, ORG));
const keep = (policy: object) =>
  db.asOwner(
    `insert into lock_policies (org_id, version, preset, policy, created_at)
     select ${ORG}, coalesce(max(version), 0) + 1, 'dealer', $1, kist_now() from lock_policies where org_id = ${ORG}`,
    [policy],
  );
const { dealer } = POLICY_PRESETS;

it.each([
  { silentAfterDays: 'three' },
  { silentAfterDays: 1.5 },
  { silentAfterDays: 0 },
  { cureWithinMinutes: {} },
  { automaticHours: { fromHour: '8', toHour: 20 } },
  { tooLittle: { paise: 1e12, bpsOfEmi: 0 } },
  { notices: [{ ...dealer.notices[0], fromDpd: 'soon' }] },
  { steps: 'none' },
])('the database keeps no policy that statements cannot read: %j', async (wrong) => {
  await expect(keep({ ...dealer, ...wrong })).rejects.toThrow('lock_policies_are_read');
});

it.each([
  ...Object.values(POLICY_PRESETS),
  { ...dealer, silentAfterDays: 90, tooLittle: { paise: 0, bpsOfEmi: 10_000 } },
])('and every one that it can', async (policy) => {
  await expect(keep(policy)).resolves.toEqual([]);
});
