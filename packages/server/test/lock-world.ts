import { PLAN, PROVISIONING } from '@kist/contract/codes';
import type { ConsentPart } from '@kist/contract/customers';
import { type LockPolicy, POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type Agreement, account, open } from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { create } from '#server/devices/devices.ts';
import { createWaker } from '#server/commands/wake.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { type DailyRunDeps, runDay } from '#server/jobs/daily-run.ts';
import { violations } from '#server/locking/invariants.ts';
import { createLocking } from '#server/locking/locking.ts';
import { createNotices } from '#server/notices/notices.ts';
import { createSmsSender } from '#server/notices/sender.ts';
import type { TextMessage } from '#server/notices/providers/provider.ts';
import { createPayments, takeDownPayment } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { startOutbox } from '#server/platform/outbox.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from './database.ts';
import { testSealer } from './sealer.ts';
import { giveWholeConsent } from './whole-consent.ts';
import { chooseCap, imei, keyFor, makeOrganisation, makeRetailer, setClock, terms } from './factories.ts';

export const ORG = 20;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface Sale {
  customerId: string;
  deviceId: string;
  agreement: Agreement;
}

let phones = 0;

/** Whoever bought a phone in the shop, signed in. */
export const customerOf = (world: Pick<LockWorld, 'shop'>, { customerId }: Pick<Sale, 'customerId'>): Actor => ({
  ...world.shop,
  userType: 'customer',
  customerIds: [customerId],
  visibleOwnerIds: [],
});

/**
 * A shop with real slices on a real database: locking, notices, payments, the daily run. Its SMS gateway delivers what it is given as long as
 * `delivers` holds; its phones are rows that say what a phone would report.
 */
export async function createLockWorld() {
  const db = await createTestDatabase();
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  const partner = await makeRetailer(db, ORG);
  const waker = createWaker(db, () => undefined);
  const texts: TextMessage[] = [];
  const gateway = { delivers: true };

  const links = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
  const notices = createNotices({
    waker,
    sealer: testSealer,
    links,
    onDelivered: (tx, ids) => locking.noticesDelivered(tx, ids),
  });
  const locking = createLocking({ waker, notices, onReleased: customers.release, onGone: customers.uninstalled });
  const payments = createPayments({
    duesChanged: locking.duesChanged,
    claimed: locking.paymentClaimed,
    sendReceipt: notices.sendReceipt,
  });
  const run: DailyRunDeps = { db, locking, notices, log: quiet };
  const gatewayOf = async (message: TextMessage) => {
    texts.push(message);
    return { id: `gw-${message.reference}` };
  };
  const sms = createSmsSender(db, { send: gatewayOf }, links);
  const outbox = startOutbox(db, testSealer, { sms }, quiet);
  const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

  /** Tests' days go back and forth: nobody was seen on one that is still to come. */
  async function moveClock(ist: string): Promise<void> {
    await setClock(db, ist);
    await db.asOwner('update device_reports set last_seen_at = null where last_seen_at > kist_now()');
  }

  /** Everything that waits leaves now, and arrives if the gateway delivers. */
  async function deliver(): Promise<void> {
    await db.asOwner('update outbox set next_attempt_at = now() where done_at is null');
    await outbox.drain();
    if (!gateway.delivers) return;
    const sent = await db.asOwner<{ id: string }>(
      `select notice_id as id from notices where channel = 'sms' and sent_at is not null and delivered_at is null and failed_at is null`,
    );
    for (const { id } of sent)
      await inOrg((tx) => notices.delivered(tx, id, { by: 'sms_gateway', status: 'delivered' }));
  }

  const world = {
    db,
    shop,
    /** Looks after the shop's customers too. */
    second: { ...partner, visibleOwnerIds: [shop.userId, partner.userId] },
    waker,
    onReleased: customers.release,
    notices,
    locking,
    payments,
    run,
    texts,
    gateway,
    inOrg,
    deliver,
    /** ₹15,500 over six months from 10 March 2026, the clause accepted, the phone enrolled. */
    async sell(
      given: {
        policy?: LockPolicy;
        hasConsent?: boolean;
        consentLacks?: ConsentPart;
        isEnrolled?: boolean;
        provisioningType?: number;
        actor?: Actor;
        tenure?: number;
        deliveredOn?: string;
        language?: string;
        /** When the clause was accepted, of a sale that is told of later. */
        consentedOn?: string;
      } = {},
    ): Promise<Sale> {
      const actor = given.actor ?? shop;
      const sale = await inOrg(async (tx) => {
        const customer = await customers.begin(tx, actor, { plan_id: 1, plan_type: PLAN.DPC });
        await customers.change(tx, actor, {
          customer,
          fields: {
            first_name: 'Irfan',
            last_name: 'Shaikh',
            mobile: '+919812345214',
            is_draft: false,
            language: given.language ?? 'en',
          },
        });
        const customerId = customer.customer_id;
        const provisioningType = given.provisioningType ?? PROVISIONING.DPC;
        phones += 1;
        const deviceId = await create(tx, actor, {
          customerId,
          provisioningType,
          imei1: imei(phones),
          brand: 'Redmi',
          model: '13C',
        });
        const policy = given.policy ?? POLICY_PRESETS.dealer;
        await chooseCap(tx, policy);
        const agreement = await open(tx, actor, {
          customer_id: customerId,
          device_id: deviceId,
          owner_user_id: actor.userId,
          plan_type: PLAN.DPC,
          terms: terms({ delivered_on: given.deliveredOn ?? '2026-02-10', tenure: given.tenure ?? 6 }),
          policy,
        });
        await takeDownPayment(tx, actor, agreement);
        if (given.hasConsent !== false)
          await giveWholeConsent(tx, actor, {
            customerId,
            agreementId: agreement.agreement_id,
            lacks: given.consentLacks,
            beside: db,
          });
        return { customerId, deviceId, agreement };
      });
      if (given.consentedOn)
        await db.plant(['consents'], `update consents set accepted_at = $2::date where agreement_id = $1`, [
          sale.agreement.agreement_id,
          given.consentedOn,
        ]);
      if (given.isEnrolled !== false) await world.enrol(sale);
      return sale;
    },
    enrol: async ({ deviceId, customerId }: Sale) => {
      await keyFor(db, shop, customerId);
      await inOrg(async (tx) => {
        await tx.query(
          'update devices set enrolled_at = kist_now(), first_enrolled_at = coalesce(first_enrolled_at, kist_now()) where device_id = $1',
          [deviceId],
        );
        await tx.query(`update enrolments set ended_at = kist_now() where device_id = $1 and ended_at is null`, [
          deviceId,
        ]);
        await tx.query(
          `insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, grade, started_at) values (kist_org(), $1, $2, '\\x00', 'hardware', kist_now())`,
          [newId(), deviceId],
        );
        await tx.query(
          `update device_reports set revision = 0, lock_level = 0, lease_seq = 0, reported_at = null where device_id = $1`,
          [deviceId],
        );
        await wallet.spend(tx, shop, { customer_id: customerId });
        await customers.changeStatus(tx, SYSTEM(ORG), { customer_id: customerId, status: 1, reason: 'phone set up' });
        await locking.enrolled(tx, deviceId, null);
      });
    },
    /** The phone fetches what is wanted of it and says that it is so. */
    obey: ({ deviceId }: Sale) =>
      inOrg(async (tx) => {
        const { rows } = await tx.query<{ revision: number; level: number; at: Date; gone: true | null }>(
          `update device_reports r set revision = w.revision, lock_level = w.lock_level, lease_seq = w.lease_seq, told_revision = w.revision, policy_digest = w.document_digest, unfit_polls = 0, reported_at = kist_now(), last_seen_at = kist_now()
           from device_desired w where w.device_id = r.device_id and r.device_id = $1 returning r.revision, r.lock_level as level, kist_now() as at,
             case when w.document -> 'released' = 'true' and w.lock_level = 0 then true end as gone`,
          [deviceId],
        );
        const { revision, level, at, gone } = rows[0]!;
        await locking.reported(tx, [
          { changeId: newId(), deviceId, at, settled: { revision, level }, ...(gone && { gone }) },
        ]);
      }),
    /** The phone says what it did by itself. */
    tell: ({ deviceId }: Sale, ...events: { kind: string; at: string; data?: Record<string, unknown> }[]) =>
      inOrg(async (tx) => {
        const { rows } = await tx.query<{ at: Date }>('select kist_now() as at');
        const list = events.map(({ kind, at, data = {} }) => ({
          id: newId(),
          kind,
          at: new Date(`${at}+05:30`).toISOString(),
          data,
        }));
        await locking.reported(tx, [{ changeId: newId(), deviceId, at: rows[0]!.at, events: list }]);
      }),
    pay: async ({ agreement: { agreement_id: agreementId } }: Sale, no: number, amount?: number) => {
      const opened = await db.read(ORG, (tx) => account(tx, { agreement_id: agreementId }));
      const row = opened.instalments.find((one) => one.no === no)!;
      const all = row.interest_paise + row.principal_paise - row.paid_interest_paise - row.paid_principal_paise;
      return inOrg((tx) =>
        payments.record(tx, shop, {
          instalment_id: opened.instalmentIds.get(no)!,
          amount: amount ?? all,
          method: 'CASH',
          reference: '',
        }),
      );
    },
    /** Noon of a day: the daily run, its messages, and what follows from their delivery. */
    async day(ist: string): Promise<void> {
      await moveClock(ist.includes('T') ? ist : `${ist}T12:30:00`);
      await runDay(run, ORG);
      await deliver();
      await locking.runLadder(db, ORG);
    },
    at: moveClock,
    /** Another test's days are not this one's. */
    forgetDays: async (): Promise<void> => {
      await db.asOwner('delete from daily_steps');
      await db.asOwner('update organisations set daily_run_on = null');
    },
    levelOf: async ({ deviceId }: Sale): Promise<number> =>
      (
        await db.asOwner<{ level: number }>('select lock_level as level from device_desired where device_id = $1', [
          deviceId,
        ])
      )[0]!.level,
    leaseOf: async ({ deviceId }: Sale) =>
      (
        await db.asOwner<{
          lease: {
            seq: number;
            ladder: { at: string; level: number }[];
            notices: unknown[];
            screen: { amount_paise: number; upi_uri: string };
          };
        }>('select lease from device_desired where device_id = $1', [deviceId])
      )[0]!.lease,
    violations: () => db.read(ORG, violations),
    close: async () => {
      await outbox.stop();
      await waker.close();
    },
  };
  return world;
}
export type LockWorld = Awaited<ReturnType<typeof createLockWorld>>;
