import type { ListCustomersQuery } from '@kist/contract/customers';

/**
 * What the list can be narrowed by: all that the server's list knows, but for `customer_id`, which says who stands beside it. It lives in the address, so that
 * back, reload, a link and every figure of the dashboard keep it.
 */
export type Filters = Pick<
  ListCustomersQuery,
  | 'search'
  | 'status'
  | 'lock_status'
  | 'due'
  | 'dpd'
  | 'disputed'
  | 'todo'
  | 'user_type'
  | 'plan_id'
  | 'product_id'
  | 'app_type'
  | 'retailer_id'
  | 'account_id'
  | 'user_id'
  | 'deviceQuery'
  | 'device_query'
  | 'serial_number'
  | 'from'
  | 'to'
  | 'sort'
>;

const NAMES = [
  'search',
  'status',
  'lock_status',
  'due',
  'dpd',
  'disputed',
  'todo',
  'user_type',
  'plan_id',
  'product_id',
  'app_type',
  'retailer_id',
  'account_id',
  'user_id',
  'deviceQuery',
  'device_query',
  'serial_number',
  'from',
  'to',
  'sort',
] as const satisfies readonly (keyof Filters)[];

/** @returns the filters that an address names; what it spells wrong the server refuses by name. */
export function filtersOf(search: URLSearchParams): Filters {
  const filters: Record<string, string> = {};
  for (const name of NAMES) {
    const value = search.get(name);
    // A plan without an app type gives 'null', which narrows nothing.
    if (value && !(name === 'app_type' && value === 'null')) filters[name] = value;
  }
  return filters as Filters;
}

/** @returns the address's search with these filters; what else it says stays (which customer stands beside the list). */
export function withFilters(search: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  for (const [name, value] of Object.entries(filters) as [string, string | undefined][])
    if (value) next.set(name, value);
  return next;
}

/** One tap each: the filters that a shop uses all day. At most one is on. */
export const QUICK: readonly { id: string; filters: Filters }[] = [
  { id: 'all', filters: {} },
  { id: 'overdue', filters: { due: 'overdue', sort: 'overdue' } },
  { id: 'today', filters: { due: 'today', sort: 'due' } },
  { id: 'week', filters: { due: 'week', sort: 'due' } },
  { id: 'locked', filters: { lock_status: '1' } },
  { id: 'inactive', filters: { status: '0' } },
  { id: 'disputed', filters: { disputed: '1' } },
  { id: 'maturing', filters: { status: '6' } },
  { id: 'completed', filters: { status: '5' } },
];

/** Sorted by how long they are overdue the list has the overdue alone; no other order narrows it. */
const narrowing = ({ search: _search, sort, ...rest }: Filters) =>
  JSON.stringify(
    Object.entries({ ...rest, ...(sort === 'overdue' && { due: rest.due ?? 'overdue' }) }).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );

/** Which quick filter the filters are; undefined for a mixture. */
export const quickOf = (filters: Filters): string | undefined =>
  QUICK.find((quick) => narrowing(quick.filters) === narrowing(filters))?.id;

const namesOf = (filters: Filters) => Object.keys(filters) as (keyof Filters)[];
/** Whether a quick filter is said by these, alone or as a part of a mixture. */
const isPart = (quick: Filters, of: Filters): boolean =>
  namesOf(quick).length > 0 && namesOf(quick).every((name) => name === 'sort' || of[name] === quick[name]);

/** Whether Home's figures are those of what a press on a quick filter opens: they know of no search and of no other filter. */
export const isCounted = (filters: Filters): boolean => !filters.search && quickOf(filters) !== undefined;

/** @returns these filters with this quick one in the place of any other quick one; all customers are those of the search alone. */
export function withQuick(filters: Filters, quick: Filters): Filters {
  if (namesOf(quick).length === 0) return { search: filters.search };
  const { sort: _sort, ...kept } = filters;
  for (const other of QUICK)
    if (isPart(other.filters, filters))
      for (const name of namesOf(other.filters)) delete kept[name as keyof typeof kept];
  return { ...kept, ...quick };
}

/** @returns the quick filters that are offered beside these: what is said already as a part of a mixture is not offered once more. */
export function quickBeside(filters: Filters): typeof QUICK {
  if (quickOf(filters) !== undefined) return QUICK;
  return QUICK.filter(({ filters: quick }) => !isPart(quick, filters));
}
