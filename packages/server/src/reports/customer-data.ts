import { NEEDS } from '@kist/contract/access';
import type { CustomerData } from '@kist/contract/privacy';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { emiOf } from './emi-details.ts';
import { sent, tracesOf } from './kept.ts';
import { customerProfile } from './profile.ts';
import * as store from './store.ts';

async function consentsOf(tx: Tx, agreement_ids: readonly string[]): Promise<CustomerData['consents']> {
  const found: CustomerData['consents'] = [];
  for (const agreement_id of agreement_ids)
    for (const { text_hash, accepted_at, ...consent } of await store.consentsOf.all(tx, { agreement_id }))
      found.push({ ...consent, text_sha256: text_hash.toString('hex'), accepted_at: accepted_at.toISOString() });
  return found;
}

async function messagesOf(tx: Tx, agreement_ids: readonly string[]): Promise<CustomerData['messages']> {
  const rows = sent(await notices.messagesKept.all(tx, { agreement_ids }));
  return rows.map(({ body, created_at, ...row }) => ({ ...row, body: notices.withoutLink(body), at: created_at }));
}

/** Every line of the histories that are about a customer, oldest first; who acted by kind alone. */
async function historyOf(tx: Tx, subjects: readonly [audit.AuditKind, string][]): Promise<CustomerData['history']> {
  const lines: (CustomerData['history'][number] & { ms: number })[] = [];
  for (const [kind, id] of subjects)
    for (const { at, ...line } of await audit.lines(tx, kind, id))
      lines.push({ kind, ...line, at: at.toISOString(), ms: at.getTime() });
  return lines.toSorted((a, b) => a.ms - b.ms || a.seq - b.seq).map(({ ms: _ms, ...line }) => line);
}

/** All that is kept of a customer, to be read and taken along. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED */
export async function customerData(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<CustomerData> {
  identity.requires(actor, NEEDS.read);
  const found = await customers.authorize(tx, actor, { customer_id });
  const profile = await customerProfile(tx, actor, { customer_id });
  const agreement_ids = (await agreements.agreementsKept.all(tx, { customer_id })).map((row) => row.agreement_id);
  const { customer, device, exchanges, lock, lock_timeline, lost_reports, disputes } = profile;
  const traces = await tracesOf(tx, actor, { customer: found, agreement_ids });
  const about: [audit.AuditKind, string][] = [
    ['customer', customer_id],
    ...agreement_ids.map((id): [audit.AuditKind, string] => ['agreement', id]),
    ...traces.phones.map(({ device_id }): [audit.AuditKind, string] => ['device', device_id]),
  ];
  return {
    made_at: (await now(tx)).toISOString(),
    customer,
    device,
    exchanges,
    agreement: profile.agreement,
    emi: profile.agreement === null ? null : await emiOf(tx, actor, found, { customer_id }),
    lock,
    lock_timeline,
    lost_reports,
    disputes: await disputesOf(tx, agreement_ids, disputes),
    consents: await consentsOf(tx, agreement_ids),
    messages: await messagesOf(tx, agreement_ids),
    documents: sent(await documents.kept(tx, { customer_id })).map(({ document_id: _id, mime: _mime, ...row }) => row),
    history: await historyOf(tx, about),
    ...traces,
  };
}

/** Of the agreement that counts they are in the profile. */
async function disputesOf(
  tx: Tx,
  [, ...earlier]: readonly string[],
  current: CustomerData['disputes'],
): Promise<CustomerData['disputes']> {
  const found = [...current];
  for (const agreement_id of earlier) found.push(...(await locking.disputesOf(tx, agreement_id)));
  return found;
}
