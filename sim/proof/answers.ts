import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Act } from './acts.ts';
import type { Told } from './hands.ts';
import type { World } from './world.ts';

/** The codes with which an act of these may be refused when others were faster: none of them is a fault of the server. */
const FAIR = new Set([
  'ALREADY_PAID',
  'AMOUNT_TOO_LARGE',
  'MORE_THAN_OWED',
  'STATE_CONFLICT',
  'REFERENCE_USED',
  'ALREADY_REVERSED',
  'IDEMPOTENCY_CONFLICT',
  'NOT_FOUND',
  'INSUFFICIENT_KEYS',
  'DUPLICATE_IMEI',
  'PENALTY_REFUSED',
  'WAIVER_ASKED_ALREADY',
  'SECOND_PERSON_REQUIRED',
  'POLICY_REFUSED',
  'REMINDED_ALREADY',
  'FEATURE_NOT_OFFERED',
  'ENROLMENT_TOKEN_USED',
  'ENROLMENT_TOKEN_EXPIRED',
  'AGENT_UNKNOWN',
  'UNSUPPORTED_ON_DEVICE',
  'INVALID_INPUT',
  // New terms that asked less of the schedule that was read may ask more of the one that another made meanwhile.
  'CUSTOMER_CODE_REQUIRED',
  'SCHEDULE_UNCHANGED',
]);

interface PaymentRow {
  id: string;
  paise: number;
  state: string;
  receipt: string | null;
  note: string | null;
  goesTo: string;
  /** What came with it and was more than all that was owed: a payment of its own, which its receipt names. */
  restId: string | null;
  rest: number;
}
interface Stored {
  payments: Map<string, PaymentRow>;
  kept: Map<string, { status: number; reply: unknown }>;
  waivers: Map<string, string>;
  tasks: Map<string, string>;
  charges: Set<string>;
  customers: Map<string, string>;
  enrolled: Set<string>;
  cancelled: Set<string>;
  /** Agreements with a version of their schedule. */
  revised: Set<string>;
  /** Numbers of phones that came for others. */
  exchanged: Set<string>;
  /** Customers with each shop that they came to. */
  passed: Set<string>;
}

/** Holds every answer of one world against its books. @returns what is lost, doubled, or there though it was refused */
export async function againstBooks(
  client: pg.Client,
  { orgId, imeis }: World,
  told: readonly Told[],
): Promise<string[]> {
  const stored = await storedOf(client, orgId);
  const of = told.filter(({ act }) => act.orgId === orgId);
  return [
    ...of.flatMap((one) => unfair(one)),
    ...of.flatMap((one) => (one.outcome === 'done' ? ofDone(one, stored) : [])),
    ...of.flatMap((one) => (one.outcome === 'refused' ? ofRefused(one, of, stored) : [])),
    ...fromNowhere(of, stored, imeis),
  ];
}

async function storedOf(client: pg.Client, orgId: number): Promise<Stored> {
  const ask = async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql, [orgId])).rows;
  const payments = await ask<PaymentRow>(
    `select payment_id as id, amount_paise::float8 as paise, state, receipt_no as receipt, note_no as note, goes_to as "goesTo",
       receipt #>> '{overpaid,payment_id}' as "restId", coalesce((receipt #>> '{overpaid,amount_paise}')::float8, 0) as rest
     from payments where org_id = $1`,
  );
  const kept = await ask<{ key: string; status: number; reply: unknown }>(
    'select actor || key as key, status, reply from idempotency_keys where org_id = $1',
  );
  const pairs = async (sql: string) => new Map((await ask<{ a: string; b: string }>(sql)).map(({ a, b }) => [a, b]));
  const waivers = await pairs('select waiver_id as a, state as b from waivers where org_id = $1');
  const tasks = await pairs('select payment_id as a, state as b from refund_tasks where org_id = $1');
  const charges = await pairs(`select charge_id as a, '' as b from charges where org_id = $1`);
  const customers = await pairs(
    'select d.imei1 as a, g.customer_id as b from agreements g join devices d using (org_id, device_id) where org_id = $1',
  );
  const enrolled = await pairs(
    `select d.customer_id as a, '' as b from enrolments e join devices d using (org_id, device_id) where org_id = $1`,
  );
  const cancelled = await pairs(
    `select agreement_id as a, '' as b from agreements where org_id = $1 and state = 'cancelled'`,
  );
  const revised = await pairs(`select agreement_id as a, '' as b from schedule_versions where org_id = $1`);
  const exchanged = await pairs(
    `select d.imei1 as a, '' as b from phone_exchanges x join devices d on d.org_id = x.org_id and d.device_id = x.to_device_id where x.org_id = $1`,
  );
  const passed = await pairs(
    `select customer_id || ' ' || to_user_id as a, '' as b from customer_transfers where org_id = $1`,
  );
  return {
    payments: new Map(payments.map((row) => [row.id, row])),
    kept: new Map(kept.map((row) => [row.key, row])),
    waivers,
    tasks,
    charges: new Set(charges.keys()),
    customers,
    enrolled: new Set(enrolled.keys()),
    cancelled: new Set(cancelled.keys()),
    revised: new Set(revised.keys()),
    exchanged: new Set(exchanged.keys()),
    passed: new Set(passed.keys()),
  };
}

const nameOf = ({ effect, key }: Act): string => `${effect.kind} ${'paymentId' in effect ? effect.paymentId : key}`;

/** An answer that nobody should get: a fault of the server, a stranger who is let in, an outbox that never hears. */
function unfair({ act, outcome, status, answer, tries }: Told): string[] {
  const name = nameOf(act);
  if (outcome === 'unknown' && act.cutAfterMs === undefined)
    return [`${name} was never answered in ${tries} tries (${status})`];
  if (outcome === 'unknown') return [];
  if (act.isStranger) return outcome === 'done' ? [`a stranger did ${name}`] : [];
  return outcome === 'done' || FAIR.has(String(answer['code']))
    ? []
    : [`${name} answered ${status}: ${JSON.stringify(answer).slice(0, 300)}`];
}

const keptOf = ({ by, key }: Act) => `${by.userId}${key}`;

/** Acknowledged: it is there, as it was told, and the reply is kept for who asks again. */
function ofDone({ act, answer }: Told, stored: Stored): string[] {
  const broken = effectOf(act, answer, stored);
  if (act.method === 'POST' && !act.enrolling) {
    const kept = stored.kept.get(keptOf(act));
    if (!kept || kept.status !== 200 || !isDeepStrictEqual(kept.reply, answer))
      broken.push('its reply is not kept as it was told');
  }
  return broken.map((what) => `${nameOf(act)} was acknowledged, and ${what}: ${JSON.stringify(answer).slice(0, 200)}`);
}

function effectOf({ effect }: Act, answer: Record<string, unknown>, stored: Stored): string[] {
  const unless = (isTrue: boolean, what: string) => (isTrue ? [] : [what]);
  const payment = stored.payments.get(String(answer['payment_id']));
  switch (effect.kind) {
    case 'pay':
      return [
        ...unless(payment !== undefined && ['posted', 'reversed'].includes(payment.state), 'the payment is lost'),
        ...unless(
          payment?.receipt === answer['receipt_no'] && payment?.paise === answer['amount_paise'],
          'the payment is another',
        ),
        ...unless(
          effect.paise === null || (payment !== undefined && effect.paise === payment.paise + payment.rest),
          'the amount is another',
        ),
      ];
    case 'reverse':
      return unless(payment?.state === 'reversed' && payment.note === answer['note_no'], 'the payment stands');
    case 'claim':
      return unless(payment !== undefined && effect.paise === payment.paise + payment.rest, 'the claim is lost');
    case 'answer':
      return unless(
        payment !== undefined && (effect.isReceived ? ['posted', 'reversed'] : ['refused']).includes(payment.state),
        'the claim was answered otherwise',
      );
    case 'charge':
      return unless(stored.charges.has(String(answer['charge_id'])), 'the charge is lost');
    case 'waive':
      return unless(stored.waivers.has(String(answer['waiver_id'])), 'the waiver is lost');
    case 'decide':
      return unless(
        stored.waivers.get(effect.waiverId) === (effect.isGranted ? 'granted' : 'refused'),
        'it was decided otherwise',
      );
    case 'refund':
      return unless(stored.tasks.get(effect.paymentId) === 'done', 'the refund is open');
    case 'sell':
      return unless(stored.customers.get(effect.imei) === answer['customer_id'], 'the sale is lost');
    case 'enrol':
      return unless(stored.enrolled.has(effect.customerId), 'the phone is not enrolled');
    case 'cancel':
      return unless(stored.cancelled.has(effect.agreementId), 'the agreement runs');
    case 'revise':
      return unless(stored.revised.has(effect.agreementId), 'the terms are the old ones');
    case 'exchange':
      return unless(stored.exchanged.has(effect.imei), 'the phone is not there');
    case 'transfer':
      return unless(
        answer['moved'] === 0 || stored.passed.has(`${effect.customerId} ${effect.toUserId}`),
        'the customer never passed on',
      );
    default:
      return [];
  }
}

/** Refused: not in the books, unless somebody else was told that it is, or nobody knows. */
function ofRefused({ act }: Told, told: readonly Told[], stored: Stored): string[] {
  const { effect } = act;
  const others = told.filter((one) => one.act !== act && one.outcome !== 'refused' && isSame(one, effect));
  if (others.length > 0) return [];
  const kept = stored.kept.get(keptOf(act));
  const isThere =
    (effect.kind === 'pay' && stored.payments.has(effect.paymentId)) ||
    (effect.kind === 'claim' && stored.payments.has(effect.paymentId)) ||
    (effect.kind === 'sell' && stored.customers.has(effect.imei)) ||
    (effect.kind === 'reverse' && stored.payments.get(effect.paymentId)?.state === 'reversed') ||
    (effect.kind === 'exchange' && stored.exchanged.has(effect.imei)) ||
    (effect.kind === 'cancel' && stored.cancelled.has(effect.agreementId)) ||
    (effect.kind === 'refund' && stored.tasks.get(effect.paymentId) === 'done') ||
    kept?.status === 200;
  return isThere ? [`${nameOf(act)} was refused, and is in the books`] : [];
}

function isSame({ act, answer }: Told, effect: Act['effect']): boolean {
  const other = act.effect;
  if ('paymentId' in effect) {
    const isPaid = effect.kind === 'pay' && ['pay', 'claim', 'answer'].includes(other.kind);
    return (
      (other.kind === effect.kind || isPaid) &&
      (('paymentId' in other && other.paymentId === effect.paymentId) || answer['payment_id'] === effect.paymentId)
    );
  }
  if (effect.kind === 'cancel') return other.kind === 'cancel' && other.agreementId === effect.agreementId;
  if (effect.kind !== 'sell' && effect.kind !== 'exchange') return false;
  return other.kind === effect.kind && other.imei === effect.imei;
}

/** What is in the books and nobody sent. */
function fromNowhere(told: readonly Told[], { payments, customers }: Stored, own: readonly string[]): string[] {
  const sent = new Set(told.flatMap(({ act: { effect } }) => ('paymentId' in effect ? [effect.paymentId] : [])));
  for (const { id, restId } of payments.values()) if (restId !== null && sent.has(id)) sent.add(restId);
  const sold = new Set([
    ...own,
    ...told.flatMap(({ act: { effect } }) =>
      effect.kind === 'sell' || effect.kind === 'exchange' ? [effect.imei] : [],
    ),
  ]);
  return [
    ...[...payments.values()]
      .filter(({ id, goesTo }) => goesTo !== 'down_payment' && !sent.has(id))
      .map(({ id }) => `payment ${id} comes from nowhere`),
    ...[...customers.keys()].filter((imei) => !sold.has(imei)).map((imei) => `the sale of ${imei} comes from nowhere`),
  ];
}
