import { expect, it } from 'vitest';
import { ORG_ID_MAX } from './limits.ts';
import { organisationShape } from './organisation-file.ts';

it('an organisation has a number that the names of its files and the links of its notices can hold', () => {
  expect(organisationShape.org_id.safeParse(ORG_ID_MAX).success).toBe(true);
  expect(organisationShape.org_id.safeParse(ORG_ID_MAX + 1).success).toBe(false);
  expect(String(ORG_ID_MAX)).toHaveLength(9);
});
