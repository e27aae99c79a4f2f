import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCK_ACCESS_WORDS, NEEDS, type Need, USER_ACCESS_WORDS, missingWord } from '@kist/contract/access';
import { listCustomersQuery, registerBodySchema } from '@kist/contract/customers';
import { addDays, isoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { request } from '#server/commands/commands.ts';
import { batch, getDevice, timeline } from '#server/commands/history.ts';
import { freshToken } from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { mayStepUp } from '#server/identity/policy.ts';
import * as locking from '#server/locking/locking.ts';
import { ownNotifications } from '#server/notices/notifications.ts';
import * as notices from '#server/notices/notices.ts';
import * as payments from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { createServices, type TestServices } from '#test/services.ts';

/**
 * The services' own doors, without http before them: a job, a stream or a route to come must not get around the access words. Each door with the words
 * that open it (`a b` both, `a|b` one of them), written apart from the contract's table.
 */
let world: LockWorld;
let sale: Sale;
let services: TestServices;

type Door = [name: string, words: string, open: (tx: Tx, actor: Actor) => unknown];
const PAGE = { page: 1, page_size: 10 };
const lock = { reason: 'EMI_OVERDUE' } as const;
const png = Buffer.from('not a picture');
const links = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
const doors: Door[] = [
  ['the customers', 'read', (tx, actor) => reports.customerList(tx, actor, listCustomersQuery.parse({}))],
  [
    'whom a filter means, for orders and reminders to many',
    'read',
    (tx, actor) => reports.customerIds(tx, actor, { filter: { search: 'irfan' }, max: 10 }),
  ],
  ['a customer', 'read', (tx, actor) => reports.customerProfile(tx, actor, { customer_id: sale.customerId })],
  ['instalments and payments', 'read', (tx, actor) => reports.emiDetails(tx, actor, { customer_id: sale.customerId })],
  ['what is due', 'read', (tx, actor) => reports.upcoming(tx, actor, { ...PAGE, bucket: 'week' })],
  ['what is due, counted', 'read', (tx, actor) => reports.upcomingCounts(tx, actor)],
  ['the day', 'read', (tx, actor) => reports.dashboard(tx, actor)],
  ['what is outstanding', 'read', (tx, actor) => reports.totalOutstanding(tx, actor)],
  ['the documents', 'read', (tx, actor) => documents.list(tx, actor, { customer_id: sale.customerId })],
  ['a document', 'read', (tx, actor) => documents.link(tx, actor, { document_id: newId() })],
  ['a phone, once and as a stream', 'read', (tx, actor) => getDevice(tx, actor, sale.deviceId)],
  ['a phone’s history', 'read', (tx, actor) => timeline(tx, actor, sale.deviceId, PAGE)],
  ['a bulk order’s progress', 'read', (tx, actor) => batch(tx, actor, newId())],
  ['the bell', 'read', (tx, actor) => ownNotifications(tx, actor, PAGE)],
  [
    'taking a payment',
    'read',
    (tx, actor) =>
      services.payments.record(tx, actor, { instalment_id: newId(), amount: 100, method: 'CASH', reference: '' }),
  ],
  [
    'taking several',
    'read',
    (tx, actor) =>
      services.payments.recordMany(tx, actor, {
        customer_id: sale.customerId,
        instalment_ids: [newId()],
        method: 'CASH',
        reference: '',
      }),
  ],
  ['taking a payment back', 'read', (tx, actor) => services.payments.reverse(tx, actor, newId(), 'wrong customer')],
  [
    'answering a claim',
    'read',
    (tx, actor) => services.payments.answerClaim(tx, actor, { payment_id: newId(), is_received: true }),
  ],
  ['what is to be given back', 'read', (tx, actor) => payments.refundTasks(tx, actor)],
  [
    'giving money back',
    'read',
    (tx, actor) => payments.refundDone(tx, actor, { payment_id: newId(), method: 'CASH', reference: '' }),
  ],
  [
    'a penalty by hand',
    'read',
    (tx, actor) => payments.chargeByHand(tx, services.notices, actor, { customer_id: sale.customerId }),
  ],
  [
    'waiving a penalty',
    'read',
    (tx, actor) => payments.waivePenalty(tx, services.notices, actor, { charge_id: newId(), reason: 'was ill' }),
  ],
  [
    'deciding on a waiver',
    'read',
    (tx, actor) => payments.decideWaiver(tx, services.notices, actor, { waiver_id: newId(), is_granted: false }),
  ],
  ['whom to pay', 'read', (tx, actor) => reports.payTo(tx, actor, { customer_id: sale.customerId })],
  ['a certificate', 'read', (tx, actor) => reports.certificate(tx, actor, { customer_id: sale.customerId })],
  ['a customer’s history', 'read', (tx, actor) => reports.customerHistory(tx, actor, { customer_id: sale.customerId })],
  ['all that is kept', 'read', (tx, actor) => reports.customerData(tx, actor, { customer_id: sale.customerId })],
  [
    'the link of the notices',
    'read',
    (tx, actor) => notices.noticeLink(tx, links, actor, { customer_id: sale.customerId }),
  ],
  [
    'another link',
    'feature_access read',
    (tx, actor) => notices.renewLink(tx, actor, { customer_id: sale.customerId }),
  ],
  ['what waits for a second person', 'read', (tx, actor) => locking.whatWaits(tx, actor, { page: 1, page_size: 20 })],
  ['what phones are locked under', 'read', (tx, actor) => locking.lockRules(tx, actor)],
  ['what the coming days lock', 'read', (tx, actor) => locking.comingSteps(tx, actor, { days: 7 })],
  ['the keys', 'read|active_deactive', (tx, actor) => wallet.ownKeys(tx, actor)],
  [
    'registering',
    'active_deactive',
    (tx, actor) => sales.register(tx, actor, registerBodySchema.parse({ draft: true, plan_id: 1 })),
  ],
  ['deleting a draft', 'active_deactive', (tx, actor) => sales.deleteDraft(tx, actor, { customer_id: newId() })],
  [
    'a key for a code',
    'active_deactive',
    (tx, actor) => sales.setKeyAside(tx, actor, { customer_id: sale.customerId }),
  ],
  ['an enrolment code', 'active_deactive', (tx, actor) => freshToken(tx, actor, sale.deviceId, services.agent.offerOf)],
  [
    'keeping a document',
    'active_deactive',
    (_tx, actor) =>
      documents.keep(services.db, actor, { customer_id: sale.customerId, document_type: 'signature', bytes: png }),
  ],
  [
    'an order',
    'feature_access',
    (tx, actor) =>
      request(tx, world.waker, actor, { customerId: sale.customerId, type: 'reboot', reason: 'CUSTOMER_REQUEST' }),
  ],
  ['a reminder', 'feature_access', (tx, actor) => services.notices.sendAlert(tx, actor, sale.customerId)],
  ['many reminders', 'feature_access', (tx, actor) => services.notices.sendAlerts(tx, actor, [sale.customerId])],
  [
    'a reminder as an order',
    'feature_access',
    (tx, actor) =>
      services.notices.alertOnPhone(tx, actor, { customerId: sale.customerId }, async () => ({
        commandId: newId(),
        isOrdered: true,
      })),
  ],
  ['a lock', 'lock_unlock lock', (tx, actor) => services.locking.requestLock(tx, actor, sale.customerId, lock)],
  [
    'a lock, asked about',
    'lock_unlock lock read',
    (tx, actor) => services.locking.previewLock(tx, actor, sale.customerId, lock),
  ],
  [
    'a switch, asked about',
    'feature_access read',
    (tx, actor) =>
      services.locking.previewSwitch(tx, actor, { customerId: sale.customerId, type: 'app_lock', ...lock }),
  ],
  ['an unlock', 'lock_unlock unlock', (tx, actor) => services.locking.requestUnlock(tx, actor, sale.customerId, lock)],
  [
    'a bulk lock',
    'lock_unlock lock',
    (tx, actor) =>
      services.locking.bulk(tx, actor, { command: 'lock', ...lock, customer_ids: [sale.customerId], dry_run: false }),
  ],
  [
    'a bulk lock, asked about',
    'lock_unlock lock read',
    (tx, actor) =>
      services.locking.bulk(tx, actor, { command: 'lock', ...lock, customer_ids: [sale.customerId], dry_run: true }),
  ],
  [
    'a bulk unlock',
    'lock_unlock unlock',
    (tx, actor) =>
      services.locking.bulk(tx, actor, { command: 'unlock', ...lock, customer_ids: [sale.customerId], dry_run: false }),
  ],
  [
    'a bulk unlock, asked about',
    'lock_unlock unlock read',
    (tx, actor) =>
      services.locking.bulk(tx, actor, { command: 'unlock', ...lock, customer_ids: [sale.customerId], dry_run: true }),
  ],
  ['granting a hold', 'lock_unlock unlock', (tx, actor) => services.locking.hold(tx, actor, grant())],
  [
    'lifting a hold',
    'lock_unlock lock',
    async (tx, actor) => {
      const { hold_id } = await services.locking.hold(tx, world.shop, grant());
      return services.locking.liftHold(tx, actor, { holdId: hold_id, note: 'paid again' });
    },
  ],
  [
    'closing a dispute',
    'lock_unlock lock',
    async (tx, actor) => {
      const { dispute_id } = await services.locking.openDispute(tx, world.shop, {
        customerId: sale.customerId,
        text: 'I paid',
      });
      return services.locking.closeDispute(tx, actor, { disputeId: dispute_id, outcome: 'not so' });
    },
  ],
];
const grant = () => ({
  customerId: sale.customerId,
  kind: 'medical' as const,
  untilOn: addDays(isoDate('2026-03-05'), 5),
  note: 'in hospital',
});
const WORDS = [...USER_ACCESS_WORDS, ...LOCK_ACCESS_WORDS];

const without = (off: readonly string[], actor = world.shop): Actor => {
  const given = (words: readonly string[]) =>
    Object.fromEntries(words.map((word) => [word, off.includes(word) ? '0' : '1']));
  return {
    ...actor,
    access: given(USER_ACCESS_WORDS) as Actor['access'],
    lockAccess: given(LOCK_ACCESS_WORDS) as Actor['lockAccess'],
  };
};

/** Tries a door and leaves nothing behind. @returns whether the access words kept it shut */
async function isShut([, , open]: Door, actor: Actor): Promise<boolean> {
  const undo = new Error('undo');
  let outcome: unknown;
  await services.db
    .transaction(ORG, async (tx) => {
      // A sync throw counts like a rejection: whoever asks awaits it.
      outcome = await Promise.resolve()
        .then(() => open(tx, actor))
        .catch((error: unknown) => error);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return outcome instanceof KistError && outcome.code === 'FEATURE_NOT_ALLOWED';
}

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
  services = createServices(world.db);
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

test.each(doors)('%s opens with %s and no other word', async (...door) => {
  const needs = door[1].split(' ').map((need) => need.split('|'));
  for (const word of WORDS)
    expect([word, await isShut(door, without([word]))]).toEqual([word, needs.some((need) => need.join() === word)]);
  for (const need of needs) expect(await isShut(door, without(need))).toBe(true);
  expect(await isShut(door, without([]))).toBe(false);
});

test('a mini-retailer orders many phones at once only with bulk_retailer', async () => {
  const mini = { ...world.shop, userType: 'miniretailer' as const };
  for (const name of ['a bulk lock', 'a bulk unlock']) {
    const door = doors.find(([one]) => one === name)!;
    expect(await isShut(door, without(['bulk_retailer'], mini))).toBe(true);
    expect(await isShut(door, without([], mini))).toBe(false);
    expect(await isShut(door, without(['bulk_retailer']))).toBe(false);
  }
});

test('the server itself is asked for none, and a customer for none of the own', async () => {
  const nobody = without(WORDS);
  const customer: Actor = { ...nobody, userType: 'customer', customerIds: [sale.customerId], visibleOwnerIds: [] };
  for (const door of doors) {
    expect([door[0], await isShut(door, { ...without(WORDS), ...SYSTEM(ORG), access: nobody.access })]).toEqual([
      door[0],
      false,
    ]);
    // Whoever said that it is paid does not answer it.
    if (door[1] === 'read')
      expect([door[0], await isShut(door, customer)]).toEqual([door[0], door[0] === 'answering a claim']);
  }
});

test('whoever is of no type that is named is bound by every word', () => {
  const word = (userType: string, needs: readonly Need[]) => missingWord({ ...without(WORDS), userType }, needs);
  for (const needs of Object.values<readonly Need[]>(NEEDS)) {
    for (const userType of ['collector', '', 'Admin']) expect(word(userType, needs), userType).toBeDefined();
    for (const userType of ['customer', 'admin', 'system']) expect(word(userType, needs), userType).toBeUndefined();
  }
  expect(word('collector', [{ miniretailer: 'bulk_retailer' }])).toBe('bulk_retailer');
});

test('a step-up code takes both words of what it is for', () => {
  for (const word of WORDS) {
    expect([word, mayStepUp(without([word]), 'UNINSTALL')]).toEqual([word, !['unistall', 'uninstall'].includes(word)]);
    expect([word, mayStepUp(without([word]), 'BYPASS_CODE')]).toEqual([
      word,
      !['lock_unlock', 'unlock'].includes(word),
    ]);
  }
});
