import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import * as customers from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { customerIds } from './customer-list.ts';

const db = await createTestDatabase();
let shop: Actor;
/** The people of the shop, each with what the list's search looks in. */
const PEOPLE = {
  irfan: ['Irfan', 'Shaikh'],
  sunita: ['Sunita', 'Gaikwad'],
  laxmi: ['Laxmi', 'Kamble'],
  phadke: ['Vishwas', 'Phadke'],
  ramesh: ['रमेश', 'पाटील'],
  singh: ['ਗੁਰਪ੍ਰੀਤ', 'ਸਿੰਘ'],
  murugan: ['முருகன்', 'செல்வம்'],
  venkat: ['వెంకటేష్', 'రెడ్డి'],
  biswas: ['বিনোদ', 'বিশ্বাস'],
  zubeida: ['Zubeida', 'Qureshi'],
  bhujang: ['Bhujangrao', 'Thakre'],
  sanjay: ['Sanjay', 'Rao'],
  om: ['Om', 'Prakash'],
  dnyanesh: ['Dnyaneshwar', 'Kshirsagar'],
  gyanesh: ['Gyaneshwar', 'Jagtap'],
  gyan: ['ज्ञानदेव', 'राव'],
} as const;
type Name = keyof typeof PEOPLE;
const ids = new Map<string, Name>();
const facts = new Map<Name, { mobile: string; imei: string; agreementNo: string }>();

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await db.transaction(20, async (tx) => {
    for (const [n, [name, [first_name, last_name]]] of Object.entries(PEOPLE).entries()) {
      const mobile = `+9198${70_000_000 + n * 1_111_111}`;
      const { customerId, imei1, agreement } = await makeSale(tx, shop, { mobile });
      const customer = await customers.authorize(tx, shop, { customer_id: customerId });
      const search = customers.searchText({
        person: { first_name, last_name, mobile },
        phone: { imei1 },
        agreementNo: agreement.agreement_no,
      });
      await customers.change(tx, shop, { customer, fields: { first_name, last_name, search } });
      ids.set(customerId, name as Name);
      facts.set(name as Name, { mobile, imei: imei1, agreementNo: agreement.agreement_no });
    }
  });
});

const find = async (search: string) =>
  (await db.read(20, (tx) => customerIds(tx, shop, { filter: { search }, max: 99 }))).map((id) => ids.get(id)!);

test('numbers are found as they are printed, typed and read off a box', async () => {
  const { mobile, imei, agreementNo } = facts.get('sunita')!;
  const ten = mobile.slice(3);
  for (const typed of [
    ten,
    `${ten.slice(0, 5)} ${ten.slice(5)}`,
    `+91 ${ten.slice(0, 5)} ${ten.slice(5)}`,
    `+91-${ten}`,
    `0${ten}`,
    `${ten.slice(0, 2)}••• ••${ten.slice(-3)}`,
    imei.slice(-5),
    imei.slice(-8),
    agreementNo,
    agreementNo.toLowerCase(),
    Array.from(ten, (digit) => String.fromCharCode(0x0966 + Number(digit))).join(''),
  ])
    expect([typed, await find(typed)]).toEqual([typed, expect.arrayContaining(['sunita'])]);
  expect(await find(ten)).toEqual(['sunita']);
});

test.each([
  ['surname first', 'gaikwad sunita', 'sunita'],
  ['parts of both', 'SHAI irf', 'irfan'],
  ['name and number', 'irfan 7000', 'irfan'],
  ['with a comma', 'Phadke, Vishwas', 'phadke'],
  ['Devanagari', 'इरफान', 'irfan'],
  ['Devanagari', 'शेख', 'irfan'],
  ['Devanagari', 'सुनीता गायकवाड', 'sunita'],
  ['Devanagari', 'लक्ष्मी कांबळे', 'laxmi'],
  ['Devanagari', 'फडके', 'phadke'],
  ['Devanagari', 'ज़ुबैदा कुरैशी', 'zubeida'],
  ['Devanagari', 'भुजंगराव', 'bhujang'],
  ['Devanagari', 'संजय राव', 'sanjay'],
  ['Devanagari', 'ओम', 'om'],
  ['Devanagari', 'ज्ञानेश्वर क्षीरसागर', 'dnyanesh'],
  ['Devanagari', 'ज्ञानेश्वर जगताप', 'gyanesh'],
  ['Latin', 'dnyandev rao', 'gyan'],
  ['Latin', 'gyandev', 'gyan'],
  ['Gujarati', 'સુનીતા', 'sunita'],
  ['Tamil', 'சுனிதா', 'sunita'],
  ['Kannada', 'ಸುನೀತಾ', 'sunita'],
  ['Latin', 'ramesh patil', 'ramesh'],
  ['Latin', 'Gurpreet Singh', 'singh'],
  ['Latin', 'murugan', 'murugan'],
  ['Latin', 'selvam', 'murugan'],
  ['Latin', 'Venkatesh', 'venkat'],
  ['Latin', 'vinod biswas', 'biswas'],
] as const)('a name is found by %s: %s', async (_how, typed, who) => {
  expect(await find(typed)).toEqual([who]);
});

test('what nobody is called finds nobody, and signs of patterns are letters', async () => {
  for (const typed of ['xyzzy', 'गोपाल', 'sunita shaikh', '%', '_____', '.*', '(', '\\'])
    expect(await find(typed)).toEqual([]);
});
