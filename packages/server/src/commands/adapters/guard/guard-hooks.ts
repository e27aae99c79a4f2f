import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import type { InboundRoute, KnownChannel, VendorPorts } from '#server/commands/adapter.ts';
import {
  type GuardClient,
  type GuardTenant,
  VENDOR,
  keptText,
  nothingUnknown,
  recordOf,
  transactionOf,
  versionSchema,
} from './guard-client.ts';
import { LET_GO_THERE, appliedAs, isAhead, observationOf, observed } from './guard-words.ts';

/** As old as a signature may be: it is made when the call is sent, also when it is repeated. */
const SIGNED_WITHIN_S = 300;
/** An item that the cloud could not carry out yet is carried again after this long. */
const AGAIN_MS = 60_000;

const eventSchema = z.object({
  event_id: keptText(100).min(1),
  type: z.string(),
  at: z.iso.datetime({ offset: true }),
  device_id: keptText(64).optional(),
  transaction_id: keptText(200).optional(),
  applied: z
    .object({ version: versionSchema, locked: z.boolean(), at: z.iso.datetime({ offset: true }).optional() })
    .nullish(),
});
type GuardEvent = z.output<typeof eventSchema>;

/** `x-guard-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`. */
function isSigned(secret: string, header: unknown, body: Buffer): boolean {
  const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? [];
  if (Math.abs(Number(t) - Date.now() / 1000) > SIGNED_WITHIN_S) return false;
  const wanted = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  const given = Buffer.from(v1, 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** One door for each tenant. What is signed and understood is answered with 200 once it is in our books, else the cloud says it again. */
export const guardRoutes = (
  tenants: readonly GuardTenant[],
  clientOf: (orgId: number) => GuardClient,
  ports: VendorPorts,
): InboundRoute[] =>
  tenants.map(({ orgId, webhookSecret }) => ({
    method: 'POST',
    path: `/hooks/guard/${orgId}`,
    handle: async ({ body, headers }) => {
      if (!isSigned(webhookSecret, headers['x-guard-signature'], body)) return { status: 400 };
      const event = eventSchema.safeParse(json(body)).data;
      if (!event || isAhead(await ports.nowMs(), event.at, event.applied?.at)) return { status: 400 };
      await hear(orgId, event, clientOf(orgId), ports);
      return { status: 200 };
    },
  }));

function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function hear(orgId: number, event: GuardEvent, client: GuardClient, ports: VendorPorts): Promise<void> {
  if (event.type === 'transaction.done') return transactionDone(orgId, event.transaction_id ?? '', client, ports);
  if (!event.device_id) return;
  if (event.type === 'device.enrolled') {
    await ports.begun(orgId, VENDOR, event.device_id).catch(unknownToUs);
    return;
  }
  const channel = await ports.channel(orgId, VENDOR, event.device_id);
  // A phone of another channel's time: nobody waits for its word.
  if (!channel) return;
  if (event.applied) {
    const { applied, at } = event;
    await ports.observe(observed(channel, applied.at ?? at, appliedAs(channel, { ...applied, at: applied.at ?? at })));
    // Also that it was let go: what is so stands in its record.
  } else await look(channel, event.device_id, client, ports);
}

/** A phone that we never asked for may be the tenant's own: not ours to hold. */
function unknownToUs(error: unknown): void {
  if (!(error instanceof KistError) || !['AGENT_UNKNOWN', 'STATE_CONFLICT'].includes(error.code)) throw error;
}

/** An answer that is not the protocol's says nothing: its phone is asked about again in time, and the word that led to it need not be said again. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof z.ZodError)) throw error;
}

async function look(channel: KnownChannel, handle: string, client: GuardClient, ports: VendorPorts): Promise<void> {
  const device = await recordOf(client, handle).catch(unreadable);
  const seen = device && observationOf(channel, device, await ports.nowMs());
  if (seen === 'gone') await ports.ended(channel, LET_GO_THERE);
  else if (seen && seen !== 'unknown') await ports.observe(seen);
}

/**
 * A bulk call is over: what the cloud could not do of it is done again, or is over for good. What it says of a phone that was not in it is nobody's answer:
 * a channel ends only when the cloud has no record of its phone either.
 */
async function transactionDone(orgId: number, id: string, client: GuardClient, ports: VendorPorts): Promise<void> {
  const call = await transactionOf(client, id).catch(nothingUnknown).catch(unreadable);
  for (const { device_id: handle, status, code = '' } of call?.results ?? []) {
    if (status === 'ok' || !handle) continue;
    const channel = await ports.channel(orgId, VENDOR, handle);
    if (!channel) continue;
    if (code === 'NOT_FOUND') {
      if (await isUnknown(client, handle)) await ports.ended(channel, code);
      // It has a newer one, or was released: what it is shows in its record.
    } else if (code === 'OLD_VERSION' || code === 'COMPLETED') await look(channel, handle, client, ports);
    else if (channel.operation === id) await ports.again(channel, { afterMs: AGAIN_MS, why: code });
  }
}

/** A record that cannot be read is one. */
async function isUnknown(client: GuardClient, handle: string): Promise<boolean> {
  try {
    return (await recordOf(client, handle).catch(nothingUnknown)) === undefined;
  } catch (error) {
    unreadable(error);
    return false;
  }
}
