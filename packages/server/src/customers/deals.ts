import { createHash } from 'node:crypto';

/** What a form says, or will: as its body was decoded. */
interface Said {
  device?: unknown;
  emi?: unknown;
  /** Whose loan it is; of the shop's own EMI none. */
  financer_id?: unknown;
}

/**
 * What somebody agrees to besides the clause: the phone, the terms and whose loan it is. What a form keeps is read from the same body as the sale, so that the
 * same deal has the same digest, whichever of both it is read from. A form that does not say it all yet is none that can be sold: its digest fits no sale.
 * @returns its SHA-256
 */
export function dealOf({ device, emi, financer_id }: Said): Buffer {
  const parts = [inOrder(device), inOrder(emi), ...(financer_id === undefined ? [] : [financer_id])];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** A database gives fields back in an order of its own. */
const inOrder = (part: unknown): [string, unknown][] | null =>
  part
    ? Object.entries(part)
        .filter(([, value]) => value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    : null;
