import type { Pool } from 'pg';
import { LIMITS } from '@kist/contract/limits';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import { createSessionEpochs } from './session-epochs.ts';
import { type SessionRow, findSessions, sessionEpochs } from './session-store.ts';
import { orgOfToken, tokenHash } from './tokens.ts';

/** Some 1 KB each. */
const SESSIONS_KEPT = 20_000;
/** Then a session is looked up again whatever the epoch says: the look-up is what notes that it is in use. */
const KEPT_MS = 30_000;

/**
 * The sessions that a process has looked up lately, for one figure of docs/benchmarks.md, "authenticated no-op": else every request would wait for a look-up.
 * Only `sessions.ts` asks it, and nothing else of identity is remembered.
 */
export interface SessionMemory {
  /**
   * @param isChanging whether the request changes something: then nothing older than the request itself counts
   * @returns undefined when it is unknown, expired or revoked, or its user was switched off
   */
  find(token: string, isChanging: boolean): Promise<SessionRow | undefined>;
  /** A changing request of this organisation has ended: the next request sees what it did. */
  changed(orgId: number): void;
}

/**
 * A session that is remembered is asked no more than its organisation's epoch, which rises with whatever a look-up could find changed. So a revoked session
 * is dead at its next request in the process that revoked it and, for whatever changes something, in every process; reads follow there within `TRUSTED_MS`.
 * Requests that arrive while a statement runs share the next one.
 * @param devicePool of kist_device: whose organisation a token is of is known by the token alone
 * @param trustedMs 0: every request asks
 */
export function rememberSessions(devicePool: Pool, trustedMs?: number): SessionMemory {
  // One at a time: under load larger statements win more than two that overlap.
  const lookUp = microBatch((asked: readonly Lookup[]) => lookUpAll(devicePool, asked), { inFlight: 1 });
  const epochs = createSessionEpochs((orgIds) => epochsOf(devicePool, orgIds), trustedMs);
  const kept = new BoundedMap<string, { row: SessionRow; untilMs: number }>(SESSIONS_KEPT);
  return {
    async find(token, isChanging) {
      const known = kept.peek(token);
      if (known && performance.now() < known.untilMs) {
        const { row } = known;
        const epoch = isChanging ? await epochs.now(row.org_id) : await epochs.recent(row.org_id);
        if (epoch === row.epoch) return row;
      }
      const orgId = orgOfToken(token);
      if (orgId === undefined) return undefined;
      const askedMs = performance.now();
      const row = await lookUp({ orgId, token });
      if (row) kept.set(token, { row, untilMs: askedMs + Math.min(KEPT_MS, row.left_ms) });
      else kept.delete(token);
      return row;
    },
    changed: (orgId) => epochs.changed(orgId),
  };
}

interface Lookup {
  orgId: number;
  token: string;
}

/**
 * A token asked several times (an app that opens reads five things at once) is looked up once.
 * @returns in the order asked
 */
async function lookUpAll(devicePool: Pool, asked: readonly Lookup[]): Promise<(SessionRow | undefined)[]> {
  const unique = [...new Map(asked.map((lookup) => [lookup.token, lookup])).values()];
  const rows = await findSessions.all(devicePool, {
    org_ids: unique.map(({ orgId }) => orgId),
    token_hashes: unique.map(({ token }) => tokenHash(token)),
    idle_days: LIMITS.sessionIdleDays,
    absolute_days: LIMITS.sessionAbsoluteDays,
  });
  const found = new Map(rows.map((row) => [unique[row.n - 1]?.token, row]));
  return asked.map(({ token }) => found.get(token));
}

/** @returns each organisation's epoch; none where nothing has changed yet */
export async function epochsOf(devicePool: Pool, orgIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sessionEpochs.all(devicePool, { org_ids: orgIds });
  return new Map(rows.map(({ org_id, epoch }) => [org_id, epoch]));
}
