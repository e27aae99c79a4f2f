import { DAY_MS } from '@kist/contract/dates';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { PATHS } from '@kist/contract/paths';
import type { Luck } from './random.ts';
import { type Person, type Sold, type Waiting, type World, nextImei, saleOf } from './world.ts';

/** What an act means to do to the books: what is looked up there afterwards. */
export type Effect =
  | { kind: 'pay'; paymentId: string; paise: number | null }
  | { kind: 'reverse'; paymentId: string }
  | { kind: 'claim'; paymentId: string; paise: number }
  | { kind: 'answer'; paymentId: string; isReceived: boolean }
  | { kind: 'charge' }
  | { kind: 'waive'; chargeId: string }
  | { kind: 'decide'; waiverId: string; isGranted: boolean }
  | { kind: 'refund'; paymentId: string }
  | { kind: 'sell'; imei: string }
  | { kind: 'code'; customerId: string }
  | { kind: 'delete'; customerId: string }
  | { kind: 'cancel'; agreementId: string }
  | { kind: 'revise'; agreementId: string }
  | { kind: 'exchange'; imei: string }
  | { kind: 'transfer'; customerId: string; toUserId: string }
  | { kind: 'order' }
  | { kind: 'enrol'; customerId: string };

/** One intention with the key that its outbox keeps until it hears what became of it. */
export interface Act {
  effect: Effect;
  /** Whose session. */
  by: Person;
  orgId: number;
  method: 'GET' | 'POST';
  path: string;
  key: string;
  body: string;
  /** Of a stranger's shop: nothing may come of it. */
  isStranger?: true;
  /** The network cuts the reply off after so many ms and nobody asks again: what became of it is not known. */
  cutAfterMs?: number;
  /** Of a phone that enrols: what it holds. */
  enrolling?: { code: string; imei: string };
}

export interface Known {
  charges: { id: string; agreementId: string; left: number }[];
  waivers: string[];
  refunds: string[];
  today: string;
}

type Post = { effect: Effect; path: string; body: object; by?: Person; key?: string };
const WHOLE_SHARE = 0.08;
const NOON_UTC_MS = 6.5 * 3_600_000;

/** Where acts are made: whose they are, what is known there, and where their chances come from. */
interface Desk {
  world: World;
  known: Known;
  luck: Luck;
  post(post: Post): Act;
  /** An id that others may mean as well. */
  noted(paymentId: string): string;
}

const deskOf = (world: World, known: Known, luck: Luck): Desk => ({
  world,
  known,
  luck,
  post: ({ effect, path, body, by = world.retailer, key = luck.key() }) => ({
    effect,
    by,
    orgId: world.orgId,
    method: 'POST',
    path,
    key,
    body: JSON.stringify(body),
  }),
  noted: (paymentId) => (world.paymentIds.push(paymentId), paymentId),
});

/** Mostly small: an agreement has to last for hundreds of them. */
const amountOf = ({ emiPaise }: Sold, luck: Luck): number =>
  luck.next() < WHOLE_SHARE ? emiPaise : luck.between(1, emiPaise / luck.pick([2, 8, 20]));
const shopOf = ({ retailer, mini }: World, luck: Luck): Person => luck.pick([retailer, retailer, mini]);
const daysAgo = ({ today }: Known, days: number): string =>
  new Date(Date.parse(today) + NOON_UTC_MS - days * DAY_MS).toISOString();

/** Money that comes in. */
const payingActs = ({ known, luck, post, noted }: Desk) => ({
  /** Part, whole or several instalments, today or told late, by any way. */
  pay(
    sold: Sold,
    given: {
      paymentId?: string;
      paise?: number;
      reference?: string;
      back?: number;
      chargeId?: string;
      accepts?: boolean;
    } = {},
  ): Act {
    const paymentId = given.paymentId ?? noted(luck.id());
    const paise = given.paise ?? amountOf(sold, luck);
    const back = given.back ?? luck.pick([0, 0, 0, 2, 8, 20]);
    const method: PaymentMethod = given.reference === undefined ? luck.pick(['CASH', 'CASH', 'OTHER']) : 'UPI';
    return post({
      effect: { kind: 'pay', paymentId, paise },
      path: PATHS.updateEmiStatus.path,
      by: luck.pick(sold.shops),
      body: {
        payment_id: paymentId,
        instalment_id: luck.next() < 0.7 ? sold.instalmentIds.at(-1) : luck.pick(sold.instalmentIds),
        amount: paise,
        ...(given.chargeId && { charge_id: given.chargeId }),
        method,
        reference: given.reference ?? '',
        ...(back > 0 && { paid_at: daysAgo(known, back) }),
        ...(given.accepts && { accept_overpayment: true }),
      },
    });
  },
  payMany(sold: Sold): Act {
    const paymentId = noted(luck.id());
    const from = luck.between(0, 4);
    return post({
      effect: { kind: 'pay', paymentId, paise: null },
      path: PATHS.multipleEmiPaid.path,
      body: {
        payment_id: paymentId,
        customer_id: sold.customerId,
        instalment_ids: sold.instalmentIds.slice(from, from + 2),
        method: 'CASH',
      },
    });
  },
});

/** What becomes of it. */
const answeringActs = ({ world, luck, post, noted }: Desk) => ({
  reverse: (paymentId: string): Act =>
    post({
      effect: { kind: 'reverse', paymentId },
      path: PATHS.reversePayment.path,
      body: { payment_id: paymentId, reason: 'typed wrong' },
    }),
  claim(sold: Sold, given: { reference?: string; paise?: number } = {}): Act {
    const paymentId = noted(luck.id());
    world.claimIds.push(paymentId);
    const paise = given.paise ?? amountOf(sold, luck);
    const body = {
      payment_id: paymentId,
      amount: paise,
      method: 'UPI',
      reference: given.reference ?? reference(luck),
      again: true,
    };
    return post({
      effect: { kind: 'claim', paymentId, paise },
      path: PATHS.claimPayment.path,
      by: sold.person,
      body,
    });
  },
  answer: (paymentId: string, isReceived = luck.next() < 0.6): Act =>
    post({
      effect: { kind: 'answer', paymentId, isReceived },
      path: PATHS.answerClaim.path,
      body: { payment_id: paymentId, is_received: isReceived, ...(!isReceived && { reason: 'not in the bank' }) },
    }),
  refund: (paymentId: string): Act =>
    post({
      effect: { kind: 'refund', paymentId },
      path: PATHS.refundDone.path,
      by: world.retailer,
      body: { payment_id: paymentId, method: 'CASH' },
    }),
});

/** "This is wrong", and what is said to it. */
const disputeActs = ({ post }: Desk) => ({
  dispute: ({ customerId }: Sold): Act =>
    post({
      effect: { kind: 'order' },
      path: PATHS.openDispute.path,
      body: { customer_id: customerId, text: 'paid in cash on Monday' },
    }),
  closeDispute: (disputeId: string): Act =>
    post({
      effect: { kind: 'order' },
      path: PATHS.closeDispute.path,
      body: { dispute_id: disputeId, outcome: 'looked at together with the customer' },
    }),
});

/** Penal charges. */
const chargeActs = ({ world, luck, post }: Desk) => ({
  charge: (sold: Sold): Act =>
    post({
      effect: { kind: 'charge' },
      path: PATHS.sendPenalty.path,
      body: { customer_id: sold.customerId, ...(luck.next() < 0.5 && { amount: luck.between(1, 50_00) }) },
    }),
  waive: (charge: Known['charges'][number], amount?: number): Act =>
    post({
      effect: { kind: 'waive', chargeId: charge.id },
      path: PATHS.waivePenalty.path,
      by: shopOf(world, luck),
      body: { charge_id: charge.id, ...(amount && { amount }), reason: 'was ill' },
    }),
  decide: (waiverId: string, isGranted = luck.next() < 0.7): Act =>
    post({
      effect: { kind: 'decide', waiverId, isGranted },
      path: PATHS.decideWaiver.path,
      by: luck.pick([world.admin, world.retailer]),
      body: { waiver_id: waiverId, is_granted: isGranted },
    }),
});

/** Sales and the phones of them. */
const saleActs = ({ world, known, luck, post }: Desk) => ({
  sell(imei = nextImei(), by = shopOf(world, luck)): Act {
    return post({
      effect: { kind: 'sell', imei },
      path: PATHS.registerCustomer.path,
      by,
      body: saleOf(luck, known.today, imei),
    });
  },
  code: (customerId: string): Act => ({
    ...post({
      effect: { kind: 'code', customerId },
      path: `${PATHS.generateEmmCode.path}?customer_id=${customerId}`,
      body: {},
    }),
    method: 'GET',
    body: '',
  }),
  remove: (customerId: string): Act =>
    post({ effect: { kind: 'delete', customerId }, path: PATHS.deleteDraft.path, body: { customer_id: customerId } }),
  cancel: ({ customerId, agreementId }: Sold): Act =>
    post({
      effect: { kind: 'cancel', agreementId },
      path: PATHS.cancelAgreement.path,
      body: { customer_id: customerId, reason: 'the phone came back' },
    }),
  order: (
    sold: Sold,
    command = luck.pick(['lock', 'unlock', 'location', 'emi_alert', 'camera_lock', 'reboot', 'app_lock']),
  ): Act => {
    const isTaking = command === 'lock' || command.endsWith('_lock');
    return post({
      effect: { kind: 'order' },
      path: PATHS.sendCommand.path.replace(':command', command),
      body: { customer_id: sold.customerId, ...(isTaking && { reason: 'EMI_OVERDUE' }) },
    });
  },
  enrol: ({ customerId, code, imei }: Waiting): Act => ({
    ...post({ effect: { kind: 'enrol', customerId }, path: '', body: {} }),
    enrolling: { code, imei },
  }),
});

/** What changes an agreement while it runs. */
const changingActs = ({ luck, post }: Desk) => ({
  /** More EMIs and no interest: on no day more falls due than before, so no code of the customer is asked for. */
  revise: ({ customerId, agreementId }: Sold, tenure = luck.between(8, 20)): Act =>
    post({
      effect: { kind: 'revise', agreementId },
      path: PATHS.updateEmiDetails.path,
      body: { customer_id: customerId, tenure, rate_bps: 0, reason: 'lost his job' },
    }),
  exchange: ({ customerId }: Sold, imei = nextImei()): Act =>
    post({
      effect: { kind: 'exchange', imei },
      path: PATHS.updateCustomerDetails.path,
      body: {
        customer_id: customerId,
        edit: 'IMEI_EDIT',
        device: { imei1: imei, brand: 'Redmi', model: '13C' },
        reason: 'the display is broken',
      },
    }),
  transfer: ({ customerId }: Sold, from: Person, to: Person): Act =>
    post({
      effect: { kind: 'transfer', customerId, toUserId: to.userId },
      path: PATHS.transferCustomers.path,
      body: { from_user_id: from.userId, to_user_id: to.userId, customer_ids: [customerId], reason: 'moved house' },
    }),
});

const ofSold = ({ charges }: Known, { agreementId }: Sold) =>
  charges.filter((charge) => charge.agreementId === agreementId);

type Makers = ReturnType<typeof makersOf>;
const makersOf = (desk: Desk) => ({
  ...payingActs(desk),
  ...answeringActs(desk),
  ...disputeActs(desk),
  ...chargeActs(desk),
  ...saleActs(desk),
  ...changingActs(desk),
});

/** Anything a shop or its customer may do with one agreement, as far as there is something to do it to. */
function anyAct({ world, known, luck }: Desk, makers: Makers, sold: Sold): Act {
  const from = <T>(list: readonly T[], make: (one: T) => Act) => (list.length > 0 ? make(luck.pick(list)) : undefined);
  const options: (() => Act | undefined)[] = [
    () => makers.pay(sold),
    () => makers.pay(sold),
    () => makers.pay(sold, { reference: reference(luck) }),
    () => makers.payMany(sold),
    () => from(ofSold(known, sold), ({ id }) => makers.pay(sold, { chargeId: id })),
    () => from(world.paymentIds, makers.reverse),
    () => makers.claim(sold),
    () => from(world.claimIds, (id) => makers.answer(id)),
    () => makers.charge(sold),
    () => from(known.charges, (charge) => makers.waive(charge, luck.between(1, Math.max(1, charge.left)))),
    () => from(known.waivers, (id) => makers.decide(id)),
    () => from(known.refunds, makers.refund),
    () => makers.order(sold),
  ];
  return luck.pick(options)() ?? makers.pay(sold);
}

/** Makes acts in one world. Each is the call that the app sends. */
export function actsIn(world: World, known: Known, luck: Luck) {
  const desk = deskOf(world, known, luck);
  const makers = makersOf(desk);
  return { ...makers, any: (sold: Sold): Act => anyAct(desk, makers, sold) };
}

export type Acts = ReturnType<typeof actsIn>;

/** A UPI transaction's number, as people copy it. */
export const reference = (luck: Luck): string => `4${luck.between(10_000_000_000, 99_999_999_999)}`;
