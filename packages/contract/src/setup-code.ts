/** What a person types when a camera will not read the QR. Of signs that look alike (0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V) there is one or none. */
export const SETUP_CODE_SIGNS = '346789ACDEFGHJKMNPRTVWXY';
export const SETUP_CODE_LENGTH = 12;
/**
 * Which code it is, beside its organisation. Guessing one of 2³⁵ is of no use without the IMEI of its phone, which is asked together with it; whoever fails
 * is not told which of the two was wrong.
 */
export const SETUP_CODE_BITS = 35;
const BASE = BigInt(SETUP_CODE_SIGNS.length);
const SHARE = 2n ** BigInt(SETUP_CODE_BITS);
/** Twelve signs carry organisations up to here; the phones of later ones are set up by camera alone. */
const LAST_ORG = BASE ** BigInt(SETUP_CODE_LENGTH) / SHARE - 1n;

/** @param secret below 2³⁵. @returns eight to twelve signs; undefined for an organisation whose number is too large */
export function setupCode(orgId: number, secret: bigint): string | undefined {
  if (BigInt(orgId) > LAST_ORG) return undefined;
  let rest = BigInt(orgId) * SHARE + secret;
  let code = '';
  for (; rest > 0n; rest /= BASE) code = SETUP_CODE_SIGNS[Number(rest % BASE)]! + code;
  return code;
}

/** Reads what was typed: small letters, spaces and dashes as they come. @returns the code and its organisation; undefined when it is none */
export function readSetupCode(typed: string): { code: string; orgId: number } | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  if (code.length > SETUP_CODE_LENGTH) return undefined;
  let value = 0n;
  for (const sign of code) {
    const place = SETUP_CODE_SIGNS.indexOf(sign);
    if (place < 0) return undefined;
    value = value * BASE + BigInt(place);
  }
  const orgId = value / SHARE;
  return orgId < 1n || orgId > LAST_ORG ? undefined : { code, orgId: Number(orgId) };
}

/** As it is shown and read out: in groups of three or four. */
export function groupedSetupCode(code: string): string {
  const size = code.length % 4 === 0 || code.length % 3 !== 0 ? 4 : 3;
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join('-') ?? '';
}
