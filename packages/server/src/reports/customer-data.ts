import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { CustomerData } from '@kist/contract/privacy';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as notices from '#server/notices/notices.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { emiDetails } from './emi-details.ts';
import { customerProfile } from './profile.ts';
import * as store from './store.ts';

async function consentsOf(tx: Tx, agreement_id: string): Promise<CustomerData['consents']> {
  return (await store.consentsOf.all(tx, { agreement_id })).map(({ text_hash, accepted_at, ...consent }) => ({
    ...consent,
    text_sha256: text_hash.toString('hex'),
    accepted_at: accepted_at.toISOString(),
  }));
}

async function messagesOf(tx: Tx, agreement_id: string): Promise<CustomerData['messages']> {
  return (await notices.messagesOf(tx, agreement_id)).map(({ kind, channel, body, created_at, delivered_at }) => ({
    kind,
    channel,
    body: notices.withoutLink(body),
    at: created_at.toISOString(),
    delivered_at: delivered_at?.toISOString() ?? null,
  }));
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
  await customers.authorize(tx, actor, { customer_id });
  const profile = await customerProfile(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  const { customer, device, exchanges, lock, lock_timeline, lost_reports, disputes } = profile;
  const agreementId = agreement?.agreement_id;
  const kept = await documents.list(tx, actor, { customer_id });
  return {
    made_at: (await now(tx)).toISOString(),
    customer,
    device,
    exchanges,
    agreement: profile.agreement,
    emi: agreementId === undefined ? null : await emiOf(tx, actor, customer_id),
    lock,
    lock_timeline,
    lost_reports,
    disputes,
    consents: agreementId === undefined ? [] : await consentsOf(tx, agreementId),
    messages: agreementId === undefined ? [] : await messagesOf(tx, agreementId),
    documents: kept.map(({ document_type, image_name, bytes, created_at }) => ({
      document_type,
      image_name,
      bytes,
      created_at: created_at.toISOString(),
    })),
    history: await historyOf(tx, [
      ['customer', customer_id],
      ...(agreementId === undefined ? [] : [['agreement', agreementId] as [audit.AuditKind, string]]),
      ...(phone ? [['device', phone.deviceId] as [audit.AuditKind, string]] : []),
    ]),
  };
}

async function emiOf(tx: Tx, actor: Actor, customer_id: string): Promise<CustomerData['emi']> {
  try {
    return await emiDetails(tx, actor, { customer_id });
  } catch (error) {
    if (error instanceof KistError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
