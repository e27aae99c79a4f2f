import type { Tx } from '#server/platform/database.ts';
import { forgetOtps } from './otp-store.ts';
import { forgetSessions } from './session-store.ts';
import { forgetSignups } from './people-store.ts';
import { forgetQuestions } from './provider-store.ts';
import { forgetProofs } from './store.ts';

/** Codes say who asked when: gone after three days (the daily limit looks back one, the nightly look at what stands on them two). Used proofs and ended sessions stay a month; so long somebody who asks for an account waits for an answer, then asks again. */
const KEPT_DAYS = { otps: 3, proofs: 30, sessions: 30, signups: 30 };

/** Deletes what has ended long enough ago, for one organisation. @returns how many rows */
export async function forgetExpired(tx: Tx): Promise<number> {
  const otps = await forgetOtps.run(tx, { days: KEPT_DAYS.otps });
  const proofs = await forgetProofs.run(tx, { days: KEPT_DAYS.proofs });
  const signups = await forgetSignups.run(tx, { days: KEPT_DAYS.signups });
  const questions = await forgetQuestions.run(tx, {});
  return questions + otps + proofs + signups + (await forgetSessions.run(tx, { days: KEPT_DAYS.sessions }));
}
