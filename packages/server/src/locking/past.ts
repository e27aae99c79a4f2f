import { DAY_MS, addDays, businessDate } from '@kist/contract/dates';
import type { PreviewStep } from '@kist/contract/governing';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { byAgreement } from '#server/platform/by-agreement.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { type Phone, agreementFacts, lookAtPhones } from './facts.ts';
import { type Wanted, policyToTry } from './governing.ts';
import * as store from './past-store.ts';
import { assertMayGovern } from './policy.ts';
import { type Past, pastReplay } from './rules/past-replay.ts';

/** Agreements of one slice: each is gone through day by day. */
const SLICE = 200;

/**
 * Some past days of one slice of the agreements under a policy, with the payments as they came in (`rules/past-replay.ts`). Schedules are those of now.
 * Agreements whose phone belongs to nobody any more are passed over. Reads only.
 * @param wanted null: each by the policy it was signed under
 * @throws KistError FORBIDDEN; INVALID_INPUT
 */
export async function replayPolicy(
  tx: Tx,
  actor: Actor,
  { wanted, days, after }: { wanted: Wanted | null; days: number; after?: string | undefined },
): Promise<{ steps: PreviewStep[]; agreements: number; next_after: string | null }> {
  assertMayGovern(actor);
  const policy = await policyToTry(tx, wanted);
  const nowMs = (await clock.now(tx)).getTime();
  const to_on = businessDate(nowMs);
  const from_on = addDays(to_on, -days);
  const found = await store.agreementsDueIn.all(tx, { from_on, to_on, after: after ?? null, limit: SLICE });
  const ids = found.map(({ agreement_id }) => agreement_id);
  const lives = await livesOf(tx, found, policy);
  const fromMs = nowMs - days * DAY_MS;
  const steps = await mapInSlices(lives, ({ phone, past }) =>
    pastReplay(past, fromMs, nowMs).map(({ on, kind, no, level, dueOn }) => ({
      on,
      agreement_id: past.agreement.agreementId,
      agreement_no: phone.row.agreementNo,
      kind,
      no,
      level,
      due_on: dueOn,
    })),
  );
  return { steps: steps.flat(), agreements: lives.length, next_after: ids.length < SLICE ? null : ids.at(-1)! };
}

async function livesOf(
  tx: Tx,
  found: readonly { agreement_id: string; device_id: string }[],
  policy: LockPolicy | null,
): Promise<{ phone: Phone; past: Past }[]> {
  if (found.length === 0) return [];
  const wanted = new Set(found.map(({ agreement_id }) => agreement_id));
  const of = { agreement_ids: [...wanted] };
  const instalments = byAgreement(await store.instalmentsOf.all(tx, of));
  const paid = byAgreement(await ledger.paidOfInstalments(tx, of));
  const phones = await lookAtPhones(tx, [...new Set(found.map(({ device_id }) => device_id))]);
  return phones.flatMap((phone) => {
    const { agreementId, enrolledAt, firstEnrolledAt, releasedAt } = phone.row;
    // A phone that was let go has no agreement for the gate; what it had is what is looked at here.
    const agreement = agreementFacts({ ...phone.row, releasedAt: null });
    const began = firstEnrolledAt ?? enrolledAt;
    if (!agreement || !agreementId || !wanted.has(agreementId) || !began) return [];
    const came = paid.get(agreementId) ?? [];
    const facts = phone.facts({ reason: 'EMI_OVERDUE', level: 1, trigger: 'automatic' });
    const rows = (instalments.get(agreementId) ?? []).map(({ no, due_on, left_paise }) => ({
      no,
      dueOn: due_on,
      paise: came.reduce((sum, one) => (one.instalment_no === no ? sum + one.paise : sum), left_paise),
    }));
    const past: Past = {
      facts: policy ? { ...facts, policy } : facts,
      agreement,
      instalments: rows,
      paid: came.map(({ instalment_no, at, paise }) => ({ no: instalment_no ?? 0, atMs: at.getTime(), paise })),
      heldFromMs: began.getTime(),
      heldToMs: releasedAt?.getTime() ?? null,
    };
    return [{ phone, past }];
  });
}
