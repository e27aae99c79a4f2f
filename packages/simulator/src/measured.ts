// The phones that measuring loads a server with: `@kist/simulator/measured`, for bench and sim alone.
export { type LoadPhone, makeLoadPhone } from './load.ts';
export { type PhoneKey, generateKey } from './phones/android/keys.ts';
export { openLease, proveAnswer, signRequest } from './phones/android/wire.ts';
export { type GuardCloud, createGuardCloud } from './clouds/guard/guard-cloud.ts';
export { GuardPhone } from './clouds/guard/guard-phone.ts';
// The agent itself, for histories that are told to it step by step.
export { step } from './phones/android/core.ts';
export { enforcedLevel, enforcedToggles } from './phones/android/desired.ts';
export type { PhoneEvent } from './phones/android/events.ts';
export { reportOf } from './phones/android/report.ts';
export { type Phone, newPhone } from './phones/android/state.ts';
export { trustedNow } from './phones/android/trusted-time.ts';
