import { registerBodySchema } from '@kist/contract/customers';
import { financingEndpoints } from '@kist/contract/financing';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import { createTestDatabase } from './database.ts';
import { giveKeys, imei, makeOrganisation, makeRetailer, setClock } from './factories.ts';
import { lastCodeMessage, lastOtp } from './http.ts';
import { png } from './png-file.ts';
import { testSealer } from './sealer.ts';
import { createServices } from './services.ts';

export const CLAUSE = { text_version: '2', language: 'hn' } as const;

/** A shop on 10 April that sells phones, and customers who sign and tell codes. */
export async function createConsentWorld() {
  const bare = createServices(await createTestDatabase()).db;
  const { identity } = bare.ports;
  const db = bare.with({ ...bare.ports, identity: { ...identity, sealer: testSealer, canSendCodes: () => true } });
  await makeOrganisation(db, 20);
  const shop = await makeRetailer(db, 20);
  await setClock(db, '2026-04-10T11:00:00');
  await giveKeys(db, shop, { count: 40 });

  let serial = 40_000;
  const newImei = () => imei(++serial);
  /** The phone of each sale: the same in its form and at its end. */
  const phones = new Map<string, string>();
  const phoneOf = (mobile: string): string => {
    if (!phones.has(mobile)) phones.set(mobile, newImei());
    return phones.get(mobile)!;
  };
  const whole = (mobile: string, change: object = {}) => ({
    plan_id: 1,
    customer: { first_name: 'Savita', last_name: 'More', mobile, language: 'hn' },
    device: { imei1: phoneOf(mobile), brand: 'Redmi', model: '13C' },
    emi: {
      method: 'FLAT',
      cash_price: 14_000_00,
      down_payment: 0,
      rate_bps: 1800,
      tenure: 12,
      frequency: 'MONTHLY',
      delivered_on: '2026-04-10',
    },
    consent: { ...CLAUSE, method: 'signature', accepted: true },
    ...change,
  });
  const register = (body: object) =>
    db.transaction(20, (tx) => sales.register(tx, shop, registerBodySchema.parse(body)));
  const finance = (body: object) =>
    db.transaction(20, (tx) => sales.registerFinanced(tx, shop, financingEndpoints.createCustomerHdb.body.parse(body)));
  /** What was told to locking. */
  const heard: string[] = [];
  const consented = async (_tx: unknown, ids: readonly string[]): Promise<void> => void heard.push(...ids);
  return {
    db,
    shop,
    heard,
    newImei,
    newNumber: () => `98123${String(++serial).padStart(5, '0')}`,
    whole,
    register,
    /** The sale of a loan that a financer made. */
    finance,
    draft: async (mobile: string) => (await register({ ...whole(mobile), draft: true })).customer_id,
    send: (customer_id: string, clause: object = CLAUSE, actor: Actor = shop) =>
      db.transaction(20, (tx) => sales.sendConsentCode(tx, actor, { customer_id, ...CLAUSE, ...clause })),
    collect: (customer_id: string, otp?: string, clause: object = CLAUSE) =>
      db.transaction(20, (tx) => sales.collectConsent(tx, shop, { customer_id, ...CLAUSE, ...clause, otp }, consented)),
    /** The values of the message that a code came in. */
    said: (mobile: string) => lastCodeMessage(db, 20, `+91${mobile}`),
    told: (mobile: string) => lastOtp(db, 20, `+91${mobile}`),
    sign: (customer_id: string) => documents.keep(db, shop, { customer_id, document_type: 'signature', bytes: png() }),
    consentsOf: (customerId: string) =>
      db.asOwner<{ signed: boolean; confirmed: boolean }>(
        `select x.document_id is not null as signed, x.confirmation_id is not null as confirmed
         from consents x join agreements a using (org_id, agreement_id) where a.customer_id = $1 order by x.accepted_at`,
        [customerId],
      ),
  };
}
