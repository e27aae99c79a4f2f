import type { z } from 'zod';
import type { SessionGrant } from '@kist/contract/auth';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { passkeyEndpoints } from '@kist/contract/passkeys';
import * as audit from '#server/audit/audit.ts';
import { sha256 } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId, newToken } from '#server/platform/ids.ts';
import { type Actor, type Visitor, userActor } from './actor.ts';
import { admit, deviceHash } from './askers.ts';
import { countFailure } from './failure-watch.ts';
import { trustDevice } from './mpin.ts';
import * as store from './passkey-store.ts';
import { openSession } from './sessions.ts';
import { lockUser, readUser } from './store.ts';
import * as webauthn from './webauthn.ts';

type Reply<Name extends keyof typeof passkeyEndpoints> = z.input<(typeof passkeyEndpoints)[Name]['reply']>;
type Body<Name extends 'addPasskey' | 'enterByPasskey'> = z.output<(typeof passkeyEndpoints)[Name]['body']>;

const refused = (internal: string): KistError => new KistError('PASSKEY_REFUSED', { internal });
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
const rpIdOf = (origin: string): string => new URL(origin).hostname;
const newQuestion = () => {
  const challenge = newToken();
  return { challenge, challenge_hash: sha256(challenge), ttl_s: LIMITS.passkeyTtlS };
};

/**
 * Begins to give a trusted device a key of its own. @param origin the page that asks, one of ours
 * @throws KistError STATE_CONFLICT on a device that is not trusted, and where no M-PIN is set
 */
export async function offerPasskey(
  tx: Tx,
  { userId: user_id }: Actor,
  { device_id, origin, shop }: { device_id: string; origin: string; shop: string },
): Promise<Reply<'offerPasskey'>> {
  const device_hash = deviceHash(device_id);
  const { challenge, ...question } = newQuestion();
  const asked =
    device_hash && (await store.askUser.first(tx, { user_id, device_hash, kind: 'add', origin, ...question }));
  const user = await readUser.first(tx, { user_id });
  if (!asked || !user) throw new KistError('STATE_CONFLICT');
  // Nobody's name: what a password manager shows of it is the shop's and the number's end.
  const user_handle = sha256(`passkey ${user_id}`).toString('base64url');
  return { challenge, rp_id: rpIdOf(origin), rp_name: shop, user_handle, user_name: `…${user.mobile.slice(-4)}` };
}

/** Keeps what the device made. The question is used up whatever comes of it. @throws KistError PASSKEY_REFUSED */
export async function addPasskey(
  db: Database,
  actor: Actor,
  client: Visitor['client'],
  body: Body<'addPasskey'>,
): Promise<Reply<'addPasskey'>> {
  const { orgId, userId: user_id } = actor;
  const device_hash = deviceHash(body.device_id);
  const clientData = webauthn.readClientData(bytesOf(body.client_data));
  const authenticator = webauthn.readAuthenticatorData(bytesOf(body.authenticator_data));
  if (!device_hash || !clientData || !authenticator) throw refused('no answer of a device');
  const challenge_hash = sha256(clientData.challenge);
  const asked = await db.transaction(orgId, (tx) =>
    store.takeOfUser.first(tx, { user_id, device_hash, kind: 'add', challenge_hash }),
  );
  if (!asked) throw refused('not asked');
  const credential_id = bytesOf(body.credential);
  const public_key = bytesOf(body.public_key);
  const isRight =
    webauthn.isAnswerTo({ type: 'webauthn.create', origin: asked.origin, clientData, authenticator }) &&
    authenticator.credentialId?.equals(credential_id) === true &&
    webauthn.readPublicKey(public_key) !== undefined;
  if (!isRight) throw refused('another answer than was asked for');
  return db.transaction(orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id });
    const kept =
      user &&
      (await store.savePasskey.first(tx, {
        user_id,
        device_hash,
        passkey_id: newId(),
        credential_id,
        public_key,
        rp_id: rpIdOf(asked.origin),
        sign_count: authenticator.signCount,
        device: client,
      }));
    if (!kept) throw refused('not a trusted device, or somebody else’s credential');
    await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'passkey_added', data: { ...kept } });
    return kept;
  });
}

/** The question for a device that may have a key; the same reply, with nothing in it, for one that has none and for a mobile that is nobody's. @throws KistError RATE_LIMITED */
export async function askPasskey(
  db: Database,
  visitor: Visitor,
  { mobile, device_id, origin }: { mobile: string; device_id: string; origin: string },
): Promise<Reply<'askPasskey'>> {
  await admit(db, visitor, { mobile, device_id }, 'ask');
  const device_hash = deviceHash(device_id) ?? Buffer.alloc(0);
  const { challenge, ...question } = newQuestion();
  const rp_id = rpIdOf(origin);
  const known = await db.transaction(visitor.orgId, async (tx) => {
    const asked = await store.askMobile.first(tx, { mobile, device_hash, kind: 'enter', origin, ...question });
    return asked ? store.credentialsOf.all(tx, { ...asked, device_hash, rp_id }) : [];
  });
  return { challenge, rp_id, credentials: known.map(({ credential_id }) => credential_id.toString('base64url')) };
}

/**
 * A session for who holds the device and opened it. The question is used up first, so that no answer counts twice, also of two that come at once.
 * @throws KistError PASSKEY_REFUSED, OTP_LOCKED after too many answers
 */
export async function enterByPasskey(
  db: Database,
  visitor: Visitor,
  body: Body<'enterByPasskey'>,
): Promise<SessionGrant> {
  const { mobile, device_id } = body;
  await admit(db, visitor, { mobile, device_id }, 'code');
  const session = await enter(db, visitor, body);
  if (session instanceof KistError) {
    countFailure(db.ports, 'mpin', mobile);
    throw session;
  }
  return session;
}

/** @returns the refusal, not thrown: a copy's key is taken away in the same transaction. */
async function enter(db: Database, visitor: Visitor, body: Body<'enterByPasskey'>): Promise<SessionGrant | KistError> {
  const { orgId } = visitor;
  const device_hash = deviceHash(body.device_id);
  const bytes = { clientData: bytesOf(body.client_data), authenticatorData: bytesOf(body.authenticator_data) };
  const clientData = webauthn.readClientData(bytes.clientData);
  const authenticator = webauthn.readAuthenticatorData(bytes.authenticatorData);
  if (!device_hash || !clientData || !authenticator) return refused('no answer of a device');
  const challenge_hash = sha256(clientData.challenge);
  const asked = await db.transaction(orgId, (tx) =>
    store.takeOfMobile.first(tx, { mobile: body.mobile, device_hash, kind: 'enter', challenge_hash }),
  );
  if (!asked) return refused('not asked, or answered before');
  const { user_id, origin } = asked;
  if (!webauthn.isAnswerTo({ type: 'webauthn.get', origin, clientData, authenticator }))
    return refused('another answer than was asked for');
  return db.transaction(orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id });
    const kept = await store.lockPasskey.first(tx, { user_id, device_hash, credential_id: bytesOf(body.credential) });
    const key = kept && webauthn.readPublicKey(kept.public_key);
    if (!user || !kept || !key || !webauthn.isSigned(key, bytes, bytesOf(body.signature)))
      return refused('not signed by this device');
    if (!webauthn.isCountHonest(kept.sign_count, authenticator.signCount)) {
      const { passkey_id } = kept;
      await store.removePasskey.run(tx, { user_id, passkey_id });
      const data = { passkey_id, kept: kept.sign_count, said: authenticator.signCount };
      await audit.append(tx, {
        kind: 'user',
        id: user_id,
        actor: userActor(user, visitor.ip),
        action: 'passkey_copied',
        data,
      });
      return refused('signed by a copy');
    }
    await store.countSignature.run(tx, { passkey_id: kept.passkey_id, sign_count: authenticator.signCount });
    await trustDevice(tx, { user_id, device_hash });
    return openSession(tx, user, visitor, { how: 'passkey', device_hash });
  });
}

/** Own devices that sign in by fingerprint. */
export async function listPasskeys(tx: Tx, actor: Actor): Promise<Reply<'myPasskeys'>> {
  const passkeys = await store.passkeysOf.all(tx, { user_id: actor.userId });
  return passkeys.map(({ passkey_id, device, created_at, last_used_at }) => ({
    passkey_id,
    browser: device.browser ?? '',
    platform: device.platform ?? '',
    device: device.device ?? '',
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }));
}

/** @throws KistError NOT_FOUND when it is not one of this user's */
export async function removePasskey(tx: Tx, actor: Actor, passkey_id: string): Promise<void> {
  const { userId: user_id } = actor;
  if (!(await store.removePasskey.first(tx, { user_id, passkey_id }))) throw new KistError('NOT_FOUND');
  await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'passkey_removed', data: { passkey_id } });
}
