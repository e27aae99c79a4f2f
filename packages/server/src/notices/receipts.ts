import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import { machineTextSchema } from '@kist/contract/fields';
import type { Database } from '#server/platform/database.ts';
import type { Notices } from './notices.ts';
import { parseReference } from './sender.ts';

/** A gateway may say more than this; it is left out. */
const receiptSchema = z.object({
  message_id: machineTextSchema(200).optional(),
  reference: machineTextSchema(80),
  status: z.enum(['delivered', 'failed']),
  delivered_at: machineTextSchema(40).nullish(),
});
export type SmsReceipt = z.infer<typeof receiptSchema>;

const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * @param header `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`
 * @param secrets the present one and, while it is being changed, the one before
 * @returns whether one of the secrets signed exactly these bytes. Time is not judged: a receipt changes something once, however old it is.
 */
export function isSignedReceipt(header: string, body: Buffer, secrets: readonly string[]): boolean {
  const [, t, v1] = HEADER.exec(header) ?? [];
  if (!t || !v1) return false;
  const given = Buffer.from(v1, 'hex');
  let isOurs = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
    isOurs = timingSafeEqual(expected, given) || isOurs;
  }
  return isOurs;
}

/** @throws KistError INVALID_JSON, INVALID_INPUT */
export function readReceipt(body: Buffer): SmsReceipt {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new KistError('INVALID_JSON');
  }
  const parsed = receiptSchema.safeParse(value);
  if (!parsed.success) throw new KistError('INVALID_INPUT');
  return parsed.data;
}

/**
 * What the gateway says became of a message. Receipts come twice, late and out of order: a delivery counts once and no failure takes it back. The
 * moment is ours, when we learnt of it: a notice's days never run from a clock that is not.
 */
export async function takeReceipt(
  db: Pick<Database, 'transaction'>,
  notices: Pick<Notices, 'delivered' | 'failed'>,
  receipt: SmsReceipt,
): Promise<void> {
  const ours = parseReference(receipt.reference);
  if (!ours) return;
  const proof = {
    by: 'sms_gateway',
    status: receipt.status,
    message_id: receipt.message_id ?? null,
    told_at: receipt.delivered_at ?? null,
  };
  await db.transaction(ours.orgId, async (tx) => {
    if (receipt.status === 'delivered') await notices.delivered(tx, ours.noticeId, proof);
    else await notices.failed(tx, ours.noticeId, proof);
  });
}
