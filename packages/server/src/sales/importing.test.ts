import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { checkWhole } from '#server/ledger/ledger.ts';
import { violations } from '#server/locking/invariants.ts';
import type { Tx } from '#server/platform/database.ts';
import { bookFile, mobileOf, rowOf } from '#test/book-file.ts';
import { imei, makeOrganisation, makePenalRule, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { importAgreements, type ImportReport } from './importing.ts';

const OTHER = 21;
let world: LockWorld;
let rival: Actor;
let row: Record<string, string> = {};
beforeAll(async () => {
  world = await createLockWorld();
  await makeOrganisation(world.db, OTHER);
  rival = await makeRetailer(world.db, OTHER);
  await makePenalRule(world.db, ORG);
  await world.at('2026-07-10T12:30:00');
  row = await rowOf(world);
});
afterAll(() => world.close());

const bring = (text: string, isDry = false, orgId = ORG): Promise<ImportReport> =>
  world.db.operator.transaction(orgId, (tx) => importAgreements(tx, SYSTEM(orgId), text, { isDry }));
/** Everything that an import could have touched, counted. */
const COUNTED = [
  'customers',
  'devices',
  'device_desired',
  'device_reports',
  'agreements',
  'instalments',
  'payments',
  'journals',
  'journal_lines',
  'audit_lines',
  'historic_agreements',
  'counters',
  'outbox',
  'notices',
  'key_reservations',
  'enrolments',
  'consents',
  'commands',
  'lock_policies',
];
const counts = async () =>
  (
    await world.db.asOwner<Record<string, number>>(
      `select ${COUNTED.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
    )
  )[0]!;
const faultsOf = ({ faults }: ImportReport) => faults.map(({ line, column, says }) => `${line} ${column}: ${says}`);
const booksAreRight = async () => {
  expect((await checkWhole(world.db, ORG)).faults).toEqual([]);
  expect(await world.db.read(ORG, violations)).toEqual([]);
};
let phones = 500_000;
const phone = () => imei((phones += 1));
const standing = async (row_ref: string) => {
  const [one] = await world.db.asOwner<{ agreement_id: string; customer_id: string; device_id: string }>(
    `select a.agreement_id, a.customer_id, a.device_id from historic_agreements h join agreements a using (org_id, agreement_id) where h.row_ref = $1`,
    [row_ref],
  );
  return one!;
};
const accountOf = async (row_ref: string) => {
  const { agreement_id } = await standing(row_ref);
  return world.db.read(ORG, (tx) => account(tx, { agreement_id }));
};

describe('a book of running EMIs', () => {
  it('comes in with what was paid of it, and the books are right', async () => {
    const before = await counts();
    const text = bookFile(
      {
        ...row,
        row_ref: 'A-1',
        imei1: phone(),
        first_name: 'सविता',
        last_name: 'मोरे',
        city: 'नाशिक, "जुने"',
        paid_emis: '3',
        emi: '1377',
      },
      {
        ...row,
        row_ref: 'A-2',
        imei1: phone(),
        method: 'REDUCING',
        fee: '300',
        anchor_day: '5',
        delivered_on: '20-01-2026',
        payments: '05-02-2026:1,700.50; 2026-03-06:500',
      },
      {
        ...row,
        row_ref: 'A-3',
        imei1: phone(),
        method: 'ZERO',
        rate: '',
        frequency: 'weekly',
        tenure: '40',
        delivered_on: '2026-06-01',
        paid_emis: '2',
        advance: '1000',
        first_due_on: '08/06/2026',
      },
    );
    const report = await bring(text);
    expect(faultsOf(report)).toEqual([]);
    expect(report).toMatchObject({ rows: 3, known: 0 });
    expect(report.agreements.map((one) => [one.agreement_no, one.emi_paise, one.paid_count])).toEqual([
      ['20-H00001', 1_377_00, 3],
      ['20-H00002', expect.any(Number), 1],
      ['20-H00003', 350_00, 4],
    ]);
    const first = await accountOf('A-1');
    expect(first.agreement).toMatchObject({
      state: 'active',
      owner_user_id: world.shop.userId,
      delivered_on: '2026-01-05',
      outstanding_paise: 16_520_00 - 3 * 1_377_00,
      oldest_due_on: '2026-05-05',
      oldest_due_paise: 1_377_00,
      penal: null,
      last_due_on: '2027-01-05',
    });
    expect(first.instalments.slice(0, 4).map((one) => one.paid_on)).toEqual([
      '2026-02-05',
      '2026-03-05',
      '2026-04-05',
      null,
    ]);
    const second = await accountOf('A-2');
    // 1,700.50 fill the first EMI with its fee; what is left of them and 500 go into the second.
    const [one, two] = second.instalments;
    expect(one).toMatchObject({
      due_on: '2026-02-05',
      fee_paise: 300_00,
      paid_fee_paise: 300_00,
      paid_on: '2026-02-05',
    });
    const inFirst = one!.principal_paise + one!.interest_paise + 300_00;
    expect(two!.paid_interest_paise + two!.paid_principal_paise).toBe(2_200_50 - inFirst);
    expect((await accountOf('A-3')).instalments.slice(0, 5).map((each) => each.paid_principal_paise)).toEqual([
      350_00, 350_00, 350_00, 350_00, 300_00,
    ]);
    await booksAreRight();
    const after = await counts();
    const grown = (table: string) => after[table]! - before[table]!;
    expect(['customers', 'devices', 'agreements', 'historic_agreements', 'instalments', 'payments'].map(grown)).toEqual(
      [3, 3, 3, 3, 64, 8 + 3],
    );
    expect(
      ['key_reservations', 'enrolments', 'consents', 'commands', 'outbox', 'notices', 'counters'].map(grown),
    ).toEqual([0, 0, 0, 0, 0, 0, 0]);
    const [{ first_name, address, status, is_draft }] = (await world.db.asOwner(
      'select first_name, address, status, is_draft from customers where customer_id = $1',
      [(await standing('A-1')).customer_id],
    )) as [Record<string, unknown>];
    expect({ first_name, address, status, is_draft }).toMatchObject({
      first_name: 'सविता',
      address: { city: 'नाशिक, "जुने"' },
      status: 0,
      is_draft: false,
    });
    const { agreement_id } = first.agreement;
    expect(await world.db.read(ORG, (tx) => audit.verify(tx, 'agreement', agreement_id))).toEqual({ ok: true });
  });

  it('brought in again changes nothing; a row that says something else is refused, and new rows come in beside known ones', async () => {
    const known = { ...row, row_ref: 'B-1', imei1: phone() };
    expect(faultsOf(await bring(bookFile(known)))).toEqual([]);
    const before = await counts();
    expect(await bring(bookFile(known))).toMatchObject({ rows: 1, known: 1, agreements: [], faults: [] });
    // The same words in another spelling.
    expect(await bring(bookFile({ ...known, cash_price: '16,000.00', method: 'flat' }))).toMatchObject({
      known: 1,
      faults: [],
    });
    expect(faultsOf(await bring(bookFile({ ...known, paid_emis: '1' })))).toEqual([
      expect.stringMatching(/^2 row_ref: came in before/),
    ]);
    expect(await counts()).toEqual(before);
    expect(await bring(bookFile(known, { ...row, row_ref: 'B-2', imei1: phone() }))).toMatchObject({
      rows: 2,
      known: 1,
      faults: [],
    });
    expect((await counts())['agreements']).toBe(before['agreements']! + 1);
    await booksAreRight();
  });

  it('is money that goes on as any other: a later payment, and one of the book taken back', async () => {
    await bring(bookFile({ ...row, row_ref: 'C-1', imei1: phone(), paid_emis: '5' }));
    const { agreement_id } = await standing('C-1');
    const { instalmentIds } = await accountOf('C-1');
    const paid = await world.inOrg((tx) =>
      world.payments.record(tx, world.shop, {
        instalment_id: instalmentIds.get(6)!,
        amount: 1_377_00,
        method: 'CASH',
        reference: '',
      }),
    );
    expect(paid).toMatchObject({ outstanding_paise: 16_520_00 - 6 * 1_377_00, agreement_state: 'active' });
    const [{ payment_id }] = (await world.db.asOwner(
      `select payment_id from payments where agreement_id = $1 and goes_to = 'dues' order by paid_on limit 1`,
      [agreement_id],
    )) as [{ payment_id: string }];
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the book was wrong'));
    expect((await accountOf('C-1')).agreement.outstanding_paise).toBe(16_520_00 - 5 * 1_377_00);
    await booksAreRight();
  });
});

describe('a file with something wrong', () => {
  it('is told line by line and column by column, and nothing of it comes in', async () => {
    const taken = phone();
    await bring(bookFile({ ...row, row_ref: 'E-0', imei1: taken }));
    const before = await counts();
    const report = await bring(
      bookFile(
        { ...row, row_ref: 'E-1', imei1: phone() },
        { ...row, row_ref: 'E-2', imei1: '356938035643808', mobile: '12', cash_price: 'much' },
        { ...row, row_ref: 'E-3', imei1: taken, shop_mobile: '9999999999', plan_id: '3' },
        { ...row, row_ref: 'E-1', imei1: phone(), delivered_on: '2026-07-11' },
        { ...row, row_ref: 'E-5', imei1: phone(), emi: '1376', first_due_on: '2026-02-06', first_name: '' },
        { ...row, row_ref: 'E-6', imei1: phone(), emi: '1376', first_due_on: '2026-02-06', paid_emis: '12' },
        { ...row, row_ref: 'E-7', imei1: phone(), payments: '2026-01-04:100' },
        { ...row, row_ref: 'E-8', imei1: phone(), payments: 'yesterday', method: 'ZERO' },
        { ...row, row_ref: 'E-9', imei1: phone(), payments: '2026-02-05:100', paid_emis: '1', rate: '18.255' },
        { ...row, row_ref: 'E-10', imei1: phone(), payments: '2026-07-11:100' },
      ),
    );
    const wrong = new Set(report.faults.map(({ line, column }) => `${line} ${column}`));
    for (const place of [
      '3 cash_price',
      '3 imei1',
      '3 mobile',
      '4 imei1',
      '4 plan_id',
      '4 shop_mobile',
      '5 delivered_on',
      '5 row_ref',
      '6 first_name',
      '7 emi',
      '7 first_due_on',
      '7 paid_emis',
      '8 payments',
      '9 payments',
      '10 payments',
      '10 rate',
      '11 payments',
    ])
      expect(wrong, place).toContain(place);
    expect([...wrong].filter((place) => place.startsWith('2 '))).toEqual([]);
    expect(report.agreements).toEqual([]);
    expect(await counts()).toEqual(before);
  });

  it('with other columns is refused as a whole', async () => {
    const told = faultsOf(await bring('row_ref,imei,row_ref\r\nx,y,z'));
    expect(told).toContain('1 : there is no column “imei”');
    expect(told).toContain('1 : the column row_ref stands twice');
    expect(told).toContain('1 : the column cash_price is missing');
    expect(faultsOf(await bring(''))).toEqual(['1 : the file is empty']);
    expect(faultsOf(await bring('a-key')).join()).toBe('1 : no column of a book is named here: is it another file?');
    const short = `${bookFile({ ...row, row_ref: 'F', imei1: phone() })}only one field\r\n`;
    expect(faultsOf(await bring(short))).toContainEqual(expect.stringMatching(/^3 : has 1 fields where/));
  });

  it('is told in a dry run too; one that is right is told as it would come in, and writes nothing', async () => {
    const before = await counts();
    const right = bookFile({ ...row, row_ref: 'G-1', imei1: phone(), paid_emis: '2' });
    expect(await bring(right, true)).toMatchObject({
      rows: 1,
      known: 0,
      faults: [],
      agreements: [
        {
          line: 2,
          row_ref: 'G-1',
          agreement_no: null,
          emi_paise: 1_377_00,
          paid_count: 2,
          first_due_on: '2026-02-05',
          overdue_paise: 4 * 1_377_00,
        },
      ],
    });
    expect(faultsOf(await bring(bookFile({ ...row, row_ref: '', imei1: phone() }), true))).toEqual([
      '2 row_ref: is missing',
    ]);
    expect(await counts()).toEqual(before);
  });

  it('never reaches another organisation’s shops, rows or phones', async () => {
    const [imei1, theirs] = [phone(), (await mobileOf(world, rival)).slice(3)];
    const mine = { ...row, row_ref: 'H-1', imei1 };
    expect(faultsOf(await bring(bookFile({ ...mine, shop_mobile: theirs })))).toEqual([
      '2 shop_mobile: is no active shop of this organisation',
    ]);
    await bring(bookFile(mine));
    expect(await bring(bookFile({ ...mine, shop_mobile: theirs }), false, OTHER)).toMatchObject({
      known: 0,
      faults: [],
      agreements: [{ agreement_no: '21-H00001' }],
    });
  });
});

describe('a phone of the book', () => {
  it('is never locked for debt: without our consent not even when it is enrolled, notified and weeks late', async () => {
    await bring(bookFile({ ...row, row_ref: 'L-1', imei1: phone(), delivered_on: '2026-01-05' }));
    const one = await standing('L-1');
    const sale = {
      customerId: one.customer_id,
      deviceId: one.device_id,
      agreement: (await accountOf('L-1')).agreement,
    };
    await world.forgetDays();
    for (const day of ['2026-07-13', '2026-07-14', '2026-07-15', '2026-07-16']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(0);
    await world.enrol(sale);
    for (const day of ['2026-07-17', '2026-07-18', '2026-07-20', '2026-07-21']) await world.day(day);
    const refused = await world.inOrg((tx) =>
      world.locking.requestLock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }),
    );
    expect(refused).toMatchObject({ refused: { rule: 'CONSENT_MISSING' } });
    expect(await world.levelOf(sale)).toBe(0);
    expect(await world.db.asOwner('select from charges where agreement_id = $1', [one.agreement_id])).toEqual([]);
  }, 120_000);
});

// Last: so many rows of which the planner knows nothing yet make every other test wait.
describe('a large book', () => {
  it('of a thousand rows takes some dozens of statements', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      ...row,
      row_ref: `D-${n}`,
      imei1: phone(),
      tenure: '3',
      paid_emis: '1',
      rate: '12',
    }));
    let asked = 0;
    const report = await world.db.operator.transaction(ORG, (tx) => {
      const counting = new Proxy(tx, {
        get(of, name) {
          const value: unknown = Reflect.get(of, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            if (name !== 'afterCommit') asked += 1;
            return (value as (...given: unknown[]) => unknown).apply(of, args);
          };
        },
      }) as Tx;
      return importAgreements(counting, SYSTEM(ORG), bookFile(...rows), { isDry: false });
    });
    expect([report.agreements.length, faultsOf(report)]).toEqual([1_000, []]);
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(120);
    await world.db.asOwner('analyze');
    await booksAreRight();
  }, 120_000);
});
