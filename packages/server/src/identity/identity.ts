import type { Sealer } from '#server/platform/crypto.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { OidcClient } from './oidc-client.ts';
import type { StepUpPurpose } from './otp.ts';
import type { SessionMemory } from './session-memory.ts';

/** What a process brings along for who signs in: `db.ports.identity`. */
interface IdentityPort {
  /** Secret outside the database; codes and PINs are worthless to who has only the tables. */
  pepper: Uint8Array;
  /** Closes the messages that codes travel in. */
  sealer: Sealer;
  /** Whether text messages can leave at all; a code that cannot be sent is not promised. */
  canSendCodes: () => boolean;
  /** What a step-up code opens here: one that no call asks for is not sent. */
  stepUpDoors: readonly StepUpPurpose[];
  watch: FailureWatch;
  sessions: SessionMemory;
  /** Speaks with the organisations' own identity providers. */
  oidc: OidcClient;
}

declare module '#server/platform/ports.ts' {
  interface Ports {
    identity: IdentityPort;
  }
}

export { requires } from './access.ts';
export { type Actor, SYSTEM, SYSTEM_USER_ID } from './actor.ts';
export { actorOfMobile } from './at-the-desk.ts';
export { createFailureWatch } from './failure-watch.ts';
export {
  type CustomerCode,
  dealIsSigned,
  numberSpeaksAt,
  presentCustomerCode,
  sendCustomerCode,
} from './customer-code.ts';
export {
  type LoginGiven,
  endCustomerLogin,
  giveLoginBack,
  eraseCustomerLogin,
  giveCustomerLogin,
  loginOfCustomer,
} from './customer-logins.ts';
export { forgetExpired } from './forget.ts';
export { sessionsKept, waysInKept } from './kept-store.ts';
export { setMpin } from './mpin.ts';
export { DECOY_TOPIC } from './otp.ts';
export {
  type AuthorizedPerson,
  activatePerson,
  addPerson,
  heldReceiver,
  canManage,
  person,
  type Named,
  personNamed,
  personOfMobile,
  suspendPerson,
  updatePerson,
} from './people.ts';
export { createOidcClient } from './oidc-client.ts';
export { beginOrganisationLogin, finishOrganisationLogin } from './organisation-login.ts';
export { CLAIMS, type Claim } from './provider-store.ts';
export { hasProvider, providerShown, removeProvider, setProvider, unlinkProvider, vouchForEmail } from './providers.ts';
export { addPersonInBudget, countNumber } from './number-budget.ts';
export { addPasskey, askPasskey, enterByPasskey, listPasskeys, offerPasskey, removePasskey } from './passkeys.ts';
export { isBirthday, profile } from './profile.ts';
export type { OtpVerdict } from './rules.ts';
export { resetMpin } from './reset.ts';
export { rememberSessions } from './session-memory.ts';
export {
  actorOfSession,
  asOfNow,
  headOf,
  actorOfUser,
  authenticate,
  changed,
  endSessions,
  listSessions,
  sessionMinutes,
  sessionRequired,
} from './sessions.ts';
export { login, requestOtp, verifyOtp } from './sign-in.ts';
export { askedOfAnother, isSecond, mustBeSecond } from './second-person.ts';
export { isStaffNumber, shopsByMobile } from './shops.ts';
export { adminEmails, adminIds, ensureStaff } from './staff.ts';
export { approveSignup, decidedSignup, isSignupTold, refuseSignup, requestSignup, signups } from './signups.ts';
export { sendStepUp } from './step-up.ts';
export { orgOfToken } from './tokens.ts';
