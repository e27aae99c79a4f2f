import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/** The account PostgreSQL runs under; undefined = as this process (which is then not root). */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. As root it runs under the owner of an existing cluster, else under `postgres` if
 * the machine has that account, else under `nobody`. initdb needs an account that /etc/passwd knows.
 * @param cluster the cluster folder, which may not exist yet
 */
export function serverAccount(cluster: string): Account | undefined {
  const owner = ownerOf(cluster);
  if (process.getuid?.() !== 0) {
    if (owner !== undefined && owner.uid !== process.getuid?.()) {
      throw new EmbeddedPostgresError(
        'NOT_OWNER',
        `The database in ${cluster} belongs to another account (uid ${owner.uid}). Start Kist as that account, as root, or with another KIST_DATA_DIR.`,
      );
    }
    return undefined;
  }
  if (owner !== undefined && owner.uid !== 0) return owner;
  const account = passwdAccount('postgres') ?? passwdAccount('nobody');
  if (account === undefined) {
    throw new EmbeddedPostgresError(
      'NO_ACCOUNT',
      'PostgreSQL does not run as root, and this machine has neither an account "postgres" nor "nobody". Start Kist as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return account;
}

function ownerOf(folder: string): Account | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && { uid: stat.uid, gid: stat.gid };
}

function passwdAccount(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined || uid === '0' ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Whether the account may walk from / down to `folder`, by mode bits alone. */
export function isReachable(folder: string, account: Account): boolean {
  for (let step = path.resolve(folder); ; step = path.dirname(step)) {
    const { uid, gid, mode } = statSync(step);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (step === path.dirname(step)) return true;
  }
}
