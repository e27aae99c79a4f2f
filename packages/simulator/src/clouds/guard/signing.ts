import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { TOKEN_S } from './protocol.ts';

const mac = (secret: string, text: string | Buffer): Buffer => createHmac('sha256', secret).update(text).digest();
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** What the maker burns into a phone. @param factoryKey the maker's own */
export const deviceSecret = (factoryKey: string, imei: string, serial: string): string =>
  mac(factoryKey, `${imei}|${serial}`).toString('hex');

/** @returns 8 digits that open one phone once: the phone computes the same from the passkey that its lock screen shows. */
export const pinFor = (secret: string, passkey: string): string =>
  String(mac(secret, `pin:${passkey}`).readBigUInt64BE() % 100_000_000n).padStart(8, '0');

/** @returns the value of `x-guard-signature`. */
export function signWebhook(secret: string, atMs: number, body: string): string {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${mac(secret, `${t}.${body}`).toString('hex')}`;
}

/** @returns the value of `x-guard-device`, which a phone signs its question with. */
export const signSync = (secret: string, body: string | Buffer): string => `v1=${mac(secret, body).toString('hex')}`;
export const isSyncBy = (secret: string, body: Buffer, given: unknown): boolean =>
  typeof given === 'string' && isSame(given, signSync(secret, body));

export const isSecret = (given: string, wanted: string): boolean => mac('', given).equals(mac('', wanted));

interface TokenOwner {
  id: string;
  client_secret: string;
}

/** A token that needs no memory: tenant, end and a MAC under the tenant's secret. Good for half an hour, over restarts too. */
export function issueToken({ id, client_secret }: TokenOwner, nowMs: number): string {
  const words = [id, nowMs + TOKEN_S * 1000, randomBytes(6).toString('hex')].join('|');
  return `${Buffer.from(words).toString('base64url')}.${mac(client_secret, words).toString('base64url')}`;
}

/** @returns whose token this is; undefined when it is nobody's or its half hour is over. */
export function tenantOfToken<T extends TokenOwner>(
  tenants: readonly T[],
  token: string,
  nowMs: number,
): T | undefined {
  const [head = '', tail = ''] = token.split('.');
  const words = Buffer.from(head, 'base64url').toString();
  const [id, end] = words.split('|');
  const owner = tenants.find((tenant) => tenant.id === id);
  if (!owner || !isSame(tail, mac(owner.client_secret, words).toString('base64url'))) return undefined;
  return nowMs < Number(end) ? owner : undefined;
}
