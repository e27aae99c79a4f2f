import type pg from 'pg';
import { violations } from '@kist/server/measured';
import { againstBooks } from './answers.ts';
import type { Told } from './hands.ts';
import { type Law, LAWS } from './law.ts';
import { replayed } from './replay.ts';
import type { World } from './world.ts';

/** Promises that held, and each that was broken, in words. */
export interface Tally {
  held: number;
  /** Each once: what stays wrong is found again by whoever looks next. */
  broken: Set<string>;
}

const SHOWN = 5;
/** Which promise of the lock rules each of the product's own statements is. */
const INVARIANTS = ['I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9'] as const;

export const askLaw = async (client: pg.Client, { sql }: Law, orgId: number): Promise<string[]> =>
  (await client.query<{ detail: string }>(sql, [orgId])).rows.map(({ detail }) => detail);

/** Holds one world's books, and all that was told of them, against everything there is to hold them against. */
export async function judge(
  client: pg.Client,
  world: World,
  told: readonly Told[],
  when: string,
  tally: Tally,
): Promise<void> {
  const { orgId } = world;
  const note = (name: string, found: readonly string[]) => {
    if (found.length === 0) tally.held += 1;
    else
      for (const detail of found.slice(0, SHOWN))
        if (![...tally.broken].some((known) => known.endsWith(detail)))
          tally.broken.add(`${when}, org ${orgId}: ${name}: ${detail}`);
  };
  await client.query('begin isolation level repeatable read');
  for (const law of LAWS.filter(({ isOfWholeSales }) => !isOfWholeSales || !world.isPlanted))
    note(law.name, await askLaw(client, law, orgId));
  note('a replay of the payments gives what is stored', await replayed(client, orgId));
  await client.query(`select set_config('kist.org_id', $1, false)`, [String(orgId)]);
  const found = await violations(client);
  for (const invariant of INVARIANTS)
    note(
      invariant,
      found.filter((one) => one.invariant === invariant).map(({ id, detail }) => `${id} ${detail}`),
    );
  const answers = await againstBooks(client, world, told);
  await client.query('commit');
  note('every answer is in the books as it was told', answers);
  tally.held += told.filter(({ act }) => act.orgId === orgId).length - Math.min(answers.length, told.length);
}
