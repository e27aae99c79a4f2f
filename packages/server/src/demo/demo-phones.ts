import type { FastifyInstance } from 'fastify';
import { imeiSchema } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import type { Services } from '#server/compose.ts';
import * as devices from '#server/devices/devices.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import * as sales from '#server/sales/sales.ts';
import { DEMO_AGENT_PATH } from '@kist/contract/linked-phone';
import { DEMO_ORG } from './organisation.ts';
import * as store from './store.ts';

/** Serials of the phones that live in the lab. */
const LAB_SERIALS = Array.from({ length: 12 }, (_, index) => `KD${String(index + 1).padStart(6, '0')}`);

/** What a demo's phones install: they are simulated and run no package, a real phone refuses this one as unsigned. */
const DEMO_AGENT = Buffer.from(JSON.stringify({ agent: 'in.kist.agent', runs_on: 'simulated phones' }));

/**
 * GET /demo/phones: the lab's phones with a fresh provisioning QR each, as the shop would show it; GET /demo/phones/:imei/owner: whose a phone is, for the
 * lab's wall; and the agent's file where links and QRs of a demo say that it lies. Demo mode only.
 */
export function demoPhoneRoutes(fastify: FastifyInstance, db: Database, { agent }: Pick<Services, 'agent'>): void {
  const phones = () =>
    db.transaction(DEMO_ORG, async (tx) => {
      const rows = await store.phonesBySerial.all(tx, { serials: LAB_SERIALS });
      const list = [];
      for (const { device_id: deviceId, customer_id, provisioning_type: type, ...phone } of rows) {
        await sales.setKeyAside(tx, SYSTEM(DEMO_ORG), { customer_id });
        const { qr } = await devices.freshToken(tx, SYSTEM(DEMO_ORG), deviceId, agent.offerOf);
        list.push({ ...phone, agent: type === 2 ? 'LINKFL' : 'DPC', qr: JSON.stringify(qr) });
      }
      return list;
    });
  fastify.get('/demo/phones', phones);
  fastify.get<{ Params: { imei: string } }>('/demo/phones/:imei/owner', async ({ params }) => {
    const imei = imeiSchema.safeParse(params.imei);
    const owner = imei.success && (await db.read(DEMO_ORG, (tx) => store.ownerOfPhone.first(tx, { imei: imei.data })));
    if (!owner) throw new KistError('NOT_FOUND');
    return owner;
  });
  fastify.get(DEMO_AGENT_PATH, async (_request, reply) =>
    reply.type('application/vnd.android.package-archive').send(DEMO_AGENT),
  );
}
