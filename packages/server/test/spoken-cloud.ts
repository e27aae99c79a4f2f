import { createHmac, randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DesiredPolicy } from '@kist/contract/agent';
import type { Adapter, Delivery, VendorPorts } from '#server/commands/adapter.ts';
import { createGuard } from '#server/commands/adapters/guard/guard.ts';
import { createDispatcher } from '#server/commands/dispatch.ts';
import { setDesired } from '#server/devices/desired.ts';
import { reserveAt } from '#server/devices/enrolment.ts';
import { type DeviceWorld, ORG } from './device-world.ts';

export interface Said {
  status?: number;
  headers?: Record<string, string>;
  /** Text goes out as it is, anything else as JSON. */
  body: unknown;
}
/** The parts of bulk calls that tests look at. */
export interface Asked {
  request_id: string;
  items: readonly { device_id: string; target: { locked: boolean } }[];
}
/** What is answered to calls that begin so, the first that fits; everything else is not known. */
export type Answers = Record<string, (path: string, body: Asked, headers: IncomingHttpHeaders) => Said | Promise<Said>>;

const WEBHOOK_SECRET = 'w';
const TOKEN = { body: { access_token: 't', expires_in: 1800 } };
const servers: { close: () => void }[] = [];
export const closeClouds = (): void => servers.splice(0).forEach((server) => server.close());

/** A cloud over real HTTP that says what it is told to say, and our adapter with an account there. */
export async function spokenCloud(orgId: number, answers: Answers, ports: VendorPorts) {
  const calls: { of: string; body: Asked }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const of = `${request.method} ${request.url!.replace('/guard/v1', '')}`;
        const given = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked;
        const [, answer] = Object.entries(answers).find(([start]) => of.startsWith(start)) ?? [];
        const isToken = of.endsWith('/oauth/token');
        if (!isToken) calls.push({ of, body: given });
        const unknown = isToken ? TOKEN : { status: 404, body: { code: 'NOT_FOUND' } };
        const { status = 200, headers, body }: Said = (await answer?.(of, given, request.headers)) ?? unknown;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const adapter = createGuard({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tenants: [{ orgId, clientId: 'c', clientSecret: 's', webhookSecret: WEBHOOK_SECRET }],
    ports,
  });
  /** The cloud's word at our door, signed as it signs. @returns the status of our answer */
  const says = async (event: object): Promise<number> => {
    const body = Buffer.from(JSON.stringify({ event_id: randomUUID(), at: new Date().toISOString(), ...event }));
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', WEBHOOK_SECRET).update(`${t}.`).update(body).digest('hex');
    const answer = await adapter.routes![0]!.handle({ body, headers: { 'x-guard-signature': `t=${t},v1=${v1}` } });
    return answer.status;
  };
  return { adapter, calls, asked: () => calls.map(({ of }) => of), says };
}

/** A cloud without a database behind our adapter: what the plane would say of any phone, and which of them were heard of. */
export async function anyCloud(answers: Answers) {
  const observed: string[] = [];
  const ports = {
    channel: async (orgId: number, _vendor: string, handle: string) => ({
      orgId,
      deviceId: handle,
      enrolmentId: handle,
      operation: null,
      revision: 2,
      level: 0,
      isLetGo: false,
    }),
    observe: async ({ channel }: { channel: { deviceId: string } }) => observed.push(channel.deviceId),
    nowMs: async () => Date.now(),
  };
  return { ...(await spokenCloud(1, answers, ports as never)), observed };
}

/** Of a phone of `anyCloud`. @param given the revision that the cloud was last given; null: none yet */
export const deliveryOf = (handle: string, given: number | null, level: 0 | 1 | 2 | 3 | 4 = 0): Delivery => ({
  orgId: 1,
  deviceId: handle,
  enrolmentId: handle,
  handle,
  provisioning: 'DPC',
  orders: [],
  desired: {
    revision: 2,
    policy: { lock: { level, cause: level > 0 ? 'debt' : null, screen: null }, released: false } as DesiredPolicy,
  },
  before: { revision: given, operation: given === null ? null : 'o', tries: 1 },
});

/** Phones of the real database whose only channel is the guard cloud's, and a cloud that says what it is told to. */
export function guardActs(worldNow: () => DeviceWorld) {
  const asOwner = <Row>(text: string, values?: unknown[]) => worldNow().db.asOwner<Row & object>(text, values);
  const dispatcherOf = (adapter: Adapter) =>
    createDispatcher({
      db: worldNow().db,
      adapters: [adapter],
      ports: worldNow().plane,
      changed: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
  return {
    cloud: async (answers: Answers) => {
      const cloud = await spokenCloud(ORG, answers, worldNow().plane);
      return { ...cloud, drain: () => dispatcherOf(cloud.adapter).drain() };
    },
    /** The cloud keeps it, and was given nothing yet. */
    phone: async () => {
      const { db, plane, actor, register } = worldNow();
      const { deviceId } = await register();
      const handle = `g-${deviceId}`;
      await db.transaction(ORG, (tx) => reserveAt(tx, actor, { deviceId, vendor: 'guard', handle }));
      const { enrolmentId } = await plane.begun(ORG, 'guard', handle);
      return { orgId: ORG, deviceId, enrolmentId, handle };
    },
    level: async (deviceId: string, level: 0 | 2 | 4): Promise<number> => {
      const lock = { level, cause: level > 0 ? ('debt' as const) : null, screen: null };
      const { revision } = await worldNow().db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lock }));
      return revision;
    },
    /** What waits for a time is carried now. */
    hurry: () => asOwner('update deliveries set next_at = kist_now() where next_at is not null'),
    /** Not confirmed for long: it is carried once more, which asks. */
    again: (deviceId: string) =>
      asOwner('update deliveries set next_at = kist_now(), priority = 1 where device_id = $1', [deviceId]),
    waiting: async (deviceId: string) =>
      (
        await asOwner<{ inS: number | null; tries: number; why: string | null; operation: string | null }>(
          `select extract(epoch from next_at - kist_now())::float8 as "inS", tries, why, operation from deliveries where device_id = $1`,
          [deviceId],
        )
      )[0],
    report: async (deviceId: string) =>
      (
        await asOwner<{ revision: number; level: number }>(
          'select revision::integer, lock_level as level from device_reports where device_id = $1',
          [deviceId],
        )
      )[0],
    isLive: async (enrolmentId: string): Promise<boolean> =>
      (await asOwner('select from enrolments where enrolment_id = $1 and ended_at is null', [enrolmentId])).length > 0,
  };
}
