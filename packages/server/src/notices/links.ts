import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { hmacSha256, safeEqual } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { longId, shortId } from '#server/platform/ids.ts';
import * as store from './link-store.ts';

/** What links are made of: the server's own key for them, and where the app is. */
export interface LinkMaking {
  linkKey: Uint8Array;
  /** 'https://kist.example.in', without a slash at its end. */
  publicUrl: string;
}

export const NOTICE_PAGE_PATH = '/n';
/** Where the link stands in a message that is kept: it opens without an account, so it is put in when the message leaves. */
const LINK_PLACE = '{link}';
/** A message for whoever has the app before them: without the sentence of the link. */
export const withoutLink = (body: string): string => body.replace(/\s*[^.।]*\{link\}\s*$/u, '');
/** 128 bits: nobody tries them out. */
const MAC_BYTES = 16;
const FIRST = 1;

const macOf = (key: Uint8Array, orgId: number, agreementId: string, no: number): string =>
  hmacSha256(key, 'notice link', String(orgId), agreementId, String(no)).subarray(0, MAC_BYTES).toString('base64url');

/** @returns the link to the page of one agreement's notices; `no` tells the ones that were given out before apart. */
export const linkOf = ({ linkKey, publicUrl }: LinkMaking, orgId: number, agreementId: string, no = FIRST): string =>
  `${publicUrl}${NOTICE_PAGE_PATH}/${orgId}.${shortId(agreementId)}.${macOf(linkKey, orgId, agreementId, no)}`;

/** @returns a kept message as it leaves. */
export function withLink(
  making: LinkMaking | undefined,
  { orgId, agreementId, no }: { orgId: number; agreementId: string; no: number | undefined },
  body: string,
): string {
  if (!body.includes(LINK_PLACE)) return body;
  if (!making) throw new Error('a notice of a lock cannot be sent without its link');
  return body.replaceAll(LINK_PLACE, () => linkOf(making, orgId, agreementId, no));
}

/** What somebody brought: which agreement it names, and what proves it. */
export interface Brought {
  orgId: number;
  agreementId: string;
  mac: string;
}

/** @returns null for what is no link of ours, whoever made it up. */
export function readLink(letters: string): Brought | null {
  const [, org, id, mac] = /^([1-9]\d{0,8})\.([\w-]{22})\.([\w-]{22})$/.exec(letters) ?? [];
  if (org === undefined || id === undefined || mac === undefined) return null;
  return { orgId: Number(org), agreementId: longId(id), mac };
}

/** @returns whose page the link opens; null: it is wrong, was replaced by another, or the agreement has been over for long. They answer alike. */
export async function openLink(
  tx: Tx,
  { linkKey }: Pick<LinkMaking, 'linkKey'>,
  { orgId, agreementId, mac }: Brought,
): Promise<{ agreement_id: string; customer_id: string; device_id: string } | null> {
  const found = await store.opened.first(tx, { agreement_id: agreementId });
  // Reckoned in any case: an agreement that is not there takes as long.
  const isProved = safeEqual(mac, macOf(linkKey, orgId, agreementId, found?.no ?? FIRST));
  if (!found?.is_open || !isProved) return null;
  return { agreement_id: agreementId, customer_id: found.customer_id, device_id: found.device_id };
}

/** The number of link that is good now, by agreement; one that is not named has its first. */
export async function linkNumbers(tx: Tx, agreementIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (agreementIds.length === 0) return new Map();
  const rows = await store.numbers.all(tx, { agreement_ids: [...new Set(agreementIds)] });
  return new Map(rows.map(({ agreement_id, no }) => [agreement_id, no]));
}

/** @throws KistError NOT_FOUND for somebody else's customer and for one without an agreement */
async function agreementOf(tx: Tx, actor: Actor, { customer_id }: { customer_id: string }): Promise<string> {
  await customers.authorize(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  if (!agreement) throw new KistError('NOT_FOUND');
  return agreement.agreement_id;
}

/** The link that is good now, for the customer and for the shop that gives it on. @throws KistError NOT_FOUND */
export async function noticeLink(
  tx: Tx,
  making: LinkMaking,
  actor: Actor,
  asked: { customer_id: string },
): Promise<{ url: string }> {
  identity.requires(actor, NEEDS.read);
  const id = await agreementOf(tx, actor, asked);
  return { url: linkOf(making, actor.orgId, id, (await linkNumbers(tx, [id])).get(id)) };
}

/** What a new link is made of (`linkOf`): so much may be kept of it. */
export interface RenewedLink {
  agreement_id: string;
  no: number;
}

/** Another link; the ones before open nothing any more. @throws KistError NOT_FOUND */
export async function renewLink(tx: Tx, actor: Actor, asked: { customer_id: string }): Promise<RenewedLink> {
  identity.requires(actor, [...NEEDS.features, ...NEEDS.read]);
  const agreement_id = await agreementOf(tx, actor, asked);
  // What is waited for may be a transfer: the shop of before gets no link to what is another's.
  await agreements.theirsToChange(tx, actor, asked);
  const next = await store.nextNumber.one(tx, { agreement_id, changed_by: actor.userId });
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'notice_link_renewed',
    data: { no: next.no },
  });
  return { agreement_id, no: next.no };
}

/** Who had the links of these agreements has nothing any more; as part of what the caller does and writes down. */
export async function replaceLinks(tx: Tx, { userId }: Actor, agreement_ids: readonly string[]): Promise<void> {
  if (agreement_ids.length > 0) await store.nextNumbers.run(tx, { agreement_ids, changed_by: userId });
}

/** A message as its page shows it. */
export const messagesOf = (tx: Tx, agreement_id: string) => store.messagesOf.all(tx, { agreement_id });
