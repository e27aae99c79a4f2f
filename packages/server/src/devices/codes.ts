import type { SetupRequest } from '@kist/contract/agent';
import { PROVISIONING, provisioningName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { enrolmentLink } from '@kist/contract/linked-phone';
import { SETUP_CODE_BITS, readSetupCode, setupCode } from '@kist/contract/setup-code';
import type { Plane } from '#server/catalogue/catalogue.ts';
import type { Actor } from '#server/identity/identity.ts';
import { type Sealer, safeEqual, sha256 } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { freshToken, get, hasAgent } from './devices.ts';
import type { IssuedToken, OfferOf } from './enrolment.ts';
import { findPhonesOf, hashOf, keepSealedToken, sealedToken } from './enrolment-store.ts';
import { isSamePhone } from './rules.ts';

/** A code as it is shown. */
export interface ShownCode extends IssuedToken {
  /** What the camera reads: Android's provisioning text, or the link of a phone in use, which nothing erases. */
  text: string;
}

/** Provisioning codes that a person is shown. */
export interface Codes {
  /** Whether phones of a type are set up by a code, and this installation runs what sets them up. */
  isFor(provisioningType: number): boolean;
  /** A fresh one; the one before it dies. @throws KistError FEATURE_NOT_OFFERED (see `isFor`), and as freshToken does */
  fresh(tx: Tx, actor: Actor, deviceId: string): Promise<ShownCode>;
  /** The one that is still good, unused and not run out, if there is one. */
  live(tx: Tx, deviceId: string): Promise<ShownCode | undefined>;
  /** The live one, else a fresh one. @throws KistError as `fresh` does */
  current(tx: Tx, actor: Actor, deviceId: string): Promise<ShownCode>;
}

/** The code to type of a token: it follows from the token, so it is the same as long as that is good, and nothing more is kept. */
export function typedCode(orgId: number, token: string): string | undefined {
  const secret = BigInt.asUintN(SETUP_CODE_BITS, sha256(`typed ${token}`).readBigUInt64BE());
  return setupCode(orgId, secret);
}

/**
 * What the camera would have read, for a phone on which the code was typed.
 * @throws KistError AGENT_UNKNOWN: no such code, it was used or has run out, or it is another phone's; who guesses is not told which
 */
export async function redeem(db: Pick<Database, 'read'>, codes: Pick<Codes, 'live'>, asked: SetupRequest) {
  const typed = readSetupCode(asked.code);
  if (!typed) throw new KistError('AGENT_UNKNOWN');
  return db.read(typed.orgId, async (tx) => {
    for (const phone of await findPhonesOf.all(tx, { imeis: asked.imei, serial: asked.serial })) {
      const issued = isSamePhone(provisioningName(phone.provisioning_type), phone, asked)
        ? await codes.live(tx, phone.device_id)
        : undefined;
      const code = issued && typedCode(typed.orgId, issued.token);
      if (code && safeEqual(code, typed.code)) return issued.qr;
    }
    throw new KistError('AGENT_UNKNOWN');
  });
}

const asShown = (issued: IssuedToken, provisioningType: number): ShownCode => ({
  ...issued,
  text:
    provisioningType === PROVISIONING.LINKFL
      ? enrolmentLink(issued.qr['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'])
      : JSON.stringify(issued.qr),
});

/** Bound to its phone: moved to another row it does not open. */
const place = (tx: Tx, deviceId: string) => `${tx.orgId}|enrolment_tokens|sealed|${deviceId}`;

/**
 * @param sealer keys kept outside the database.
 * @param offerOf what a phone's camera reads of a token
 * @param planes what runs here: the code of another plane's phone would make it something else than was sold (a factory reset, a device owner)
 */
export function createCodes(sealer: Sealer, offerOf: OfferOf, planes: readonly Plane[]): Codes {
  const isFor = (provisioningType: number): boolean => {
    const name = provisioningName(provisioningType);
    return name !== undefined && planes.includes(name) && hasAgent(provisioningType);
  };
  async function fresh(tx: Tx, actor: Actor, deviceId: string) {
    const { provisioningType } = await get(tx, deviceId);
    if (!isFor(provisioningType))
      throw new KistError('FEATURE_NOT_OFFERED', {
        details: { edit: 'EMM_QR_CODE', provisioning: provisioningName(provisioningType) },
      });
    const issued = await freshToken(tx, actor, deviceId, offerOf);
    await keepSealedToken.run(tx, {
      token_hash: hashOf(issued.token),
      sealed: sealer.seal(issued.token, place(tx, deviceId)),
    });
    return asShown(issued, provisioningType);
  }
  async function live(tx: Tx, deviceId: string): Promise<ShownCode | undefined> {
    const found = await sealedToken.first(tx, { device_id: deviceId });
    if (!found || tx.orgId === undefined) return undefined;
    const token = sealer.open(found.sealed, place(tx, deviceId)).toString('utf8');
    const { provisioningType } = await get(tx, deviceId);
    return asShown({ token, expiresAt: found.expires_at, qr: offerOf(token, tx.orgId) }, provisioningType);
  }
  return {
    isFor,
    fresh,
    live,
    async current(tx, actor, deviceId) {
      const shown = await live(tx, deviceId);
      if (shown) return shown;
      // Two pages that ask at once are shown one and the same: the second waits for the phone's row and finds what the first made.
      await get(tx, deviceId, true);
      return (await live(tx, deviceId)) ?? fresh(tx, actor, deviceId);
    },
  };
}
