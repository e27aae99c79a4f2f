import { KEPT_DAYS } from '@kist/contract/limits';
import type { Tx } from '#server/platform/database.ts';
import { forgetOtps } from './otp-store.ts';
import { forgetSessions } from './session-store.ts';
import { forgetSignups } from './people-store.ts';
import { forgetQuestions } from './provider-store.ts';
import { forgetProofs } from './store.ts';

/** Deletes what has ended long enough ago, for one organisation. @returns how many rows */
export async function forgetExpired(tx: Tx): Promise<number> {
  const otps = await forgetOtps.run(tx, { days: KEPT_DAYS.otps });
  const proofs = await forgetProofs.run(tx, { days: KEPT_DAYS.proofs });
  const signups = await forgetSignups.run(tx, {
    days: KEPT_DAYS.signups,
    decided_days: KEPT_DAYS.decidedSignups,
  });
  const questions = await forgetQuestions.run(tx, {});
  return questions + otps + proofs + signups + (await forgetSessions.run(tx, { days: KEPT_DAYS.sessions }));
}
