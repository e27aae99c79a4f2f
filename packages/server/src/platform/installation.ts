import type { Client } from 'pg';
import { OperatorError } from './operator-error.ts';

/** What a database is for. */
export type Mode = 'demo' | 'production';

/** A start in another mode than the one the database was made in. Nothing was touched. */
export class ModeMismatchError extends OperatorError {
  override readonly name = 'ModeMismatchError';
  constructor(stamped: Mode, asked: Mode) {
    super(
      `This database is a ${stamped} database and this start asks for ${asked}. Nothing was touched. Set KIST_MODE=${stamped}, or point KIST_DATA_DIR or DATABASE_URL at another database.`,
    );
  }
}

/**
 * The mode a database is in: its stamp, or what an older database without one must be taken for. Only the organisation that the demo makes says demo; whatever
 * else holds organisations may hold real people.
 * @param client any account; nothing is written
 * @param demoSlug the short name of the organisation that a demo makes
 * @returns undefined for a database that nothing was kept in yet
 */
export async function modeOf(client: Pick<Client, 'query'>, demoSlug: string): Promise<Mode | undefined> {
  const { rows: known } = await client.query<{ stamp: boolean; directory: boolean }>(
    `select to_regclass('public.installation') is not null as stamp, to_regclass('public.org_directory') is not null as directory`,
  );
  if (known[0]?.stamp) {
    const { rows } = await client.query<{ mode: Mode }>('select mode from installation');
    if (rows[0]) return rows[0].mode;
  }
  if (!known[0]?.directory) return undefined;
  const { rows } = await client.query<{ count: number; demo: number }>(
    `select count(*)::int as count, count(*) filter (where slug = $1)::int as demo from org_directory`,
    [demoSlug],
  );
  const { count = 0, demo = 0 } = rows[0] ?? {};
  if (count === 0) return undefined;
  return demo === count ? 'demo' : 'production';
}

/** @throws ModeMismatchError */
export async function assertMode(client: Pick<Client, 'query'>, asked: Mode, demoSlug: string): Promise<void> {
  const stamped = await modeOf(client, demoSlug);
  if (stamped !== undefined && stamped !== asked) throw new ModeMismatchError(stamped, asked);
}

/** Writes the mode at the first start, as the owner; a stamp that is there stays. */
export async function stampMode(owner: Pick<Client, 'query'>, mode: Mode): Promise<void> {
  await owner.query('insert into installation (mode) values ($1) on conflict do nothing', [mode]);
}
