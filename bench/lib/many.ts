import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, appHeaders, dataOf } from './client.ts';
import { idOf, tokenOf } from './plant.ts';

export const BULK_PATH = '/api/device/bulk';
/** Between two looks at how far an order is: far below what is measured, and a query of one row. */
const LOOK_EVERY_MS = 20;
const WITHIN_MS = 300_000;

/** Orders every phone of a planted fleet to be locked or freed for money. @returns the order's id, and seconds from the request to its reply */
export async function askMany(
  http: Connection,
  { orgId, phones }: { orgId: number; phones: number },
  command: 'lock' | 'unlock',
): Promise<{ batchId: string; seconds: number }> {
  const startedAt = performance.now();
  const customer_ids = Array.from({ length: phones }, (_one, n) => idOf(orgId, 'customer', n + 1));
  const body = JSON.stringify({ command, reason: 'EMI_OVERDUE', customer_ids });
  const headers = { ...appHeaders(BULK_PATH, tokenOf(orgId, 1)), 'idempotency-key': crypto.randomUUID() };
  const reply = await http.send({ method: 'POST', path: BULK_PATH, headers, body, timeoutMs: WITHIN_MS });
  const { batch_id: batchId } = dataOf<{ batch_id: string }>(reply);
  return { batchId, seconds: (performance.now() - startedAt) / 1000 };
}

/** Waits until its last part is durable. @param allowed how many phones it must have locked or freed; undefined: that is not known */
export async function whenCarriedOut(client: pg.Client, batchId: string, allowed: number | undefined): Promise<void> {
  const giveUpAt = performance.now() + WITHIN_MS;
  for (;;) {
    const { rows } = await client.query<{ state: string; allowed: number }>(
      'select state, allowed from batches where batch_id = $1',
      [batchId],
    );
    const [batch] = rows;
    if (batch?.state === 'done') {
      if (allowed !== undefined && batch.allowed !== allowed)
        throw new Error(`${batch.allowed} of ${allowed} phones were carried out`);
      return;
    }
    if (batch?.state === 'stopped' || performance.now() > giveUpAt) throw new Error(`the order is ${batch?.state}`);
    await sleep(LOOK_EVERY_MS);
  }
}
