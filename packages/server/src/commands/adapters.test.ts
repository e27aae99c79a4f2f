import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { afterAll, beforeAll, expect } from 'vitest';
import { type GuardCloud, GuardPhone, createGuardCloud } from '@kist/simulator/measured';
import { reserveAt } from '#server/devices/enrolment.ts';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import { plantSpentKey } from '#test/factories.ts';
import { imeiOf, type TestPhone } from '#test/phone.ts';
import { vendorRoutes } from '#server/http/routes/vendors.ts';
import { type DeviceWorld, ORG, OTHER_ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as devices from '#server/devices/devices.ts';
import type { AdapterHarness, VendorHarness } from './adapter-suite-harness.ts';
import { describeAdapter, describeVendor } from './adapter-suite.ts';
import type { Adapter, Channel } from './adapter.ts';
import { createAndroidAgent } from './adapters/android-agent/android-agent.ts';
import { createGuard } from './adapters/guard/guard.ts';
import { create } from './commands.ts';
import { createDispatcher } from './dispatch.ts';
import { reconcile } from './reconcile.ts';

let world: DeviceWorld;
let cloud: Awaited<ReturnType<typeof startCloud>>;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  // What is carried is said by the tests.
  await world.dispatcher.stop();
  cloud = await startCloud();
});
afterAll(async () => {
  await cloud.close();
  await closeDeviceWorld(world);
});

type Common = Omit<
  AdapterHarness,
  | 'adapter'
  | 'dispatcher'
  | 'phone'
  | 'phoneActs'
  | 'vendor'
  | 'beside'
  | 'says'
  | 'digest'
  | 'revision'
  | 'end'
  | 'refused'
>;
const common: Common = {
  order: (phone, level) =>
    world.db.transaction(phone.orgId, async (tx) => {
      const lock = { level, cause: level > 0 ? ('debt' as const) : null, screen: null };
      const { revision } = await setDesired(tx, phone.deviceId, { lock });
      const type = level > 0 ? 'lock' : 'unlock';
      await create(tx, { deviceId: phone.deviceId, type, revision, reason: 'EMI_OVERDUE', requestedBy: null });
    }),
  oneShot: (phone, type) =>
    world.db.transaction(phone.orgId, (tx) =>
      create(tx, { deviceId: phone.deviceId, type, reason: 'CUSTOMER_REQUEST', requestedBy: null }),
    ),
  stateOf: async (commandId) => {
    const [row] = await world.db.asOwner<{ state: string; failCode: string | null; results: number }>(
      `select state, fail_code as "failCode", (result is not null)::integer as results from commands where command_id = $1`,
      [commandId],
    );
    return row!;
  },
  lastOrder: async ({ deviceId }) => {
    const [row] = await world.db.asOwner<{ state: string; failCode: string | null }>(
      `select state, fail_code as "failCode" from commands where device_id = $1 and type in ('lock', 'unlock') order by seq desc limit 1`,
      [deviceId],
    );
    return row!;
  },
  release: (phone) =>
    world.db.transaction(phone.orgId, async (tx) => {
      await devices.release(tx, SYSTEM(phone.orgId), phone.deviceId);
    }),
  lock: async (phone) =>
    (await world.db.read(phone.orgId, (tx) => devices.lockViews(tx, [phone.deviceId]))).get(phone.deviceId)!,
  waiting: async (phone) => {
    const [row] = await world.db.asOwner<{ nextInMs: number | null; why: string | null }>(
      `select (extract(epoch from next_at - kist_now()) * 1000)::float8 as "nextInMs", why from deliveries where enrolment_id = $1`,
      [phone.enrolmentId],
    );
    return row ?? { nextInMs: null, why: null };
  },
  hurry: async () => {
    await world.db.asOwner('update deliveries set next_at = kist_now() where next_at is not null');
  },
  reconcile: async () => {
    await world.db.asOwner(
      `update deliveries set asked_at = asked_at - interval '10 minutes' where asked_at is not null`,
    );
    await reconcile({ db: world.db, onReports: async () => undefined });
  },
  hasEnded: async ({ enrolmentId }) => {
    const rows = await world.db.asOwner('select from enrolments where enrolment_id = $1 and ended_at is not null', [
      enrolmentId,
    ]);
    return rows.length === 1;
  },
};
const ownEnrolment = async (deviceId: string): Promise<string> =>
  (
    await world.db.asOwner<{ id: string }>(
      'select enrolment_id as id from enrolments where device_id = $1 and ended_at is null and handle is null',
      [deviceId],
    )
  )[0]!.id;
let words = 0;
const besides: Pick<AdapterHarness, 'beside' | 'says' | 'digest' | 'revision' | 'end'> = {
  beside: async ({ orgId, deviceId }) => {
    const [row] = await world.db.asOwner<{ vendor: string; imei: string }>(
      `select e.vendor, d.imei1 as imei from enrolments e join devices d using (org_id, device_id)
       where e.device_id = $1 and e.ended_at is null and e.in_charge`,
      [deviceId],
    );
    const { vendor, imei } = row!;
    if (vendor !== 'android-agent') {
      const { body } = await world.phone(imei).enrol(await world.token(deviceId), { serial: `S${imei}` });
      expect(body).toMatchObject({ lock_strength: 'advisory' });
      return { orgId, deviceId, enrolmentId: await ownEnrolment(deviceId), vendor: 'android-agent' };
    }
    const handle = `beside-${deviceId}`;
    await world.db.transaction(orgId, (tx) => reserveAt(tx, world.actor, { deviceId, vendor: 'guard', handle }));
    const { enrolmentId } = await world.plane.begun(orgId, 'guard', handle);
    return { orgId, deviceId, enrolmentId, vendor: 'guard' };
  },
  digest: async ({ deviceId }) => {
    const [row] = await world.db.asOwner<{ digest: Buffer }>(
      'select document_digest as digest from device_desired where device_id = $1',
      [deviceId],
    );
    return row!.digest.toString('hex');
  },
  says: ({ orgId, deviceId, enrolmentId }, word) =>
    world.plane.observe({
      channel: { orgId, deviceId, enrolmentId },
      moment: { boots: 1000, ms: (words += 1) },
      ...word,
      highestSeq: 0,
    }),
  revision: async ({ deviceId }) => {
    const [row] = await world.db.asOwner<{ revision: string }>(
      'select revision from device_reports where device_id = $1',
      [deviceId],
    );
    return Number(row!.revision);
  },
  end: (phone) => world.plane.ended(phone, 'no such phone'),
};
const dispatcherOf = (adapter: Adapter) =>
  createDispatcher({
    db: world.db,
    adapters: [adapter],
    ports: world.plane,
    changed: () => undefined,
    onError: (error) => {
      throw error;
    },
  });

describeAdapter('android-agent', () => {
  const phones = new Map<string, TestPhone>();
  const called = new Set<string>();
  /** Phones that say of the next order that they never will. */
  const refusing = new Set<string>();
  const adapter = createAndroidAgent({ signal: (ids) => ids.forEach((id) => called.add(id)) });
  return {
    ...common,
    ...besides,
    adapter,
    dispatcher: dispatcherOf(adapter),
    phone: async () => {
      const { deviceId, phone } = await world.enrolledPhone();
      phones.set(deviceId, phone);
      await phone.checkin();
      return { orgId: ORG, deviceId, enrolmentId: await ownEnrolment(deviceId) };
    },
    refused: (phone) => {
      refusing.add(phone.deviceId);
      return common.oneShot(phone, 'reboot');
    },
    phoneActs: async ({ deviceId }) => {
      if (!called.delete(deviceId)) return;
      const phone = phones.get(deviceId)!;
      await phone.checkin();
      if (phone.acks.length > 0 && refusing.delete(deviceId))
        phone.acks = phone.acks.map(({ id, seq }) => ({ id, seq, status: 'failed', code: 'NOT_ALLOWED_HERE' }));
      await phone.checkin();
    },
  };
});

const tenantOf = (org: number, port: number) => ({
  id: `org-${org}`,
  client_id: `client-${org}`,
  client_secret: `secret-of-${org}`,
  webhook_url: `http://127.0.0.1:${port}/hooks/guard/${org}`,
  webhook_secret: `webhooks-of-${org}-0123456789`,
});

/** The vendor's cloud over real HTTP, our door for its webhooks, and phones that know only the cloud. */
async function startCloud() {
  const http = fastify();
  let kept: Parameters<typeof createGuardCloud>[0]['kept'];
  const held: { adapter?: Adapter } = {};
  vendorRoutes(http, [
    {
      routes: [ORG, OTHER_ORG].map((org) => ({
        method: 'POST' as const,
        path: `/hooks/guard/${org}`,
        handle: (request) => held.adapter!.routes!.find(({ path }) => path.endsWith(`/${org}`))!.handle(request),
      })),
    },
  ]);
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as { port: number };
  const tenants = [ORG, OTHER_ORG].map((org) => tenantOf(org, port));
  const open = (): GuardCloud =>
    createGuardCloud({
      tenants,
      factoryKey: 'factory',
      completeAfterMs: 15,
      webhookRetryMs: 50,
      webhookGatherMs: 60,
      ...(kept && { kept }),
      onChange: (now) => (kept = now),
    });
  let running = open();
  const at = await running.listen(0);
  const adapter = createGuard({
    url: `http://127.0.0.1:${at}`,
    tenants: tenants.map((one, index) => ({
      orgId: [ORG, OTHER_ORG][index]!,
      clientId: one.client_id,
      clientSecret: one.client_secret,
      webhookSecret: one.webhook_secret,
    })),
    ports: world.plane,
  });
  held.adapter = adapter;
  return {
    adapter,
    cloud: () => running,
    url: `http://127.0.0.1:${at}`,
    restart: async (losing?: 'calls') => {
      await running.stop();
      kept = structuredClone(kept);
      // What it had to say is lost with it: nobody says it again.
      if (kept) kept.events = [];
      if (kept && losing) kept.transactions = kept.transactions.filter(({ open: items }) => items.length === 0);
      running = open();
      await running.listen(at);
    },
    forget: async (handle: string) => {
      await running.stop();
      kept = structuredClone(kept!);
      kept.devices = kept.devices.filter((one) => one.device_id !== handle);
      running = open();
      await running.listen(at);
    },
    /** Nothing is under way in it: bulk calls are done, webhooks taken. */
    isQuiet: () =>
      !kept || (kept.events.length === 0 && kept.transactions.every(({ open: items }) => items.length === 0)),
    close: async () => {
      await running.stop();
      await http.close();
    },
  };
}

/** No two phones of this file are one, whichever harness they are of. */
let guardPhones = 900_000;
/** Turns of 5 ms: what half a bulk call leaves open stays open; everything else ends, on a slow machine too. */
const TURNS = { partial: 60, whole: 2000 };

const guardHarness = (): AdapterHarness & { vendor: VendorHarness } => {
  const { adapter } = cloud;
  const phones = new Map<string, { phone: GuardPhone; handle: string }>();
  const enrol = async (orgId: number): Promise<Channel> => {
    const imei = imeiOf((guardPhones += 1));
    const customerId = randomUUID();
    const deviceId = await registered(orgId, customerId, imei);
    while ((await world.plane.reserve(adapter, SYSTEM(orgId), deviceId)).offer !== 'reserved')
      await new Promise((resolve) => setTimeout(resolve, 20));
    const phone = new GuardPhone({
      cloudUrl: cloud.url,
      imei,
      serial: `S${imei}`,
      secret: cloud.cloud().secretOf(imei, `S${imei}`),
      sims: [{ slot: 0, iccid: '8991000000000000001', operator: 'Jio' }],
    });
    await phone.settle();
    const enrolmentId = await poll(async () => {
      const [row] = await world.db.asOwner<{ id: string; handle: string }>(
        'select enrolment_id as id, handle from enrolments where device_id = $1 and ended_at is null',
        [deviceId],
      );
      if (row) phones.set(deviceId, { phone, handle: row.handle });
      return row?.id;
    });
    await dispatcher.drain();
    await acts({ deviceId });
    return { orgId, deviceId, enrolmentId };
  };
  /** On a day on which it does not end, not for ever. */
  const quiet = async (): Promise<void> => {
    const turns = cloud.cloud().faults().completes_partially ? TURNS.partial : TURNS.whole;
    for (let turn = 0; turn < turns && !cloud.cloud().faults().is_down; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (cloud.isQuiet()) return;
    }
  };
  /** Until the cloud said what its phone did: its bulk calls and webhooks take their time. */
  const acts = async ({ deviceId }: Pick<Channel, 'deviceId'>): Promise<void> => {
    await quiet();
    await phones.get(deviceId)!.phone.settle();
    await quiet();
    await world.plane.whenQuiet();
  };
  const dispatcher = dispatcherOf(adapter);
  const fault = (change: Parameters<GuardCloud['setFaults']>[0]) => cloud.cloud().setFaults(change);
  const recordOf = ({ deviceId }: Channel) =>
    cloud
      .cloud()
      .devices()
      .find((one) => one.device_id === phones.get(deviceId)!.handle);
  return {
    ...common,
    ...besides,
    adapter,
    dispatcher,
    phone: () => enrol(ORG),
    phoneActs: acts,
    refused: (phone) => common.oneShot(phone, 'reboot'),
    vendor: {
      setDown: (is_down) => fault({ is_down }),
      setDropping: (drops_answers) => fault({ drops_answers }),
      setConfused: (is) => fault({ sends_twice: is, reverses_webhooks: is }),
      setPartial: (completes_partially) => fault({ completes_partially }),
      setLimited: (rate_limits) => fault({ rate_limits }),
      setFull: (is_full) => fault({ is_full }),
      setRefusing: (refuses_targets) => fault({ refuses_targets }),
      restart: (losing) => cloud.restart(losing),
      forget: ({ deviceId }) => cloud.forget(phones.get(deviceId)!.handle),
      isLocked: ({ deviceId }) => phones.get(deviceId)!.phone.isLocked(),
      isReleased: async (phone) => recordOf(phone)?.state === 'removed',
      foreignPhone: () => enrol(OTHER_ORG),
    },
  };
};

async function registered(orgId: number, customerId: string, imei: string): Promise<string> {
  const [owner] = await world.db.asOwner<{ id: string }>('select user_id as id from users where org_id = $1 limit 1', [
    orgId,
  ]);
  await world.db.asOwner(
    `insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at) values ($1, $2, $3, 0, now(), now())`,
    [orgId, customerId, owner!.id],
  );
  await plantSpentKey(world.db, orgId, customerId, owner!.id);
  return world.db.transaction(orgId, (tx) =>
    devices.create(tx, SYSTEM(orgId), {
      customerId,
      provisioningType: 0,
      imei1: imei,
      serial: `S${imei}`,
      brand: 'Acme',
      model: 'Two',
    }),
  );
}

async function poll<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 100; turn += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('waited in vain');
}

describeAdapter('guard', guardHarness);
describeVendor('guard', guardHarness);
