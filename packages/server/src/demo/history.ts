import { OWN_AGENT } from '@kist/contract/capabilities';
import { type IsoDate, addDays, compare, daysBetween, instantOf } from '@kist/contract/dates';
import { PROVISIONING } from '@kist/contract/codes';
import { registerBodySchema } from '@kist/contract/customers';
import type { Plane } from '#server/catalogue/catalogue.ts';
import type { Services } from '#server/compose.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as agreements from '#server/agreements/agreements.ts';
import { now, setClockOffset } from '#server/platform/clock.ts';
import type { Database, Operator, Tx } from '#server/platform/database.ts';
import { countAsDone } from '#server/platform/outbox.ts';
import * as payments from '#server/payments/payments.ts';
import * as sales from '#server/sales/sales.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { CLAUSE_VERSION, Inbox, agree, hasAgreed } from './consenting.ts';
import { happen } from './incidents.ts';
import { DEMO_ORG, makeCustomerUser } from './organisation.ts';
import { CUSTOMER_MOBILE } from './people.ts';
import { type PastPhone, contactPast, enrolPast } from './phones.ts';
import type { PlannedCustomer, PlannedPayment } from './plan.ts';
import * as store from './store.ts';

/** Reminders, notices and the ladder are played day by day over this many days; before, only sales and payments happened. */
const PLAYED_DAYS = 110;
/** What a day costs whose morning is played, in sales or payments: measured on the demo shop. */
const PLAYED_DAY_WORK = 3;
/** The shop has customers of every kind, also of kinds that this installation does not sell today. */
const PAST_PLANES = ['DPC', 'LINKFL', 'APPLE'] as const satisfies readonly Plane[];
const DISPUTE_TEXT = 'I paid at the shop, the receipt is with my brother';

/** Plays the past of the demo shop through the very services that would have lived it, each day at its own time. */
export class History {
  readonly #db: Database;
  readonly #operator: Operator;
  readonly #services: Services;
  /** Sells what was sold then. */
  readonly #past: Database;
  readonly #inbox = new Inbox();
  readonly #actors: ReadonlyMap<string, Actor>;
  readonly #customers = new Map<number, { customerId: string; agreementId: string | null; phone: PastPhone | null }>();

  constructor(db: Database, operator: Operator, services: Services, actors: ReadonlyMap<string, Actor>) {
    this.#db = db;
    this.#operator = operator;
    this.#services = services;
    this.#past = db.with({
      ...db.ports,
      sales: { ...db.ports.sales, planes: PAST_PLANES },
      ...this.#inbox.ports(db.ports),
    });
    this.#actors = actors;
  }

  /**
   * @param today the last day, which is played up to the present
   * @param onDay told before each day what part of the work is done, 0 to 1
   */
  async play(plan: readonly PlannedCustomer[], today: IsoDate, onDay: (part: number) => void): Promise<void> {
    const first = plan.map((one) => one.soldOn).reduce((a, b) => (compare(a, b) < 0 ? a : b));
    const work = workOf(plan);
    for (let on = first; compare(on, today) <= 0; on = addDays(on, 1)) {
      const sold = plan.filter((one) => one.soldOn === on);
      const paid = plan.flatMap((one) =>
        one.payments.filter((payment) => payment.on === on).map((payment) => ({ one, payment })),
      );
      onDay(work(on, today) / work(addDays(today, 1), today));
      const isPlayed = compare(addDays(today, -PLAYED_DAYS), on) <= 0 && on !== today;
      if (isPlayed) await this.#morning(on);
      if (sold.length + paid.length > 0) await this.#at(on === today ? null : instantOf(on, 14 * 60 + 30));
      for (const one of sold) await this.#sell(one);
      for (const { one, payment } of paid) await this.#pay(one, payment);
      if (isPlayed || paid.length > 0) await this.#phonesAnswer();
    }
    await this.#at(null);
    for (const one of plan) await this.#ending(one);
    await this.#phonesAnswer();
  }

  #tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(DEMO_ORG, work);
  }

  /** Puts the product's clock to a moment of the past; null: to the present. */
  #at(ms: number | null): Promise<void> {
    return this.#operator.unscoped((tx) => setClockOffset(tx, ms === null ? 0 : (ms - Date.now()) / 1000));
  }

  #actor(one: PlannedCustomer): Actor {
    return this.#actors.get(one.shopMobile)!;
  }

  /** What the daily run and the ladder would have done, and the gateway's receipts for it. */
  async #morning(on: IsoDate): Promise<void> {
    const { locking, notices } = this.#services;
    await this.#at(instantOf(on, 10 * 60 + 5));
    await payments.chargePenalties(this.#db, notices, DEMO_ORG, on);
    await locking.sendDueNotices(this.#db, DEMO_ORG);
    await this.#messagesArrive();
    await this.#at(instantOf(on, 12 * 60 + 10));
    await locking.runLadder(this.#db, DEMO_ORG);
    await this.#messagesArrive();
  }

  async #messagesArrive(): Promise<void> {
    await this.#tx(async (tx) => {
      for (const { notice_id } of await store.noticesUnderWay.all(tx, {}))
        await this.#services.notices.delivered(tx, notice_id, { by: 'demo_history' });
      await countAsDone(tx, 'sms');
    });
  }

  async #sell(one: PlannedCustomer): Promise<void> {
    const sale = saleOf(one);
    const register = (body: typeof sale) =>
      this.#past.transaction(DEMO_ORG, (tx) => sales.register(tx, this.#actor(one), body));
    const { customer_id } = await register({ ...sale, draft: true });
    if (!sale.draft && hasAgreed(one))
      await agree(this.#past, this.#inbox, { shop: this.#actor(one), one, customer_id });
    const { agreement_id } = sale.draft ? { agreement_id: null } : await register({ ...sale, customer_id });
    const isEnrolled = one.kind !== 'waiting' && one.kind !== 'draft';
    const phone = isEnrolled ? await this.#enrol(one, customer_id) : null;
    if (one.mobile === CUSTOMER_MOBILE) await this.#tx((tx) => makeCustomerUser(tx, one, customer_id));
    this.#customers.set(one.n, { customerId: customer_id, agreementId: agreement_id, phone });
  }

  /** @returns null for an iPhone: it enrols with Apple's own protocol, which nothing here speaks; one whose profile was removed was enrolled once */
  async #enrol(one: PlannedCustomer, customer_id: string): Promise<PastPhone | null> {
    const { agent, plane } = this.#services;
    if (one.provisioningType === PROVISIONING.APPLE) {
      if (one.kind !== 'apple_removed') return null;
      await this.#tx(async (tx) => {
        await wallet.spend(tx, SYSTEM(DEMO_ORG), { customer_id });
        await customers.changeStatus(tx, SYSTEM(DEMO_ORG), { customer_id, status: 1, reason: 'phone set up' });
      });
      return null;
    }
    const token = await this.#tx(async (tx) => {
      const { deviceId } = (await devices.deviceOfCustomer(tx, customer_id))!;
      const issued = await devices.freshToken(tx, this.#actor(one), deviceId, agent.offerOf);
      return issued.token;
    });
    // Not through the agent's door: it judges freshness by a clock that it reads once a second, and days pass faster here.
    return enrolPast(
      (claim) =>
        plane.enrolled({ orgId: DEMO_ORG, vendor: OWN_AGENT, grade: () => 'none', stale: undefined, ...claim }),
      one,
      token,
    );
  }

  async #pay(one: PlannedCustomer, payment: PlannedPayment): Promise<void> {
    const known = this.#customers.get(one.n);
    if (!known?.agreementId) return;
    const { agreementId } = known;
    await this.#tx(async (tx) => {
      const opened = await agreements.account(tx, { agreement_id: agreementId });
      const row = opened.instalments.find((instalment) => instalment.no === payment.no);
      const left = row ? agreements.instalmentLeft(row) : 0;
      if (!row || left === 0) return;
      const amount = payment.share === 1 ? left : Math.max(100, Math.round((left * payment.share) / 10_000) * 10_000);
      await this.#services.payments.record(tx, this.#actor(one), {
        instalment_id: opened.instalmentIds.get(row.no)!,
        amount: Math.min(amount, left),
        method: payment.method,
        reference: payment.method === 'UPI' ? `UPI${one.n}${payment.no}` : '',
      });
    });
  }

  /** How it ends with a customer: what no date of sale or payment tells. */
  async #ending(one: PlannedCustomer): Promise<void> {
    const known = this.#customers.get(one.n);
    if (!known) return;
    const to = { uninstalled: 3, apple_removed: 4 }[one.kind as 'uninstalled'];
    if (to)
      await this.#tx((tx) =>
        customers.changeStatus(tx, SYSTEM(DEMO_ORG), {
          customer_id: known.customerId,
          status: to,
          reason: one.kind.replaceAll('_', ' '),
        }),
      );
    const { incident } = one;
    const { customerId, agreementId } = known;
    if (incident && agreementId)
      await this.#tx((tx) =>
        happen(tx, incident, { services: this.#services, shop: this.#actor(one), one, customerId, agreementId }),
      );
    if (one.kind === 'disputed')
      await this.#tx((tx) =>
        this.#services.locking.openDispute(tx, this.#actor(one), { customerId: known.customerId, text: DISPUTE_TEXT }),
      );
  }

  /** Phones that were told something answer; the rest have nothing to say. */
  async #phonesAnswer(): Promise<void> {
    const { rows, at } = await this.#db.read(DEMO_ORG, async (tx) => ({
      at: (await now(tx)).getTime(),
      rows: await store.phonesWithNews.all(tx, {}),
    }));
    const waiting = new Set(rows.map(({ device_id }) => device_id));
    const phones = [...this.#customers.values()].flatMap(({ phone }) =>
      phone && waiting.has(phone.caller.deviceId) ? [phone] : [],
    );
    await Promise.all(phones.map((phone) => contactPast(this.#services.plane, phone, at)));
    await this.#services.plane.whenQuiet();
    await this.#messagesArrive();
  }
}

/** What the shop typed in for a customer. */
function saleOf(one: PlannedCustomer) {
  const isDraft = one.kind === 'draft';
  return registerBodySchema.parse({
    draft: isDraft,
    plan_id: one.planId,
    customer: {
      first_name: one.firstName,
      last_name: one.lastName,
      mobile: one.mobile,
      birth_on: one.birthOn ?? undefined,
      language: one.language,
      aadhaar_last4: String(1000 + one.n * 7).slice(-4),
      address: { line1: `${one.n}, Main Road`, city: one.city, state: 'Maharashtra', pincode: one.pincode },
    },
    ...(isDraft
      ? { draft_state: { step: 'device', typed: {} } }
      : {
          device: { imei1: one.imei1, serial: one.serial, brand: one.brand, model: one.model },
          emi: one.terms,
          consent: {
            text_version: CLAUSE_VERSION,
            language: one.language,
            method: 'signature',
            accepted: true,
          },
        }),
  });
}

/** @returns how much is done when day `on` begins: sales, payments and played mornings. */
const workOf = (plan: readonly PlannedCustomer[]) => (on: IsoDate, today: IsoDate) => {
  const isBefore = (day: IsoDate) => compare(day, on) < 0;
  const events = plan.flatMap(({ soldOn, payments }) => [soldOn, ...payments.map((payment) => payment.on)]);
  const playedDays = Math.max(0, daysBetween(addDays(today, -PLAYED_DAYS), on));
  return events.filter(isBefore).length + playedDays * PLAYED_DAY_WORK;
};
