import type { SessionGrant } from '@kist/contract/auth';
import type { CallName } from '@kist/contract/paths';
import type { CallInput, CallReply, LooseInput } from '#web/api/calls.ts';
import { type ApiError, toApiError } from '#web/api/errors.ts';
import { sendCall } from '#web/api/send-call.ts';
import { markPasskey } from '#web/state/passkey.ts';
import { deviceId } from '#web/state/session.ts';

/** The finger was taken away, or the device's own question closed: nothing went wrong, and nobody has to be told. */
export type Passkeyed<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError | 'cancelled' };

const ASK_MS = 60_000;
const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const textOf = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Whether this device asks its owner itself: by finger, face or screen lock. A page without https has no such thing. */
export const canHavePasskey = async (): Promise<boolean> =>
  typeof PublicKeyCredential === 'function' &&
  (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false));

async function send<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Passkeyed<CallReply<Name>>> {
  return (await sendCall(name, input as LooseInput)) as Passkeyed<CallReply<Name>>;
}
const refused = (): { error: ApiError } => ({
  error: { ...toApiError('CUSTOM_ERROR', null), code: 'PASSKEY_REFUSED' },
});
const isCancelled = (error: unknown) =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);

/** Asks the device for a key of its own and keeps it with the server. */
export async function addPasskey(): Promise<Passkeyed<{ passkey_id: string }>> {
  const device_id = deviceId();
  const { data: asked, error } = await send('offerPasskey', { body: { device_id } });
  if (error) return { error };
  try {
    const made = (await navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(asked.challenge),
        rp: { id: asked.rp_id, name: asked.rp_name },
        user: { id: bytesOf(asked.user_handle), name: asked.user_name, displayName: asked.user_name },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          userVerification: 'required',
          residentKey: 'discouraged',
        },
        attestation: 'none',
        timeout: ASK_MS,
      },
    })) as PublicKeyCredential | null;
    const response = made?.response as AuthenticatorAttestationResponse | undefined;
    const key = response?.getPublicKey();
    if (!made || !response || !key) return refused();
    const kept = await send('addPasskey', {
      body: {
        device_id,
        credential: textOf(made.rawId),
        client_data: textOf(response.clientDataJSON),
        authenticator_data: textOf(response.getAuthenticatorData()),
        public_key: textOf(key),
      },
    });
    if (kept.data) markPasskey(true);
    return kept;
  } catch (problem) {
    return isCancelled(problem) ? { error: 'cancelled' } : refused();
  }
}

/** Signs in with what this device holds. One that the server knows no more is forgotten here too. */
export async function enterByPasskey(mobile: string): Promise<Passkeyed<SessionGrant>> {
  const device_id = deviceId();
  const { data: asked, error } = await send('askPasskey', { body: { mobile, device_id } });
  if (error) return { error };
  if (asked.credentials.length === 0) {
    markPasskey(false);
    return refused();
  }
  try {
    const got = (await navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(asked.challenge),
        rpId: asked.rp_id,
        allowCredentials: asked.credentials.map((id) => ({
          type: 'public-key',
          id: bytesOf(id),
          transports: ['internal'],
        })),
        userVerification: 'required',
        timeout: ASK_MS,
      },
    })) as PublicKeyCredential | null;
    if (!got) return refused();
    const response = got.response as AuthenticatorAssertionResponse;
    const entered = await send('enterByPasskey', {
      body: {
        mobile,
        device_id,
        credential: textOf(got.rawId),
        client_data: textOf(response.clientDataJSON),
        authenticator_data: textOf(response.authenticatorData),
        signature: textOf(response.signature),
      },
    });
    return entered.data ? { data: entered.data.session } : entered;
  } catch (problem) {
    return isCancelled(problem) ? { error: 'cancelled' } : refused();
  }
}
