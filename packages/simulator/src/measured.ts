// The phones that measuring loads a server with: `@kist/simulator/measured`, for bench and sim alone.
export { type LoadPhone, makeLoadPhone } from './load.ts';
export { type PhoneKey, generateKey } from './phones/android/keys.ts';
export { signRequest } from './phones/android/wire.ts';
export { type GuardCloud, createGuardCloud } from './clouds/guard/guard-cloud.ts';
export { GuardPhone } from './clouds/guard/guard-phone.ts';
