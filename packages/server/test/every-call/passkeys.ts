import { type Authenticator, createAuthenticator } from '#test/authenticator.ts';
import { BEFORE_SIGN_IN, NAMES_NOTHING, NO_ORGANISATION, type Table, UNKNOWN_FIELD } from './case.ts';
import { browser, type Shops } from './shops.ts';

const ANYBODY = { '403': 'whoever is signed in may ask it of themselves' };
const origin = 'http://localhost:3210';
const headers = { origin };

/** Somebody with an M-PIN on a device of their own. */
async function owner({ http, newUser, session }: Shops) {
  const user = await newUser();
  const token = await session(user);
  const device_id = browser();
  await http.call('setMpin', { token, body: { mpin: '8305', device_id } });
  return { user, token, device_id };
}
type Owner = Awaited<ReturnType<typeof owner>>;

async function made(shops: Shops, of: Owner, device: Authenticator) {
  const { token, device_id } = of;
  const { data } = await shops.http.call('offerPasskey', { token, headers, body: { device_id } });
  return { device_id, ...device.make({ challenge: data.challenge, origin }) };
}
async function kept(shops: Shops) {
  const of = await owner(shops);
  const device = createAuthenticator();
  const body = await made(shops, of, device);
  const { data } = await shops.http.call('addPasskey', { token: of.token, headers, body });
  return { ...of, device, ...data };
}

/** The device's own fingerprint in place of the M-PIN. */
export const passkeyCases: Pick<
  Table,
  'offerPasskey' | 'addPasskey' | 'askPasskey' | 'enterByPasskey' | 'myPasskeys' | 'removePasskey'
> = {
  offerPasskey: {
    who: 'signed in',
    right: async (shops) => {
      const { token, device_id } = await owner(shops);
      return { token, headers, body: { device_id } };
    },
    wrong: { input: { headers, rawBody: { device_id: 7 } }, path: 'device_id' },
    conflicts: [{ code: 'STATE_CONFLICT', input: () => ({ headers, body: { device_id: browser() } }) }],
    never: ANYBODY,
  },
  addPasskey: {
    who: 'signed in',
    right: async (shops) => {
      const of = await owner(shops);
      return { token: of.token, headers, body: await made(shops, of, createAuthenticator()) };
    },
    wrong: { input: { rawBody: { device_id: 'x', credential: 'not base64!' } }, path: 'credential' },
    never: ANYBODY,
  },
  askPasskey: {
    who: 'everybody',
    right: async (shops) => {
      const { user, device_id } = await kept(shops);
      return { headers, body: { mobile: user.mobile, device_id } };
    },
    wrong: { input: { headers, rawBody: { mobile: '12345', device_id: 'x' } }, path: 'mobile' },
    conflicts: [{ code: 'ORGANISATION_UNKNOWN', input: () => ({ headers: { ...headers, 'x-org': 'no-such-shop' } }) }],
    never: BEFORE_SIGN_IN,
  },
  enterByPasskey: {
    who: 'everybody',
    right: async (shops) => {
      const { user, device_id, device } = await kept(shops);
      const named = { mobile: user.mobile, device_id };
      const { data } = await shops.http.call('askPasskey', { headers, body: named });
      return { headers, body: { ...named, ...device.get({ challenge: data.challenge, origin }) } };
    },
    wrong: { input: { headers, rawBody: { mobile: '9812345678', device_id: 'x', signature: '!' } }, path: 'signature' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  myPasskeys: {
    who: 'signed in',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    never: { ...ANYBODY, ...NAMES_NOTHING },
  },
  removePasskey: {
    who: 'signed in',
    right: async (shops) => {
      const { token, passkey_id } = await kept(shops);
      return { token, body: { passkey_id } };
    },
    wrong: { input: { rawBody: { all: true } }, path: 'all' },
    theirs: ['passkey_id'],
    never: ANYBODY,
  },
};
