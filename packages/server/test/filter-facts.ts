import type { CustomerFilter } from '@kist/contract/customer-filter';

/** What stands in the rows of one customer. */
export interface Fact {
  customer_id: string;
  owner_user_id: string;
  user_type: string;
  parent_user_id: string | null;
  status: number;
  is_draft: boolean;
  plan_id: number;
  plan_type: number;
  app_type: number | null;
  first_name: string;
  search: string;
  created_at: Date;
  created_on: string;
  state: string;
  oldest_due_on: string | null;
  last_due_on: string;
  is_locked: boolean;
  phone: string;
  serial: string | null;
  /** Days of instalments that are not paid. */
  unpaid: string[];
  is_disputed: boolean;
}

/** Marks for ids that are known once a house is planted. */
export const FIXED = { mine: 'one of the shop', rivals: 'one of a rival' } as const;
/** The n-th customer that `plantHouse` writes. */
export const idOf = (n: number): string => {
  const hex = n.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7002-8000-000000000000`;
};

const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const within = (first: number, last: number) => (value: number) => value >= first && value <= last;
const DPD: Record<string, (late: number) => boolean> = {
  '0': within(0, 0),
  '1_30': within(1, 30),
  '31_60': within(31, 60),
  '61_90': within(61, 90),
  over_90: within(91, Infinity),
};
const isOf = ({ owner_user_id, parent_user_id }: Fact, user: string) =>
  owner_user_id === user || parent_user_id === user;
const hasAll = (text: string, words: string) =>
  words
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word));

const isDueBy = (last: number) => (fact: Fact, today: string) =>
  fact.state === 'active' && fact.unpaid.some((on) => within(0, last)(days(today, on)));
/** Of what is to be done first, what the facts here tell. */
const TASKS: Record<string, (fact: Fact, today: string) => boolean> = {
  due_today: isDueBy(0),
  dispute_open: (fact) => fact.is_disputed,
  draft_unfinished: (fact) => fact.is_draft,
};

/** What each filter means, said once more in JavaScript and from the pages that decide it, not from the statement. */
const MEANS: { [K in keyof CustomerFilter]-?: (fact: Fact, value: never, today: string) => boolean } = {
  status: (fact, value: string, today) =>
    value === 'all' ||
    (value === '5' && fact.state === 'completed') ||
    (value === '6' && fact.state === 'active' && within(0, 30)(days(today, fact.last_due_on))) ||
    (Number(value) < 5 && fact.status === Number(value)),
  lock_status: (fact, value: string) => value === 'all' || fact.is_locked === (value === '1'),
  user_type: (fact, value: string) => value === 'customer' || fact.user_type === value,
  retailer_id: (fact, value: string) => fact.owner_user_id === value,
  account_id: isOf,
  user_id: isOf,
  app_type: (fact, value: number) => (fact.app_type ?? fact.plan_type) === value,
  plan_id: (fact, value: number) => fact.plan_id === value,
  product_id: (fact, value: number) => fact.plan_id === value,
  from: (fact, value: string) => fact.created_on >= value,
  to: (fact, value: string) => fact.created_on <= value,
  search: (fact, value: string) => hasAll(fact.search, value),
  deviceQuery: (fact, value: string) => fact.phone.toLowerCase().includes(value.toLowerCase()),
  device_query: (fact, value: string) => fact.phone.toLowerCase().includes(value.toLowerCase()),
  serial_number: (fact, value: string) => fact.serial === value,
  due: (fact, value: string, today) => {
    if (fact.state !== 'active') return false;
    if (value === 'open') return true;
    if (value === 'overdue') return fact.unpaid.some((on) => on < today);
    return isDueBy({ today: 0, week: 6, month: 29 }[value]!)(fact, today);
  },
  dpd: (fact, value: string, today) => {
    const oldest = fact.unpaid.toSorted()[0];
    return fact.state === 'active' && DPD[value]!(oldest !== undefined && oldest < today ? days(oldest, today) : 0);
  },
  disputed: (fact) => fact.is_disputed,
  customer_id: (fact, value: string) => fact.customer_id === value,
  todo: (fact, value: string, today) => TASKS[value]!(fact, today),
};

/** @returns whether a customer is one of those that a filter means; `overdueOnly` as the sort of that name asks */
export function wanted(
  fact: Fact,
  { overdueOnly, ...filter }: CustomerFilter & { overdueOnly?: boolean },
  today: string,
): boolean {
  if (overdueOnly && !MEANS.due(fact, 'overdue' as never, today)) return false;
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || MEANS[name as keyof CustomerFilter](fact, value as never, today),
  );
}
