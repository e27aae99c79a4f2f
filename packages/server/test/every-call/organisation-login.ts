import { type OpenIdProvider, CLIENT, openIdProvider } from '#test/openid-provider.ts';
import { SYSTEM, setProvider } from '#server/identity/identity.ts';
import { BEFORE_SIGN_IN, NO_ORGANISATION, type Table } from './case.ts';
import type { Shops } from './shops.ts';

const headers = { origin: 'http://localhost:3210' };
let made: Promise<OpenIdProvider> | undefined;

/** The shop's organisation has a provider of its own from now on. */
function provided({ db, http, own }: Shops): Promise<OpenIdProvider> {
  made ??= openIdProvider().then(async (provider) => {
    const { client_id, client_secret: secret } = CLIENT;
    const settings = { issuer: provider.issuer, client_id, secret, claim: 'phone_number' as const };
    const { sealer } = http.app.deps.db.ports.identity;
    const { orgId } = own.actor;
    await db.operator.transaction(orgId, (tx) => setProvider(tx, SYSTEM(orgId), settings, sealer));
    return provider;
  });
  return made;
}

/** The organisation's own login in place of a code. */
export const organisationLoginCases: Pick<Table, 'getOauthUrl' | 'oauthCallback'> = {
  getOauthUrl: {
    who: 'everybody',
    right: async (shops) => {
      await provided(shops);
      return { headers };
    },
    wrong: { input: { headers, query: { redirect_uri: 'https://elsewhere.example' } as never }, path: 'redirect_uri' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  oauthCallback: {
    who: 'everybody',
    right: async (shops) => {
      const provider = await provided(shops);
      const { mobile } = await shops.newUser();
      provider.people.set(mobile, { phone_number: mobile, phone_number_verified: true });
      const { url, ticket } = (await shops.http.call('getOauthUrl', { headers })).data;
      const back = await provider.visit(url, mobile);
      const [code, state, iss] = ['code', 'state', 'iss'].map((name) => String(back.get(name)));
      return { headers, query: { code: code!, state: state!, iss: iss!, ticket } };
    },
    wrong: { input: { headers, query: { code: 'x', state: 'short', ticket: 'short' } }, path: 'state' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
};
