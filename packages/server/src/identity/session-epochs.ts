import { BoundedMap } from '#server/platform/bounded-map.ts';
import { microBatch } from '#server/platform/micro-batch.ts';

/**
 * How old an answer a read may rest on. "authenticated no-op" of docs/benchmarks.md needs it: else every read would wait for a statement. A read that the
 * session's end overtakes by less would have passed had it been sent this much earlier; what changes something asks anew.
 */
export const TRUSTED_MS = 20;
/** From this share of that time on the next answer is asked for, so that under load nobody waits for it. */
const RENEWED_AT = 0.75;
const ORGANISATIONS_KEPT = 10_000;

/** How often what sessions answer with has changed in an organisation (0043_session_epochs.sql), without a statement for each request. */
export interface SessionEpochs {
  /** As of a statement that began at most `trustedMs` ago. */
  recent(orgId: number): number | Promise<number>;
  /** As of a statement that begins after the call. */
  now(orgId: number): Promise<number>;
  /** Something may have changed here: nothing that was asked before this moment is recent any more. */
  changed(orgId: number): void;
}

interface Known {
  epoch: number;
  /** When its statement began; performance.now(). */
  askedAtMs: number;
}

/** @param read the epochs of these organisations; those without a change may be left out */
export function createSessionEpochs(
  read: (orgIds: readonly number[]) => Promise<ReadonlyMap<number, number>>,
  trustedMs = TRUSTED_MS,
): SessionEpochs {
  const known = new BoundedMap<number, Known>(ORGANISATIONS_KEPT);
  const changedAtMs = new BoundedMap<number, number>(ORGANISATIONS_KEPT);

  const now = microBatch(
    async (orgIds: number[]) => {
      const askedAtMs = performance.now();
      const unique = [...new Set(orgIds)];
      const epochs = await read(unique);
      for (const orgId of unique)
        if (askedAtMs >= (changedAtMs.peek(orgId) ?? 0)) known.set(orgId, { epoch: epochs.get(orgId) ?? 0, askedAtMs });
      return orgIds.map((orgId) => epochs.get(orgId) ?? 0);
    },
    { inFlight: 1 },
  );
  let renewing: Promise<unknown> | undefined;
  const renew = (orgId: number): void => {
    // Who needs it next asks again and hears of the failure.
    renewing ??= now(orgId)
      .catch(() => undefined)
      .finally(() => (renewing = undefined));
  };

  return {
    now,
    recent(orgId) {
      const last = known.peek(orgId);
      if (!last) return now(orgId);
      const ageMs = performance.now() - last.askedAtMs;
      if (ageMs >= trustedMs) return now(orgId);
      if (ageMs >= trustedMs * RENEWED_AT) renew(orgId);
      return last.epoch;
    },
    changed(orgId) {
      changedAtMs.set(orgId, performance.now());
      known.delete(orgId);
    },
  };
}
