import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { agreementNouns } from '#server/cli/agreement-verbs.ts';
import { disputeVerbs } from '#server/cli/dispute-verbs.ts';
import { organisationVerbs } from '#server/cli/organisation-verbs.ts';
import { penalVerbs } from '#server/cli/penal.ts';
import { accessVerbs, retailerVerbs, signupVerbs } from '#server/cli/people-verbs.ts';
import { holidayVerbs, policyVerbs } from '#server/cli/policy-verbs.ts';
import { privacyVerbs } from '#server/cli/privacy-verbs.ts';
import { saleVerbs } from '#server/cli/sale-verbs.ts';
import { tacVerbs } from '#server/cli/tac-verbs.ts';
import { templateVerbs } from '#server/cli/template-verbs.ts';
import { theftVerbs } from '#server/cli/theft-verbs.ts';
import { type Verbs, explain, read } from '#server/cli/verbs.ts';
import { atEnd } from './at-end.ts';
import { createTestDatabase } from './database.ts';

/** What `kist` has verbs for. */
export const nouns: Record<string, Verbs> = {
  org: organisationVerbs,
  ...saleVerbs,
  ...agreementNouns,
  retailer: retailerVerbs,
  access: accessVerbs,
  signup: signupVerbs,
  policy: policyVerbs,
  holiday: holidayVerbs,
  penal: penalVerbs,
  privacy: privacyVerbs,
  dispute: disputeVerbs,
  theft: theftVerbs,
  template: templateVerbs,
  tac: tacVerbs,
};
interface One {
  org_id: number;
  plan_id: number;
  change: string;
}
/** Text, or what `--json` prints: each test says by its use which. */
type Answered = One[] & One & string;

/** The command line on a database of its own, with the organisations that a test makes in it. */
export async function useKist() {
  const db = await createTestDatabase();
  const desk = { database: db, openOperator: () => db.operator };
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-verbs-'));
  atEnd(async () => rmSync(folder, { recursive: true }));

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
  return { db, kist, fileOf };
}
