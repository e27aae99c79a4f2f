import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionGrant } from '@kist/contract/auth';
import { type Api, createApi } from './api.ts';
import { BASE_URL } from './base-url.ts';
import { moveClock } from './clock.ts';
import { codeFor, messagesTo } from './messages.ts';

/** People of the demo shop. */
export const RETAILER = '9000000001';
export const MINI_RETAILER = '9000000002';
export const CUSTOMER = '9000000003';
export const OTHER_RETAILER = '9000000011';

export interface SignedIn {
  api: Api;
  grant: SessionGrant;
  mobile: string;
  deviceId: string;
}

/** A mobile gets five codes a day, and a failed test starts a new process: a server's sessions are kept beside the reports of the run. */
const file = path.resolve('artifacts', `e2e-sessions-${new URL(BASE_URL).port}.json`);
type Kept = Record<string, Omit<SignedIn, 'api'>>;
const readKept = (): Kept => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {});

/** Signs in by a code, as on a new phone. */
export async function freshSession(mobile: string): Promise<SignedIn> {
  const api = createApi();
  const deviceId = randomUUID();
  const known = await messagesTo(mobile);
  const asked = await api.raw('loginWithOtp', { body: { mobile, device_id: deviceId } });
  if (asked.status === 429) {
    // Codes are 30 s apart; the shop's clock is ours to move.
    await moveClock({ advance_minutes: 1 });
    return freshSession(mobile);
  }
  const otp = await codeFor(mobile, known);
  const reply = await api.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN', device_id: deviceId } });
  if (reply.purpose !== 'LOGIN') throw new Error('a code for something else');
  return { api: createApi(reply.token), grant: reply, mobile, deviceId };
}

/** @returns a live session of this user, the same for all tests of the run. */
export async function sessionOf(mobile: string): Promise<SignedIn> {
  const kept = readKept()[mobile];
  if (kept) {
    const api = createApi(kept.grant.token);
    if ((await api.raw('getUserAccess')).status === 200) return { ...kept, api };
  }
  const { api, ...fresh } = await freshSession(mobile);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readKept(), [mobile]: fresh }));
  return { api, ...fresh };
}
