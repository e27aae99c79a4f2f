import { type ProvisioningQr, adminExtrasSchema } from './agent.ts';

/**
 * Where a phone in use (LINKFL) fetches its agent. The same address with `#<key id>.<token>` is the customer's link: without the agent the browser fetches
 * it there, with it Android hands the link to the agent (App Links, `/.well-known/assetlinks.json`). What stands behind `#` is never sent, so no server,
 * preview or log between learns the token.
 */
export const LINKED_AGENT_PATH = '/emm/linkflapk';

/** Where a demo serves the agent itself; in production its address is configured. */
export const DEMO_AGENT_PATH = '/agent/kist-agent.apk';

type Extras = ProvisioningQr['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'];

const LINK = /^(https?:\/\/[^#?]+)\/emm\/linkflapk#([A-Za-z0-9_-]{1,64})\.(([0-9a-z]{1,6})\.[A-Za-z0-9_-]{20,110})$/;

/** @param extras of the code. @returns the link that sets a phone in use up, good as long as the code */
export const enrolmentLink = (extras: Extras): string =>
  `${extras['kist.server'].replace(/\/+$/, '')}${LINKED_AGENT_PATH}#${extras['kist.key_id']}.${extras['kist.token']}`;

/** @returns what the agent needs of a link that was opened with it; undefined when it is none of ours */
export function readEnrolmentLink(text: string): Extras | undefined {
  const [, server, keyId, token, org] = LINK.exec(text.trim()) ?? [];
  const extras = adminExtrasSchema.safeParse({
    'kist.server': server,
    'kist.token': token,
    'kist.key_id': keyId,
    'kist.org': String(Number.parseInt(org ?? '', 36)),
  });
  return extras.data;
}
