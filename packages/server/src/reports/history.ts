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
