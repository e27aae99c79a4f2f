import fastify, { type FastifyInstance } from 'fastify';
import { beforeAll } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { freshToken, deviceOfCustomer } from '#server/devices/devices.ts';
import { agentRoutes } from '#server/http/routes/agent.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as sales from '#server/sales/sales.ts';
import type { TestDatabase } from './database.ts';
import { giveKeys, imei, makeOrganisation } from './factories.ts';
import { type TestPhone, createPhone } from './phone.ts';
import { createServices, type TestServices } from './services.ts';

export const ORG = 20;

export interface Sold {
  customerId: string;
  imei: string;
}

export interface House {
  services: TestServices;
  http: FastifyInstance;
  inOrg<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  give(shop: Actor, keys: number): Promise<void>;
  /** Registers a customer with a phone, as the app does. */
  sell(shop: Actor): Promise<Sold>;
  /** What the app's 'make a QR' does. */
  codeFor(shop: Actor, sold: Sold): Promise<string>;
  phone(sold: Sold): TestPhone;
  close: () => Promise<void>;
}

let serial = 0;

/**
 * Every service wired as in production, on a real database, with the phones' door open: a shop registers, a phone scans, checks in and is acted on.
 * Call it at the top of a file; the house is there when its tests run, and closed after them.
 */
export function useHouse(db: TestDatabase): House {
  const house = {} as House;
  beforeAll(async () => {
    Object.assign(house, await createHouse(db));
    return house.close;
  });
  return house;
}

async function createHouse(database: TestDatabase): Promise<House> {
  await makeOrganisation(database, ORG);
  const services = createServices(database);
  const { db, agent, agents, plane, waker } = services;
  const http = fastify();
  agentRoutes(http, agents, undefined, services.redeemCode);
  await http.ready();
  const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
  return {
    services,
    http,
    inOrg,
    give: async (shop, count) => {
      await giveKeys(db, shop, { count });
    },
    sell: async (shop) => {
      const number = imei((serial += 1));
      const [row] = await db.asOwner<{ on: string }>(
        `select (kist_now() at time zone 'Asia/Kolkata')::date::text as on`,
      );
      const { customer_id: customerId } = await inOrg((tx) => sales.register(tx, shop, saleOf(number, row!.on)));
      return { customerId, imei: number };
    },
    codeFor: (shop, { customerId }) =>
      inOrg(async (tx) => {
        await sales.setKeyAside(tx, shop, { customer_id: customerId });
        const phone = await deviceOfCustomer(tx, customerId);
        return (await freshToken(tx, shop, phone!.deviceId, agent.offerOf)).token;
      }),
    phone: (sold) => createPhone(http, agent.key.spki, sold.imei),
    close: async () => {
      await http.close();
      await plane.whenQuiet();
      await waker.close();
    },
  };
}

const saleOf = (number: string, deliveredOn: string) =>
  registerBodySchema.parse({
    plan_id: 1,
    customer: { first_name: 'Savita', last_name: 'More', mobile: '9812345678' },
    device: { imei1: number, brand: 'Redmi', model: '13C' },
    emi: {
      method: 'ZERO',
      cash_price: 14_000_00,
      down_payment: 0,
      rate_bps: 0,
      tenure: 12,
      frequency: 'MONTHLY',
      delivered_on: deliveredOn,
    },
    consent: { text_version: '1', language: 'en', method: 'typed', typed_name: 'Savita More', accepted: true },
  });
