import { expect, test } from 'vitest';
import { newToken } from '#server/platform/ids.ts';
import { CLIENT, PAGE, openIdProvider } from '#test/openid-provider.ts';
import { createOidcClient } from './oidc-client.ts';

test('a provider that did not answer is asked again at the next try; what it says of itself is kept, a failure is not', async () => {
  const provider = await openIdProvider();
  const client = createOidcClient();
  const registration = { issuer: provider.issuer, clientId: CLIENT.client_id, secret: CLIENT.client_secret };
  const question = { page: PAGE, state: newToken(), nonce: newToken(), verifier: newToken(), scope: 'openid email' };
  const address = () => client.addressFor(registration, question);
  const about = '/.well-known/openid-configuration';
  const timesAsked = () => provider.asked.filter((path) => path === about).length;

  provider.faults.set(about, 'busy');
  for (const times of [1, 2]) {
    await expect(address()).rejects.toMatchObject({ code: 'OIDC_UNAVAILABLE' });
    expect(timesAsked()).toBe(times);
  }
  provider.faults.clear();
  for (let times = 0; times < 2; times += 1) {
    expect(new URL(await address()).origin).toBe(provider.issuer);
    expect(timesAsked()).toBe(3);
  }
});
