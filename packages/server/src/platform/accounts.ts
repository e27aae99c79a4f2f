import type { Client, Pool } from 'pg';
import pg from 'pg';
import type { ConnectionConfig } from './connection.ts';
import { OperatorError } from './operator-error.ts';

/** The account the server logs in as where it makes its accounts itself (the embedded PostgreSQL). */
export const SERVER_LOGIN = 'kist_server';
/** The role of the command line and of the demo's clock; where the server makes its accounts itself, it logs in. */
export const OPERATOR_ROLE = 'kist_operator';

/** The account that the server logs in as could do more than serve: read files, run programs, pass row-level security, undo what must not change. */
export class PowerfulAccountError extends OperatorError {
  override readonly name = 'PowerfulAccountError';
  constructor(account: string, powers: readonly string[]) {
    super(
      `The server's database account ${account} has too much power: ${powers.join('; ')}. Give DATABASE_URL an account of its own (CREATE ROLE kist_server LOGIN NOSUPERUSER), and KIST_OWNER_URL the one that owns the tables.`,
    );
  }
}

/**
 * Makes the two accounts that log in, with their passwords, and lets the first become kist_app and kist_device. As the owner, who must be allowed to create
 * roles. Under the caller's lock: two starts would collide.
 */
export async function ensureLogins(
  owner: Pick<Client, 'query'>,
  passwords: { server: string; operator: string },
): Promise<void> {
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [SERVER_LOGIN]);
  if (rows.length === 0) await owner.query(`create role ${SERVER_LOGIN} login noinherit`);
  await owner.query(`alter role ${SERVER_LOGIN} login password ${pg.escapeLiteral(passwords.server)}`);
  await owner.query(`alter role ${OPERATOR_ROLE} login password ${pg.escapeLiteral(passwords.operator)}`);
  await letServe(owner, SERVER_LOGIN);
}

/** Lets an account become the roles that serve, and be nothing of them by itself. */
export async function letServe(owner: Pick<Client, 'query'>, account: string): Promise<void> {
  const { rows } = await owner.query<{ serves: boolean }>(
    `select pg_has_role($1, 'kist_app', 'set') and pg_has_role($1, 'kist_device', 'set') as serves`,
    [account],
  );
  if (rows[0]?.serves) return;
  await owner.query(
    `grant kist_app, kist_device to ${pg.escapeIdentifier(account)} with inherit false, set true, admin false`,
  );
}

/** A database whose owner has not let this account serve yet. */
export class NotPreparedError extends OperatorError {
  override readonly name = 'NotPreparedError';
  constructor(account: string) {
    super(
      `The database is not prepared for the account ${account}. Start once with KIST_OWNER_URL, the account that owns the tables.`,
    );
  }
}

/** Whether somebody made the roles that serve and lets this account become them. @throws NotPreparedError */
export async function assertMayServe(connection: ConnectionConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ account: string; serves: boolean | null }>(
      `select session_user as account,
         (select bool_and(pg_has_role(session_user, oid, 'set')) and count(*) = 2 from pg_roles where rolname in ('kist_app', 'kist_device')) as serves`,
    );
    if (!rows[0]?.serves) throw new NotPreparedError(rows[0]?.account ?? '');
  } finally {
    await client.end();
  }
}

/** Roles of PostgreSQL that reach past tables. */
const DANGEROUS = [
  'pg_execute_server_program',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_maintain',
  'pg_create_subscription',
  'pg_checkpoint',
  OPERATOR_ROLE,
];

/**
 * Refuses an account that is, or may become, somebody who could change what must not change. Asked on the server's own connections, about who logged in.
 * @throws PowerfulAccountError
 */
export async function assertPowerless(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ account: string; role: string; powers: string[] }>(
    `select session_user as account, r.rolname as role, array_remove(array[
       case when r.rolsuper then 'is superuser' end,
       case when r.rolbypassrls then 'bypasses row-level security' end,
       case when r.rolcreaterole then 'creates roles' end,
       case when r.rolcreatedb then 'creates databases' end,
       case when r.rolreplication then 'replicates' end,
       case when r.rolname = any($1) then 'is a role of an operator or of the machine' end,
       case when has_database_privilege(r.oid, d.oid, 'temporary') then 'makes temporary tables' end,
       case when has_schema_privilege(r.oid, 'public', 'create') then 'makes tables' end,
       case when d.datdba = r.oid then 'owns the database' end,
       case when exists (select from pg_class where relowner = r.oid and relnamespace = 'public'::regnamespace) then 'owns tables' end
     ], null) as powers
     from pg_roles r join pg_database d on d.datname = current_database()
     where pg_has_role(session_user, r.oid, 'member') order by r.rolname`,
    [DANGEROUS],
  );
  const powers = rows
    .filter((row) => row.powers.length > 0)
    .map(({ account, role, powers: found }) =>
      account === role ? found.join(', ') : `it can become ${role}, which ${found.join(', ')}`,
    );
  if (powers.length > 0) throw new PowerfulAccountError(rows[0]?.account ?? '', powers.slice(0, 4));
}
