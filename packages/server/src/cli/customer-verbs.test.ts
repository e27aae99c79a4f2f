import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { isErased } from '@kist/contract/erased';
import type { CustomerData, Erasure } from '@kist/contract/privacy';
import * as customers from '#server/customers/customers.ts';
import * as payments from '#server/payments/payments.ts';
import * as sales from '#server/sales/sales.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { makeOrganisation } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { customerCommands } from './customer-verbs.ts';
import { refusalOf } from './refusal.ts';
import { carryOut, read } from './verbs.ts';

const OTHER = 21;
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await makeOrganisation(world.db, OTHER);
});
afterAll(() => world.close());
const { sell, cancel } = cancellingActs(() => world);

/** @returns what is printed, or how it ends where it is refused */
async function kist(verb: string, ...typed: string[]) {
  try {
    const asked = read('customer', customerCommands['customer']!.verbs!, [verb, ...typed]);
    if (typeof asked === 'string') return { lines: [asked], data: {} };
    return await carryOut(deskOf(world.db), asked);
  } catch (error) {
    return { lines: [], data: refusalOf(error) };
  }
}
const erase = (who: string, ...more: string[]) => kist('erase', String(ORG), who, ...more);
const NOT_YET = '  Nothing is done yet: say --yes.';
const WHY = ['--reason', 'asked by letter of 3 March'];

/** Never set up, cancelled, with nothing owed back. */
async function finished(): Promise<Sale> {
  const sale = await sell({ isEnrolled: false });
  await cancel(sale);
  const open = await world.db.asOwner<{ payment_id: string }>(
    `select payment_id from refund_tasks where customer_id = $1 and state = 'open'`,
    [sale.customerId],
  );
  for (const { payment_id } of open)
    await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id, method: 'CASH', reference: '' }));
  return sale;
}
const rowOf = async ({ customerId }: Sale) =>
  (
    await world.db.asOwner<{ first_name: string }>('select first_name from customers where customer_id = $1', [
      customerId,
    ])
  )[0]!;

test('all that is kept of a customer is printed for a program, and counted for a person, by id or agreement’s number', async () => {
  const sale = await sell();
  const { data, lines } = await kist('data', String(ORG), sale.customerId);
  expect((data as CustomerData).customer).toMatchObject({ customer_id: sale.customerId, first_name: 'Irfan' });
  expect((data as CustomerData).consents).toHaveLength(1);
  expect(lines).toContain('     1  consents');
  // Who looks over a shoulder at the counts learns nobody's name.
  for (const word of ['Irfan', 'Shaikh', '9812345214']) expect(lines.join('\n'), word).not.toContain(word);
  const byNumber = await kist('data', String(ORG), sale.agreement.agreement_no);
  expect((byNumber.data as CustomerData).customer.customer_id).toBe(sale.customerId);
});

test('a customer of another organisation is not found, by id and by number, neither to be told nor erased', async () => {
  const sale = await finished();
  for (const verb of ['data', 'erase'])
    for (const more of verb === 'erase' ? [[], [...WHY, '--yes']] : [[]]) {
      expect((await kist(verb, String(OTHER), sale.customerId, ...more)).data).toMatchObject({ code: 'NOT_FOUND' });
      expect((await kist(verb, String(OTHER), sale.agreement.agreement_no, ...more)).data).toMatchObject({
        code: 'USAGE',
      });
    }
  expect(isErased(await rowOf(sale))).toBe(false);
});

test('whose agreement runs is not erased, with the code that the shop gets, and it is said beforehand', async () => {
  const sale = await sell();
  expect(await erase(sale.customerId)).toMatchObject({
    data: { refused: 'AGREEMENT_RUNS', erased_at: null },
    lines: ['  cannot be erased now: AGREEMENT_RUNS'],
  });
  const ofShop = await world
    .inOrg((tx) => sales.eraseCustomer(tx, world.shop, { customer_id: sale.customerId }))
    .catch((error: { code: string }) => error.code);
  expect((await erase(sale.customerId, ...WHY, '--yes')).data).toMatchObject({
    code: ofShop,
    message: expect.stringContaining('AGREEMENT_RUNS'),
    exitCode: 1,
  });
  expect(ofShop).toBe('STATE_CONFLICT');
  expect(isErased(await rowOf(sale))).toBe(false);
});

test('whom money is owed for a lock is not erased, with the code that says so', async () => {
  const sale = await paidLate(world, { tenure: 1 });
  expect(await erase(sale.customerId)).toMatchObject({ lines: ['  cannot be erased now: COMPENSATION_OPEN'] });
  expect((await erase(sale.customerId, ...WHY, '--yes')).data).toMatchObject({
    code: 'STATE_CONFLICT',
    message: expect.stringContaining('COMPENSATION_OPEN'),
  });
  expect(isErased(await rowOf(sale))).toBe(false);
});

test('of a sale that was only begun nothing stays: it is deleted as its shop deletes it, with a reason and a yes', async () => {
  const draft = await world.inOrg(async (tx) => {
    const customer = await customers.begin(tx, world.shop, { plan_id: 1, plan_type: PLAN.DPC });
    await customers.change(tx, world.shop, { customer, fields: { first_name: 'Kanchan', mobile: '+919812345777' } });
    return customer.customer_id;
  });
  await world.db.asOwner(
    `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
     values ($1, gen_random_uuid(), $2, 'photo', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $3, kist_now())`,
    [ORG, draft, world.shop.userId],
  );
  const left = async () =>
    (
      await world.db.asOwner<{ id: string }>(
        'select customer_id as id from customers where customer_id = $1 union all select customer_id from documents where customer_id = $1',
        [draft],
      )
    ).length;
  expect(await erase(draft)).toMatchObject({ data: { refused: 'DRAFT' }, lines: [expect.any(String), NOT_YET] });
  expect((await erase(draft, '--yes')).data).toMatchObject({ code: 'USAGE' });
  expect((await erase(draft, '--reason', 'Kanchan wrote', '--yes')).data).toMatchObject({ code: 'INVALID_INPUT' });
  expect((await kist('erase', String(OTHER), draft, ...WHY, '--yes')).data).toMatchObject({ code: 'NOT_FOUND' });
  expect(await left()).toBe(2);
  expect((await erase(draft, ...WHY, '--yes')).data).toEqual({ customer_id: draft, keys_returned: 0 });
  expect(await left()).toBe(0);
  const noted = await world.db.asOwner(
    `select data from audit_lines where subject_id = $1 and action = 'draft_deleted'`,
    [draft],
  );
  expect(noted).toEqual([{ data: { reason: WHY[1] } }]);
  expect((await erase(draft, ...WHY, '--yes')).data).toMatchObject({ code: 'NOT_FOUND' });
});

test('an erasure takes a reason and a yes; the reason stays, with who it was asked of, and says no name or number of the customer', async () => {
  const sale = await finished();
  const { agreement_no } = sale.agreement;
  const { data, lines } = await erase(agreement_no);
  expect(data).toMatchObject({ customer_id: sale.customerId, erased_at: null, refused: null });
  expect(lines).toContainEqual(expect.stringMatching(/books and messages stay, without a name; .* until \d{4}-03-31$/));
  expect(lines.at(-1)).toBe(NOT_YET);
  expect((await erase(agreement_no, '--yes')).data).toMatchObject({ code: 'USAGE' });
  for (const reason of ['letter of Mr. SHAIKH', 'call from 98123 45214', 'called from +919812345214'])
    expect((await erase(agreement_no, '--reason', reason, '--yes')).data, reason).toMatchObject({
      code: 'INVALID_INPUT',
    });
  expect(isErased(await rowOf(sale))).toBe(false);

  const done = await erase(agreement_no, ...WHY, '--yes');
  expect((done.data as Erasure).erased_at).toEqual(expect.any(String));
  expect(isErased(await rowOf(sale))).toBe(true);
  const [row] = await world.db.asOwner('select asked_as from erasures where customer_id = $1', [sale.customerId]);
  expect(row).toEqual({ asked_as: 'operator' });
  const noted = await world.db.asOwner<{ data: object }>(
    `select data from audit_lines where subject_id = $1 and action = 'customer_erased'`,
    [sale.customerId],
  );
  expect(noted).toEqual([{ data: expect.objectContaining({ asked_as: 'operator', reason: WHY[1] }) }]);
  expect((await erase(agreement_no, ...WHY, '--yes')).data).toEqual(done.data);
});
