import { generateKeyPairSync, randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { PROVISIONING } from '@kist/contract/codes';
import type { CommandState } from '@kist/contract/commands';
import type { LockView } from '@kist/contract/customers';
import { groupedSetupCode } from '@kist/contract/setup-code';
import type { AgentPlane } from '#server/commands/adapter.ts';
import { MAKER } from './phone-maker.ts';
import { createAgentPlane } from '#server/commands/adapters/android-agent/agent-plane.ts';
import { createCodes, redeem, typedCode } from '#server/devices/codes.ts';
import type { DeviceChange } from '#server/devices/changes.ts';
import { create, freshToken, lockViews } from '#server/devices/devices.ts';
import { createOffer } from '#server/commands/adapters/android-agent/offer.ts';
import { type Plane, createPlane } from '#server/commands/plane.ts';
import type { Enrolled } from '#server/devices/enrolment.ts';
import { type ServerKey, createServerKey } from '#server/commands/adapters/android-agent/server-key.ts';
import { createAndroidAgent } from '#server/commands/adapters/android-agent/android-agent.ts';
import { type Dispatcher, createDispatcher } from '#server/commands/dispatch.ts';
import { NO_PHONE, type Waker, createWaker } from '#server/commands/wake.ts';
import { changeStatus } from '#server/customers/customers.ts';
import { agentRoutes } from '#server/http/routes/agent.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import type { TestDatabase } from './database.ts';
import { plantSpentKey } from './factories.ts';
import { testSealer } from './sealer.ts';
import { type TestPhone, createPhone, imeiOf } from './phone.ts';

export const ORG = 20;
export const OTHER_ORG = 21;

export interface DeviceWorld {
  db: TestDatabase;
  http: FastifyInstance;
  key: ServerKey;
  plane: Plane;
  agents: AgentPlane;
  dispatcher: Dispatcher;
  waker: Waker;
  actor: Actor;
  /** What the agent plane told the rest of the house. */
  enrolled: Enrolled[];
  changes: DeviceChange[];
  disputes: { deviceId: string; text: string }[];
  /** Phones that their vendor knows no more. */
  gone: string[];
  /** What was told of vendors that refuse an account, and why; null: that one is well again. */
  accounts: (string | null)[];
  /** Phones whose number another enrolment bore. */
  elsewhere: string[];
  /** A customer's phone, registered. */
  register(options?: {
    provisioningType?: number;
    imei?: string;
    customerId?: string;
  }): Promise<{ deviceId: string; customerId: string; imei: string }>;
  token(deviceId: string): Promise<string>;
  /** A fresh code as it is typed. */
  typedCode(deviceId: string): Promise<string>;
  phone(imei: string): TestPhone;
  /** Registered and enrolled. */
  enrolledPhone(): Promise<{ deviceId: string; customerId: string; phone: TestPhone }>;
}

const PROGRAM = {
  serverUrl: 'http://127.0.0.1',
  component: 'in.kist.agent/.Admin',
  packageUrl: 'http://127.0.0.1/agent.apk',
  signatureChecksum: 'checksum',
};
let serial = 0;

/** The device plane on a real database with two organisations, and the rest of the house listening. */
export async function createDeviceWorld(db: TestDatabase): Promise<DeviceWorld> {
  const ownerId = randomUUID();
  for (const org of [ORG, OTHER_ORG]) {
    await db.asOwner('insert into org_directory (org_id, slug, name) values ($1, $2, $3)', [
      org,
      `org-${org}`,
      `Org ${org}`,
    ]);
    await db.asOwner('insert into organisations (org_id, org_name, company_name) values ($1, $2, $2)', [
      org,
      `Org ${org}`,
    ]);
    await db.asOwner(
      `insert into users (org_id, user_id, user_type, mobile, first_name) values ($1, $2, 'retailer', '+919800000001', 'Asha')`,
      [org, ownerId],
    );
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = createServerKey(privateKey);
  const offerOf = createOffer(key, PROGRAM);
  const errors: unknown[] = [];
  const waker = createWaker(db, (error) => errors.push(error));
  const enrolled: Enrolled[] = [];
  const changes: DeviceChange[] = [];
  const disputes: { deviceId: string; text: string }[] = [];
  const gone: string[] = [];
  const accounts: (string | null)[] = [];
  const elsewhere: string[] = [];
  const plane = createPlane({
    db,
    waker,
    onEnrolled: async (tx, event) => {
      enrolled.push(event);
      const told = { customer_id: event.customerId, status: 1, reason: 'phone set up' };
      await changeStatus(tx, SYSTEM(ORG), told);
    },
    onElsewhere: async (_tx, deviceId) => void elsewhere.push(deviceId),
    onReports: async (_tx, given) => void changes.push(...given),
    onDispute: async (_tx, dispute) => void disputes.push(dispute),
    onGone: async (_tx, { deviceId }) => void gone.push(deviceId),
    onAccount: async (_tx, { refusedFor }) => void accounts.push(refusedFor),
    onError: (error) => errors.push(error),
  });
  const http = fastify();
  const agents = createAgentPlane({ db, key, ear: waker, plane, attests: MAKER.attests });
  const dispatcher = createDispatcher({
    db,
    adapters: [createAndroidAgent({ signal: (ids) => waker.signal('wake', ids) })],
    ports: plane,
    changed: (ids) => waker.signal('changed', ids),
    onError: (error) => errors.push(error),
  });
  waker.on('queued', NO_PHONE, dispatcher.nudge);
  dispatcher.start();
  const codes = createCodes(testSealer, offerOf, ['DPC', 'LINKFL']);
  agentRoutes(http, agents, undefined, (asked) => redeem(db, codes, asked));
  await http.ready();
  const actor: Actor = { ...SYSTEM(ORG), userId: ownerId, userType: 'retailer', visibleOwnerIds: [ownerId] };

  const world: DeviceWorld = {
    db,
    http,
    key,
    plane,
    agents,
    dispatcher,
    waker,
    actor,
    enrolled,
    changes,
    disputes,
    gone,
    accounts,
    elsewhere,
    register: async ({
      provisioningType = PROVISIONING.DPC,
      imei = imeiOf(++serial),
      customerId = randomUUID(),
    } = {}) => {
      await db.asOwner(
        `insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at) values ($1, $2, $3, 0, now(), now()) on conflict do nothing`,
        [ORG, customerId, ownerId],
      );
      await plantSpentKey(db, ORG, customerId, ownerId);
      const deviceId = await db.transaction(ORG, (tx) =>
        create(tx, actor, { customerId, provisioningType, imei1: imei, brand: 'Acme', model: 'One' }),
      );
      return { deviceId, customerId, imei };
    },
    token: (deviceId) => db.transaction(ORG, async (tx) => (await freshToken(tx, actor, deviceId, offerOf)).token),
    typedCode: (deviceId) =>
      db.transaction(ORG, async (tx) => {
        const { token } = await codes.fresh(tx, actor, deviceId);
        return groupedSetupCode(typedCode(ORG, token)!);
      }),
    phone: (imei) => createPhone(http, key.spki, imei),
    enrolledPhone: async () => {
      const { deviceId, customerId, imei } = await world.register();
      const phone = world.phone(imei);
      const answer = await phone.enrol(await world.token(deviceId), { serial: `S${imei}` });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return { deviceId, customerId, phone };
    },
  };
  return world;
}

export async function closeDeviceWorld({ http, waker, plane, dispatcher }: DeviceWorld): Promise<void> {
  await dispatcher.stop();
  await http.close();
  await plane.whenQuiet();
  await waker.close();
}

/** The state of one order as it is kept. */
export async function commandState(db: TestDatabase, commandId: string): Promise<CommandState> {
  const [row] = await db.asOwner<{ state: CommandState }>('select state from commands where command_id = $1', [
    commandId,
  ]);
  return row!.state;
}

/** The lock of one phone as the app is shown it. */
export async function lockOfPhone(db: TestDatabase, deviceId: string): Promise<LockView> {
  return (await db.read(ORG, (tx) => lockViews(tx, [deviceId]))).get(deviceId)!;
}
