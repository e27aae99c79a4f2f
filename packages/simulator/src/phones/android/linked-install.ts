import { LINKED_AGENT_PATH, readEnrolmentLink } from '@kist/contract/linked-phone';

const PACKAGE_TYPE = 'application/vnd.android.package-archive';

/**
 * What a browser does with the link of a phone in use when the agent is not there yet: it fetches the agent. The part behind `#` stays on the phone.
 * @param reachedAt where this phone reaches the server, when it is not the address that the link names
 * @throws Error in words when it is no such link, or no agent lies behind it
 */
export async function installLinkedAgent(link: string, reachedAt?: string): Promise<void> {
  const named = readEnrolmentLink(link)?.['kist.server'];
  if (named === undefined) throw new Error('This is no link of a shop.');
  const here = (address: string) =>
    address.startsWith(named) ? `${reachedAt ?? named}${address.slice(named.length)}` : address;
  const first = await fetch(here(`${named}${LINKED_AGENT_PATH}`), { redirect: 'manual' });
  const location = first.headers.get('location');
  if (first.status !== 302 || location === null) throw new Error('The link leads to no agent.');
  const file = await fetch(here(location));
  const isPackage = file.headers.get('content-type')?.startsWith(PACKAGE_TYPE) ?? false;
  const size = (await file.arrayBuffer()).byteLength;
  if (!file.ok || !isPackage || size === 0) throw new Error('The link leads to no agent.');
}
