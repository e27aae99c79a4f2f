import type { Services } from '#server/compose.ts';
import * as agreements from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as payments from '#server/payments/payments.ts';
import { customerActor } from './organisation.ts';
import type { Incident, PlannedCustomer } from './plan.ts';

/** Whom it happens to, and in whose shop. */
interface At {
  services: Pick<Services, 'payments' | 'notices'>;
  shop: Actor;
  one: PlannedCustomer;
  customerId: string;
  agreementId: string;
}
type Happening = (tx: Tx, at: At) => Promise<unknown>;

const cash = { method: 'CASH', reference: '' } as const;

async function openOf(tx: Tx, agreementId: string) {
  const opened = await agreements.account(tx, { agreement_id: agreementId });
  const rows = opened.instalments.filter((row) => agreements.instalmentLeft(row) > 0);
  const idOf = (no: number) => opened.instalmentIds.get(no)!;
  return { opened, rows, idOf };
}

/** What happens in a shop beside sales and payments on their day; each by the service that a person would use. */
const HAPPENINGS: Record<Incident, Happening> = {
  /** "I have paid": the shop has not answered yet. */
  claim: async (tx, { services, one, customerId, agreementId }) => {
    const { rows } = await openOf(tx, agreementId);
    const actor = await customerActor(tx, one, customerId);
    const amount = rows[0] ? agreements.instalmentLeft(rows[0]) : 0;
    return services.payments.claim(tx, actor, {
      payment_id: newId(),
      amount,
      method: 'UPI',
      reference: `4123${String(one.n).padStart(8, '0')}`,
    });
  },
  /** Pays again although everything is paid: the money has to go back. */
  refund: async (tx, { services, shop, agreementId }) => {
    const { idOf } = await openOf(tx, agreementId);
    return services.payments.record(tx, shop, { instalment_id: idOf(1), amount: 500_00, ...cash });
  },
  /** Half of a late fee given up. */
  waiver: async (tx, { services, shop, agreementId }) => {
    const { opened } = await openOf(tx, agreementId);
    const charge = opened.charges.find((one) => agreements.chargeLeft(one) > 0);
    if (!charge) return;
    const amount = Math.ceil(agreements.chargeLeft(charge) / 2);
    await payments.waivePenalty(tx, services.notices, shop, {
      charge_id: charge.charge_id,
      amount,
      reason: 'Was in hospital',
    });
  },
  /** The next two instalments at once, before their days. */
  ahead: async (tx, { services, shop, customerId, agreementId }) => {
    const { rows, idOf } = await openOf(tx, agreementId);
    const instalment_ids = rows.slice(0, 2).map(({ no }) => idOf(no));
    if (instalment_ids.length < 2) return;
    await services.payments.recordMany(tx, shop, { customer_id: customerId, instalment_ids, ...cash });
  },
  /** Typed for the wrong customer, and taken back. */
  reversal: async (tx, { services, shop, agreementId }) => {
    const { rows, idOf } = await openOf(tx, agreementId);
    if (!rows[0]) return;
    const amount = Math.min(300_00, agreements.instalmentLeft(rows[0]));
    const { payment_id } = await services.payments.record(tx, shop, {
      instalment_id: idOf(rows[0].no),
      amount,
      ...cash,
    });
    await services.payments.reverse(tx, shop, payment_id, 'Typed for the wrong customer');
  },
};

/** Lets it happen to a customer, in one transaction. */
export const happen = (tx: Tx, incident: Incident, at: At): Promise<unknown> => HAPPENINGS[incident](tx, at);
