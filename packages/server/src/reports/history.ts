import { NEEDS } from '@kist/contract/access';
import type { auditEndpoints, History } from '@kist/contract/audit';
import { LIMITS } from '@kist/contract/limits';
import type { ReplyOf } from '@kist/contract/endpoint';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

type Roots = ReplyOf<typeof auditEndpoints.getAuditRoots>;
type CustomerHistory = ReplyOf<typeof auditEndpoints.getCustomerHistory>;

const asSent = (root: audit.Root): Roots['roots'][number] => ({ ...root, at: root.at.toISOString() });

/** The published roots of the caller's organisation, a page of them. */
export async function auditRoots(tx: Tx, { before }: { before?: string | undefined }): Promise<Roots> {
  const roots = await audit.roots(tx, { before, limit: LIMITS.auditRoots });
  return {
    roots: roots.map(asSent),
    next_before: roots.length < LIMITS.auditRoots ? null : (roots.at(-1)?.day ?? null),
  };
}

/** What an organisation publishes of its audit: roots, the newest first, and when the histories were last held against them. */
export interface PublicAudit extends Roots {
  checked_at: string | null;
  /** Histories, or roots, that did not fit then. */
  missing: number;
}

/** @param page.before only roots of earlier days */
export async function publicAudit(tx: Tx, page: { before?: string | undefined }): Promise<PublicAudit> {
  const check = await audit.lastCheck(tx);
  return {
    ...(await auditRoots(tx, page)),
    checked_at: check?.checked_at.toISOString() ?? null,
    missing: check?.faults ?? 0,
  };
}

/**
 * Whether what was done to a customer, the agreement and the phone is told without a gap.
 * @throws KistError NOT_FOUND
 */
export async function customerHistory(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<CustomerHistory> {
  identity.requires(actor, NEEDS.read);
  await customers.authorize(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  const [last] = await audit.roots(tx, { limit: 1 });
  const check = await audit.lastCheck(tx);
  return {
    histories: [
      await historyOf(tx, 'customer', customer_id),
      ...(agreement ? [await historyOf(tx, 'agreement', agreement.agreement_id)] : []),
      ...(phone ? [await historyOf(tx, 'device', phone.deviceId)] : []),
    ],
    last_root: last ? asSent(last) : null,
    checked_at: check?.checked_at.toISOString() ?? null,
    is_complete: check?.faults === 0,
  };
}

async function historyOf(tx: Tx, kind: History['kind'], id: string): Promise<History> {
  const { ok, bad_seq } = await audit.verify(tx, kind, id);
  const { lines, last_at, rooted_on, rooted_lines } = await audit.extent(tx, kind, id);
  return {
    kind,
    id,
    lines,
    last_at: last_at?.toISOString() ?? null,
    // A root that knows more lines than there are: some were taken off the end.
    is_whole: ok && rooted_lines <= lines,
    bad_seq: ok ? (rooted_lines > lines ? lines + 1 : null) : (bad_seq ?? null),
    rooted_on,
    rooted_lines,
  };
}

/** A history as who verifies it is told: exactly what is gone, and what there is but does not fit. */
export interface VerifiedHistory {
  kind: audit.AuditKind;
  id: string;
  lines: number;
  rooted_on: string | null;
  rooted_lines: number;
  /** Lines that are gone; all of them where the whole history is. */
  missing: audit.MissingLines[];
  /** The first line that does not fit. */
  bad_seq: number | null;
}

export async function verifiedHistory(tx: Tx, kind: audit.AuditKind, id: string): Promise<VerifiedHistory> {
  const { lines, rooted_on, rooted_lines } = await audit.extent(tx, kind, id);
  const missing = await audit.missingLines(tx, kind, id);
  const { bad_seq } = await audit.verify(tx, kind, id);
  return { kind, id, lines, rooted_on, rooted_lines, missing, bad_seq: bad_seq ?? null };
}

/** The histories of the phone that bears this number, its customer and its agreements; none where no phone bears it. */
export async function verifiedPhone(tx: Tx, imei: string): Promise<VerifiedHistory[]> {
  const found: VerifiedHistory[] = [];
  for (const { kind, id } of await store.historiesOfImei.all(tx, { imei }))
    found.push(await verifiedHistory(tx, kind, id));
  return found;
}
