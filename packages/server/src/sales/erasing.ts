import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { Erasure } from '@kist/contract/privacy';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as commands from '#server/commands/commands.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { forgetRepliesAbout } from '#server/platform/idempotency.ts';
import { assertNamesNobody } from './names-nobody.ts';

interface OfCustomer {
  customer_id: string;
}

/** A financial year ends with March; the books of one are kept for eight more. */
export function keptUntil(day: IsoDate): { evidence_until: IsoDate; books_until: IsoDate } {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const yearEnds = month >= 4 ? year + 1 : year;
  const later = (years: number, rest: string) => `${years}${rest}` as IsoDate;
  // The 29th of February has no anniversary.
  const rest = day.slice(4) === '-02-29' ? '-03-01' : day.slice(4);
  return {
    evidence_until: later(year + LIMITS.evidenceKeptYears, rest),
    books_until: later(yearEnds + LIMITS.booksKeptYears, '-03-31'),
  };
}

async function refusedFor(tx: Tx, customer: customers.AuthorizedCustomer): Promise<Erasure['refused']> {
  const { customer_id } = customer;
  if (customer.is_draft) return 'DRAFT';
  if ((await agreements.ofCustomer(tx, { customer_id }))?.state === 'active') return 'AGREEMENT_RUNS';
  if (await payments.isClaimOpen(tx, { customer_id })) return 'CLAIM_OPEN';
  if (await payments.isOwedBack(tx, { customer_id })) return 'REFUND_OPEN';
  const leftOpen = await locking.openOfLocks(tx, { customer_id });
  if (leftOpen !== null) return leftOpen;
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  return phone && (await devices.isSetUp(tx, phone, customer.status)) ? 'PHONE_SET_UP' : null;
}

async function standing(tx: Tx, customer: customers.AuthorizedCustomer): Promise<Erasure> {
  const { customer_id } = customer;
  const done = await customers.erasureOf(tx, customer);
  if (!done)
    return { customer_id, erased_at: null, refused: await refusedFor(tx, customer), ...keptUntil(await today(tx)) };
  const { erased_at, evidence_until, books_until } = done;
  return { customer_id, erased_at: erased_at.toISOString(), refused: null, evidence_until, books_until };
}

/** Whether a customer can be erased now, what stays and until when. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED */
export async function previewErasure(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<Erasure> {
  identity.requires(actor, NEEDS.activate);
  return standing(tx, await customers.authorize(tx, actor, { customer_id }));
}

async function forgetWords(tx: Tx, of: OfCustomer): Promise<void> {
  await locking.forgetWordsAbout(tx, of);
  await commands.forgetNotesAbout(tx, of);
  await payments.forgetWordsAbout(tx, of);
}

/**
 * Erases a customer for good, at the customer's own word or the shop's: name, numbers, address, pictures, places, what was said in complaints and rests, and the
 * login. Books and proofs stay as long as the law says, and name nobody any more but by the number that a consent's code went to. Said again it answers the
 * same, and lets go of pictures and words that came since, when that was not refused yet. A reason stays in the history, so it may not say the name that goes.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED; STATE_CONFLICT with what stands in the way; INVALID_INPUT for a reason that says whom it is about
 */
export async function eraseCustomer(
  tx: Tx,
  actor: Actor,
  { customer_id, reason }: OfCustomer & { reason?: string },
): Promise<Erasure> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  const found = await standing(tx, customer);
  if (found.erased_at !== null) {
    await documents.letGoOfErased(tx, actor, { customer_id });
    await forgetWords(tx, { customer_id });
    return found;
  }
  if (found.refused !== null) throw new KistError('STATE_CONFLICT', { details: { refused: found.refused } });
  if (reason !== undefined) assertNamesNobody(reason, customer);
  await customers.erase(tx, actor, { customer, reason, ...keptUntil(await today(tx)) });
  await documents.letGoOfErased(tx, actor, { customer_id });
  await forgetWords(tx, { customer_id });
  await devices.forgetTracesOf(tx, { customer_id });
  await forgetRepliesAbout(tx, customer_id);
  return standing(tx, customer);
}
