import { authenticate, changed, rememberSessions } from '#server/identity/identity.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import type { Ports } from '#server/platform/ports.ts';

/** What one process knows of sessions. */
export interface SessionProcess {
  authenticate(token: string, ip: string, isChanging: boolean): Promise<Actor | undefined>;
  changed(orgId: number): void;
}

/** @param trustedMs 0: every request asks; as in production unless given */
export function sessionProcess(db: Database, trustedMs?: number): SessionProcess {
  const sessions = rememberSessions(db.devicePool, trustedMs);
  const process = { ports: { identity: { sessions } } as Ports };
  return {
    authenticate: (token, ip, isChanging) => authenticate(process, { token, ip, isChanging }),
    changed: (orgId) => changed(process, orgId),
  };
}
