import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, appHeaders, dataOf } from './client.ts';
import { idOf, tokenOf } from './plant.ts';

export const BULK_PATH = '/api/device/bulk';
/** Between two looks at how far an order is: far below what is measured, and a query of one row. */
const LOOK_EVERY_MS = 20;
const WITHIN_MS = 300_000;

/** The owner of the tables: for what people and time do to a lock of many. */
type Owner = Pick<pg.Client, 'query'>;

/**
 * Orders every phone of a planted fleet to be locked or freed for money, as a person must: a lock after its dry run, and with a second person's word where
 * the hour has no room for so many.
 * @returns the order's id, when the request went out, and seconds from it to its reply
 */
export async function askMany(
  http: Connection,
  owner: Owner,
  { orgId, phones }: { orgId: number; phones: number },
  command: 'lock' | 'unlock',
): Promise<{ batchId: string; startedAt: number; seconds: number }> {
  const customer_ids = Array.from({ length: phones }, (_one, n) => idOf(orgId, 'customer', n + 1));
  const send = async <T>(more: object): Promise<T> => {
    const body = JSON.stringify({ command, reason: 'EMI_OVERDUE', customer_ids, ...more });
    const headers = { ...appHeaders(BULK_PATH, tokenOf(orgId, 1)), 'idempotency-key': crypto.randomUUID() };
    return dataOf<T>(await http.send({ method: 'POST', path: BULK_PATH, headers, body, timeoutMs: WITHIN_MS }));
  };
  const { preview } = command === 'lock' ? await send<{ preview: string }>({ dry_run: true }) : {};
  const startedAt = performance.now();
  const { batch_id: batchId } = await send<{ batch_id: string }>({ preview });
  const seconds = (performance.now() - startedAt) / 1000;
  await owner.query(
    `update batches set state = 'asked', approved_by = gen_random_uuid() where batch_id = $1 and state = 'waiting'`,
    [batchId],
  );
  return { batchId, startedAt, seconds };
}

/** Waits until its last part is durable; that of the canary is over at once. @param allowed how many phones it must have locked or freed; undefined: that is not known */
export async function whenCarriedOut(client: pg.Client, batchId: string, allowed: number | undefined): Promise<void> {
  const giveUpAt = performance.now() + WITHIN_MS;
  const seconds = await client.query('select from batch_parts where batch_id = $1 and wave = 2 limit 1', [batchId]);
  let isCanary = seconds.rowCount === 1;
  for (;;) {
    if (isCanary) {
      const { rowCount } = await client.query(
        `update batch_parts set next_at = now() where batch_id = $1 and wave = 2 and next_at > now() and next_at <> 'infinity'`,
        [batchId],
      );
      isCanary = rowCount === 0;
    }
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
