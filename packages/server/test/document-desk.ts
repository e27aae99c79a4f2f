import { afterAll, beforeAll } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { type CallName, PATHS } from '@kist/contract/paths';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { documentRoutes } from '#server/http/routes/documents.ts';
import { peopleRoutes } from '#server/http/routes/people.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { giveKeys, imei, makeOrganisation, makeRetailer } from './factories.ts';
import { createSession, createTestApp, emmHeader, type TestApp } from './http.ts';
import { createServices, type TestServices } from './services.ts';

export interface Sent {
  /** Of the form's file part, as it stands in the header. */
  filename?: string;
  type?: string;
  fields?: Record<string, string>;
  token?: string;
}

export interface DocumentRow {
  document_id: string;
  document_type: string;
  image_name: string | null;
  mime: string;
  bytes: number;
  replaced: boolean;
  gone: boolean;
}

export interface DocumentDesk {
  db: TestDatabase;
  services: TestServices;
  http: TestApp;
  shop: Actor;
  token: string;
  neighbour: string;
  draft(): Promise<string>;
  /** Registers the customer of a draft, on the signature that is there. */
  sell(customerId: string): Promise<void>;
  upload(
    name: Extract<CallName, `upload${string}`>,
    customerId: string,
    bytes: Buffer,
    sent?: Sent,
  ): Promise<{
    status: number;
    code?: string;
    errors?: { path: string; message: string; code?: string }[];
    details?: { scope?: string };
    data: { document_id: string };
  }>;
  rows(customerId: string): Promise<DocumentRow[]>;
  /** Keys of every file there is. */
  files(): Promise<string[]>;
  /** What a link answers. */
  get(url: string): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>;
  opened(documentId: string): Promise<{ mime: string; bytes: Buffer }>;
}

/** Two shops of one organisation, with the calls for pictures. Call it at the top of a file. */
export function useDocumentDesk(): DocumentDesk {
  const desk = {} as DocumentDesk;
  beforeAll(async () => {
    Object.assign(desk, await openDesk());
  });
  afterAll(() => desk.services.waker.close());
  return desk;
}

let phones = 77;

/** Which phone is sold, and on which terms: said before anybody signs. */
async function formOf(db: TestDatabase): Promise<object> {
  const [today] = await db.asOwner<{ on: string }>(`select kist_now()::date::text as on`);
  return {
    device: { imei1: imei((phones += 1)), brand: 'Redmi', model: '13C' },
    emi: {
      method: 'ZERO',
      frequency: 'MONTHLY',
      rate_bps: 0,
      tenure: 4,
      cash_price: 10_000_00,
      down_payment: 8_000_00,
      delivered_on: today?.on,
    },
  };
}

async function openDesk(): Promise<DocumentDesk> {
  const db = await createTestDatabase();
  const services = createServices(db);
  await makeOrganisation(db, 20);
  const shop = await makeRetailer(db, 20);
  await giveKeys(db, shop, { count: 50 });
  const http = await createTestApp({
    database: services.db,
    register: (app) => {
      customerRoutes(app, services);
      documentRoutes(app);
      peopleRoutes(app, services);
    },
  });
  const session = (actor: Actor) => createSession(db, { orgId: 20, userId: actor.userId, mobile: '' });
  const token = await session(shop);
  const neighbour = await session(await makeRetailer(db, 20));
  const get: DocumentDesk['get'] = async (url) => {
    const { statusCode, headers, rawPayload } = await http.app.fastify.inject({ method: 'GET', url });
    return { status: statusCode, headers, bytes: rawPayload };
  };
  const forms = new Map<string, ReturnType<typeof registerBodySchema.parse>>();
  return {
    db,
    services,
    http,
    shop,
    token,
    neighbour,
    get,
    async draft() {
      const body = registerBodySchema.parse({ draft: true, plan_id: 1, ...(await formOf(db)) });
      const { customer_id } = await services.db.transaction(20, (tx) => sales.register(tx, shop, body));
      forms.set(customer_id, body);
      return customer_id;
    },
    async sell(customerId) {
      const { device, emi } = forms.get(customerId)!;
      const body = registerBodySchema.parse({
        plan_id: 1,
        customer: { first_name: 'Savita', mobile: '9812345678' },
        device,
        emi,
        consent: { text_version: '1', language: 'en', method: 'signature', accepted: true },
        customer_id: customerId,
      });
      await services.db.transaction(20, (tx) => sales.register(tx, shop, body));
    },
    async upload(name, customerId, bytes, sent = {}) {
      const { path } = PATHS[name];
      const { filename = 'photo.png', type = 'image/png' } = sent;
      const texts = Object.entries({ customer_id: customerId, ...sent.fields }).map(
        ([key, value]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
      );
      const head = `${texts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`;
      const reply = await http.app.fastify.inject({
        method: 'POST',
        url: path,
        headers: {
          'content-type': 'multipart/form-data; boundary=b',
          'x-emm-auth-session': emmHeader(path),
          authorization: `bearer ${sent.token ?? token}`,
        },
        payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]),
      });
      return reply.json();
    },
    rows: (customerId) =>
      db.asOwner<DocumentRow>(
        `select document_id, document_type, image_name, mime, bytes, replaced_at is not null as replaced, gone_at is not null as gone
         from documents where customer_id = $1 order by created_at, document_id`,
        [customerId],
      ),
    async files() {
      const keys: string[] = [];
      for await (const key of services.db.ports.documents.blobs.list('documents')) keys.push(key);
      return keys;
    },
    async opened(documentId) {
      const { data } = await http.call('getDocument', { token, query: { document_id: documentId } });
      const { status, headers, bytes } = await get(data.url);
      if (status !== 200) throw new Error(`${data.url}: ${status}`);
      return { mime: String(headers['content-type']), bytes };
    },
  };
}
