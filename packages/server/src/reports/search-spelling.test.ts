import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import * as customers from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { createServices } from '#test/services.ts';
import { customerIds, customerList } from './customer-list.ts';

const { db, waker } = createServices(await createTestDatabase());
afterAll(() => waker.close());
let shop: Actor;
/** Customers as shops write them, with their phones. */
const PEOPLE = {
  lakshmi: ['Lakshmi', 'Deshpande', 'Redmi', '13C'],
  lakshman: ['Laxman', 'Desai', 'Redmi', '13'],
  mohammad: ['मोहम्मद', 'शेख', 'Vivo', 'Y28'],
  md: ['Md.', 'Sheikh', 'Realme', 'C53'],
  mohd: ['Mohd', 'Irfan', 'Oppo', 'A3x'],
  bengali: ['মোঃ', 'রফিক', 'Vivo', 'Y19'],
  madan: ['Madan', 'Mohan', 'Samsung', 'Galaxy A15'],
  madanH: ['मदन', 'ममता', 'Samsung', 'Galaxy A05'],
  suneeta: ['सुनीता', 'जाधव', 'Redmi', 'A4'],
  sanjeet: ['संजीत', 'सनत', 'Redmi', 'A4'],
  souza: ['Anthony', "D'Souza", 'Moto', 'G45'],
  initials: ['S.K.', 'Verma', 'Moto', 'G45'],
  vishwas: ['Vishwas', 'Fadke', 'Poco', 'C75'],
  ramesh: ['Ramesh', 'Chowdhary', 'Poco', 'C75'],
  ramsingh: ['Ramsingh', 'Rathod', 'Poco', 'C75'],
  ganesh: ['Ganesh', 'Saxena', 'Poco', 'C75'],
  uma: ['Uma', 'Shah', 'Poco', 'C75'],
  om: ['Om', 'Kothari', 'Poco', 'C75'],
  rohit: ['Rohit', 'Nair', 'Poco', 'C75'],
  anna: ['Anna', 'Thomas', 'Poco', 'C75'],
  meenakshi: ['மீனாட்சி', 'இராமன்', 'Poco', 'C75'],
} as const;
type Name = keyof typeof PEOPLE;
const ids = new Map<string, Name>();

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await db.transaction(20, async (tx) => {
    for (const [n, [name, [first_name, last_name, brand, model]]] of Object.entries(PEOPLE).entries()) {
      const mobile = `+9198${70_000_000 + n * 1_111_111}`;
      const { customerId, imei1, agreement } = await makeSale(tx, shop, { mobile });
      const customer = await customers.authorize(tx, shop, { customer_id: customerId });
      const search = customers.searchText({
        person: { first_name, last_name, mobile },
        phone: { imei1, brand, model },
        agreementNo: agreement.agreement_no,
      });
      await customers.change(tx, shop, { customer, fields: { first_name, last_name, search } });
      ids.set(customerId, name as Name);
    }
  });
});

const find = async (search: string) =>
  (await db.read(20, (tx) => customerIds(tx, shop, { filter: { search }, max: 99 })))
    .map((id) => ids.get(id)!)
    .toSorted();

test.each([
  ['x for ksh', ['laxmi', 'Laksmi', 'laxmee', 'lakshmi deshpande'], ['lakshmi']],
  ['signs', ['Lakshmi.', 'lakshmi,', '"Lakshmi"', 'Lakshmi-Deshpande', 'Lakshmi / Deshpande'], ['lakshmi']],
  ['a form of address', ['lakshmi ji', 'Mrs Lakshmi', 'Smt. Lakshmi', 'Lakshmiji'], ['lakshmi']],
  ['one in another script', ['श्रीमती लक्ष्मी देशपांडे', 'લક્ષ્મી બેન દેશપાંડે'], ['lakshmi']],
  ['Tamil', ['லட்சுமி', 'லக்ஷ்மி', 'திருமதி லட்சுமி'], ['lakshman', 'lakshmi']],
  ['Tamil, both names', ['லட்சுமி தேஷ்பாண்டே'], ['lakshmi']],
  ['a last vowel', ['deshpand', 'deshpandey', 'Deshpaande'], ['lakshmi']],
  ['ksh for x, of another', ['lakshman', 'laxmana', 'लक्ष्मण'], ['lakshman']],
  ['ks for x', ['saksena', 'सक्सेना'], ['ganesh']],
  ['w for v, ph for f', ['wishvas', 'phadke', 'fadkey'], ['vishwas']],
  ['long and doubled', ['Rameesh', 'rammesh', 'choudhary', 'Chaudhari', 'चौधरी'], ['ramesh']],
  ['long and short', ['सुनिता', 'સુનિતા'], ['suneeta']],
  ['what stands between', ['dsouza', "D'Souza", 'D’Souza', 'd souza'], ['souza']],
  ['initials', ['sk verma', 'S K Verma', 's.k. verma'], ['initials']],
  ['a breath less', ['Ratod', 'राठोड'], ['ramsingh']],
  ['as Tamil writes it', ['meenakshi', 'Minaxi', 'मीनाक्षी', 'raman'], ['meenakshi']],
] as const)('a name is found with %s', async (_how, typed, who) => {
  for (const words of typed) expect([words, await find(words)]).toEqual([words, who]);
});

test.each([
  ['mohammad', ['bengali', 'md', 'mohammad', 'mohd']],
  ['Mohammed', ['bengali', 'md', 'mohammad', 'mohd']],
  ['mohamad', ['bengali', 'md', 'mohammad', 'mohd']],
  ['मोहम्मद', ['bengali', 'md', 'mohammad', 'mohd']],
  ['முகமது', ['bengali', 'md', 'mohammad', 'mohd']],
  ['mohammad sheikh', ['md', 'mohammad']],
  ['md sheikh', ['md', 'mohammad']],
  ['Md. Shaikh', ['md', 'mohammad']],
  ['mohd rafiq', ['bengali']],
] as const)('Mohammad is written short or not: %s', async (typed, who) => {
  expect(await find(typed)).toEqual(who);
});

test.each([
  ['redmi13c', ['lakshmi']],
  ['Redmi-13C', ['lakshmi']],
  ['रेडमी13c', ['lakshmi']],
  ['a15', ['madan']],
  ['y-28', ['mohammad']],
] as const)('a model is found in one piece: %s', async (typed, who) => {
  expect(await find(typed)).toEqual(who);
});

test.each([
  // Thomas has it within.
  ['om', ['anna', 'om']],
  ['uma', ['uma']],
  ['Rohit', ['rohit']],
  ['ramesh', ['ramesh']],
  ['madan', ['madan', 'madanH']],
  ['dnyan', []],
  ['mrs gayatri', []],
  ['सनिता', []],
] as const)('who is only nearly called so is not found: %s', async (typed, who) => {
  expect(await find(typed)).toEqual(who);
});

test('a form of address that is a name is found, and first where another is beside it', async () => {
  expect(await find('anna')).toContain('anna');
  expect(await find('अन्ना')).toEqual(['anna']);
  const { list } = await db.read(20, (tx) =>
    customerList(tx, shop, { search: 'anna thomas', status: 'all', sort: 'newest', page: 1, page_size: 50 }),
  );
  expect(list.map(({ first_name }) => first_name)).toEqual(['Anna']);
});
