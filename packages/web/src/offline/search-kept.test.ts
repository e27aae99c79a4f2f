import { expect, it } from 'vitest';
import type { CustomerRow } from '@kist/contract/customers';
import * as hearing from '@kist/contract/search-words';
import { searchKept } from './search-kept.ts';

const row = (id: string, more: Partial<CustomerRow> = {}) => ({
  customer_id: id,
  first_name: '',
  last_name: '',
  mobile: '',
  device: '',
  imei1: null,
  agreement_no: null,
  ...more,
});
const savita = row('savita', {
  first_name: 'Savita',
  last_name: 'Jadhav',
  mobile: '+919876543210',
  imei1: '356938035643809',
  agreement_no: 'KM-2026-000123',
  device: 'Redmi 13C',
});
const meena = row('meena', { first_name: 'मीना', last_name: 'पवार', mobile: '+919000000002', device: 'Samsung M14' });
const draft = row('draft', { first_name: 'Irfan' });
type Query = Record<string, string | number>;
const page = (list: object[], query: Query = {}, atMs = 2000) => ({
  input: { query: { ...query, page: 1, page_size: 20 } },
  data: { list, total: 400 },
  atMs,
});
const find = (pages: ReturnType<typeof page>[], query: Query) => searchKept(pages, { query });
const idsOf = (found: ReturnType<typeof searchKept>) => found?.data.list.map(({ customer_id }) => customer_id);

it.each([
  'Savita',
  'jadhav savi',
  '98765 43210',
  '+91 98765-43210',
  '०९८७६५ ४३२१०',
  '৯৮৭৬৫',
  '643809',
  'km-2026-000123',
  '2026000123',
  'redmi, savita',
])('of all who are shown %s finds the one who is called so', (search) => {
  expect(idsOf(find([page([meena, savita, draft])], { search }))).toEqual(['savita']);
});

it('without the ear a name in another script is found as it is written; whoever is nobody here is nobody, as of the oldest that was looked through', () => {
  const pages = [page([savita], {}, 2000), page([meena], { due: 'week' }, 1000)];
  expect(idsOf(find(pages, { search: 'मीना' }))).toEqual(['meena']);
  expect(find(pages, { search: 'Rekha' })).toMatchObject({ data: { list: [], total: 0 }, atMs: 1000 });
});

it('of one who is on several pages the newest facts are told, and those found are as old as the oldest of them', () => {
  const before = row('savita', { first_name: 'Savita', overdue_paise: 500_00 });
  const pages = [page([{ ...savita, overdue_paise: 0 }], { status: '1' }, 3000), page([before, draft], {}, 1000)];
  expect(find(pages, { search: 'sav' })).toMatchObject({
    data: { list: [{ overdue_paise: 0 }], total: 1 },
    atMs: 3000,
    isSearched: true,
  });
});

it('beside a filter only the pages of that filter are looked through, in whatever order they were read', () => {
  const late = page([savita], { due: 'overdue', sort: 'overdue', status: 'all', search: 'sa' });
  const all = page([savita, meena]);
  expect(idsOf(find([late, all], { search: 'jadhav', sort: 'name' }))).toEqual(['savita']);
  expect(idsOf(find([late, all], { search: 'पवार', status: 'all' }))).toEqual(['meena']);
  expect(idsOf(find([late, all], { search: 'पवार', due: 'overdue' }))).toEqual([]);
  expect(idsOf(find([late, all], { search: 'savita', sort: 'overdue' }))).toEqual(['savita']);
  expect(find([late, all], { search: 'savita', due: 'week' })).toBeUndefined();
});

it('what is found comes page by page, as from the server; where nothing is searched for or kept there is no answer', () => {
  const many = Array.from({ length: 25 }, (_, at) => row(`r${at}`, { first_name: `Asha${at}` }));
  const second = find([page(many)], { search: 'asha', page: 2, page_size: 20 });
  expect(second).toMatchObject({ data: { total: 25, page: 2, page_size: 20 } });
  expect(idsOf(second)).toEqual(['r20', 'r21', 'r22', 'r23', 'r24']);
  expect(find([page(many)], { search: '  ' })).toBeUndefined();
  expect(find([page(many)], {})).toBeUndefined();
  expect(find([], { search: 'asha' })).toBeUndefined();
});

const SHOWN = [
  ['lakshmi', 'Lakshmi', 'Deshpande', 'Redmi 13C'],
  ['lata', 'लता', 'पवार', 'Vivo Y28'],
  ['murugan', 'முருகன்', 'செல்வம்', 'Vivo Y28'],
  ['rohit', 'रोहित', 'पाटील', 'Poco C75'],
  ['rohitash', 'Rohitash', 'Verma', 'Poco C75'],
  ['md', 'Md.', 'Sheikh', 'Realme C53'],
  ['souza', 'Anthony', "D'Souza", 'Moto G45'],
].map(([id, first_name, last_name, device]) => row(id!, { first_name, last_name, device }));
const heard = (search: string) => idsOf(searchKept([page(SHOWN)], { query: { search } }, hearing));

it.each([
  ['laxmi', ['lakshmi']],
  ['लक्ष्मी देशपांडे', ['lakshmi']],
  ['லட்சுமி', ['lakshmi']],
  ['Smt. Laxmee', ['lakshmi']],
  ['lata pawar', ['lata']],
  ['લતા', ['lata']],
  ['selvam murugan', ['murugan']],
  ['mohammad shaikh', ['md']],
  ['मोहम्मद', ['md']],
  ['dsouza', ['souza']],
  ['redmi13c', ['lakshmi']],
  ['Redmi-13C laxmi', ['lakshmi']],
  ['Rekha', []],
  ['(', []],
])('“%s” is heard as the server hears it', (search, ids) => {
  expect(heard(search)).toEqual(ids);
});

it('who is written so stands before who only sounds so', () => {
  expect(heard('rohit')).toEqual(['rohitash', 'rohit']);
  expect(heard('रोहित')).toEqual(['rohit', 'rohitash']);
});
