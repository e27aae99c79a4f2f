import type { Act, Acts, Known } from './acts.ts';
import { reference } from './acts.ts';
import type { Stop } from './gates.ts';
import type { Luck } from './random.ts';
import type { Sold, Waiting, World } from './world.ts';

/** Who can be sent where. */
export interface Scene {
  acts: Acts;
  world: World;
  known: Known;
  luck: Luck;
  /** A running agreement, and another. */
  sold: Sold;
  other: Sold;
  waiting: Waiting[];
  /** Orders to and payments for a phone that may be locked now. */
  ofFleet: Act[];
}

/** A named moment of the product's life, and who reaches it. `day`: the daily run of a server that has just started does. */
export interface Point {
  name: string;
  stop: Stop;
  by: 'day' | ((scene: Scene) => Act[]);
  /** Phones with a code are needed. */
  needsPhones?: true;
}

const at = (table: string): Stop => ({ table });
const pay = ({ acts, sold }: Scene): Act[] => [acts.pay(sold, { back: 0, paise: 50_00 })];
const reverse = ({ acts, world, luck }: Scene): Act[] => [acts.reverse(luck.pick(world.paymentIds))];
const early = ({ acts, sold }: Scene): Act[] => [acts.pay(sold, { back: 30, paise: 300_00 })];
const upi = ({ acts, sold, luck }: Scene): Act[] => [acts.pay(sold, { reference: reference(luck), paise: 70_00 })];
const claim = ({ acts, sold }: Scene): Act[] => [acts.claim(sold, { paise: 60_00 })];
const answer = ({ acts, sold }: Scene): Act[] => {
  const told = acts.claim(sold, { paise: 60_00 });
  const id = 'paymentId' in told.effect ? told.effect.paymentId : '';
  return [told, acts.answer(id, true)];
};
const sale = ({ acts, world }: Scene): Act[] => [acts.sell(undefined, world.retailer)];
const enrolment = ({ acts, waiting }: Scene): Act[] => waiting.slice(0, 1).map((phone) => acts.enrol(phone));
const order = ({ acts, sold, luck }: Scene): Act[] => [
  acts.order(sold, luck.pick(['location', 'reboot', 'lock', 'unlock'])),
];
const charge = ({ acts, sold, other }: Scene): Act[] => [acts.charge(sold), acts.charge(other)];
const lock = ({ ofFleet }: Scene): Act[] => ofFleet;
const waive = ({ acts, known, luck }: Scene): Act[] =>
  known.charges.length > 0 ? [acts.waive(luck.pick(known.charges), 1_00)] : [];

/** Every statement that writes something of a payment, a reversal, a claim, a charge, a sale, an enrolment, an order or the day, once at least. */
export const POINTS: readonly Point[] = [
  { name: 'payment: its key is claimed', stop: at('idempotency_keys'), by: pay },
  { name: 'payment: the journal is written', stop: at('journals'), by: pay },
  { name: 'payment: the lines are written', stop: at('journal_lines'), by: pay },
  { name: 'payment: instalments are paid', stop: at('instalments'), by: pay },
  { name: 'payment: the agreement is brought up to date', stop: at('agreements'), by: pay },
  { name: 'payment: the receipt is numbered', stop: at('counters'), by: pay },
  { name: 'payment: the audit line is written', stop: at('audit_lines'), by: pay },
  { name: 'payment: the message is put out', stop: at('outbox'), by: pay },
  { name: 'payment: the row is written', stop: at('payments'), by: upi },
  { name: 'payment: its move is told', stop: at('payment_moves'), by: pay },
  { name: 'payment: the reply is kept', stop: { advisory: 'reply' }, by: pay },
  { name: 'payment: the commit', stop: { advisory: 'commit' }, by: pay },
  { name: 'payment: committed, not answered', stop: 'committed', by: pay },
  { name: 'money of an earlier day: the lines of what it moves', stop: at('journal_lines'), by: early },
  { name: 'money of an earlier day: charges go', stop: at('charges'), by: early },
  { name: 'reversal: the payment is marked', stop: at('payments'), by: reverse },
  { name: 'reversal: the mirror is written', stop: at('journals'), by: reverse },
  { name: 'reversal: instalments are open again', stop: at('instalments'), by: reverse },
  { name: 'reversal: the note is numbered', stop: at('counters'), by: reverse },
  { name: 'reversal: the commit', stop: { advisory: 'commit' }, by: reverse },
  { name: 'reversal: committed, not answered', stop: 'committed', by: reverse },
  { name: 'claim: the row is written', stop: at('payments'), by: claim },
  { name: 'claim: the ladder rests', stop: at('holds'), by: claim },
  { name: 'claim: the shop’s bell', stop: at('notifications'), by: claim },
  { name: 'claim answered: the journal is written', stop: at('journals'), by: answer },
  { name: 'claim answered: the commit', stop: { advisory: 'commit' }, by: answer },
  { name: 'penal charge by hand: the charge is written', stop: at('charges'), by: charge },
  { name: 'waiver: the row is written', stop: at('waivers'), by: waive },
  { name: 'waiver: the charge is less', stop: at('charges'), by: waive },
  { name: 'sale: a key is set aside', stop: at('wallets'), by: sale },
  { name: 'sale: the reservation is written', stop: at('key_reservations'), by: sale },
  { name: 'sale: the agreement is written', stop: at('agreements'), by: sale },
  { name: 'sale: the rows are written', stop: at('instalments'), by: sale },
  { name: 'sale: the down payment is written', stop: at('payments'), by: sale },
  { name: 'sale: the consent is written', stop: at('consents'), by: sale },
  { name: 'sale: the commit', stop: { advisory: 'commit' }, by: sale },
  { name: 'sale: committed, not answered', stop: 'committed', by: sale },
  { name: 'enrolment: the phone’s key is bound', stop: at('enrolments'), by: enrolment, needsPhones: true },
  { name: 'enrolment: the key is spent', stop: at('wallets'), by: enrolment, needsPhones: true },
  { name: 'enrolment: the first document', stop: at('device_desired'), by: enrolment, needsPhones: true },
  { name: 'order: it is queued', stop: at('commands'), by: order },
  { name: 'order: the commit', stop: { advisory: 'commit' }, by: order },
  { name: 'order: committed, not answered', stop: 'committed', by: order },
  { name: 'lock: the verdict is written', stop: at('verdicts'), by: lock },
  { name: 'lock: the cause is written', stop: at('locks'), by: lock },
  { name: 'lock or unlock: the document of the phone', stop: at('device_desired'), by: lock },
  { name: 'unlock by a payment: the cure is noted', stop: at('cures'), by: lock },
  { name: 'day: charges are written', stop: at('charges'), by: 'day' },
  { name: 'day: notices are written', stop: at('notices'), by: 'day' },
  { name: 'day: leases are made anew', stop: at('device_desired'), by: 'day' },
  { name: 'day: a step is noted', stop: at('daily_steps'), by: 'day' },
  { name: 'day: the books were looked at', stop: at('book_checks'), by: 'day' },
  { name: 'day: the root of the audit', stop: at('audit_roots'), by: 'day' },
];
