import type { KeptMethod } from '@kist/contract/payment-methods';

/** What one took in one way. */
interface Taken {
  user_id: string;
  name: string;
  shop_name: string;
  method: KeptMethod;
  payments: number;
  paise: number;
}

interface Sum {
  payments: number;
  paise: number;
}

const mostFirst = (left: Sum, right: Sum): number => right.paise - left.paise;
const plus = (sum: Sum | undefined, { payments, paise }: Sum): Sum => ({
  payments: (sum?.payments ?? 0) + payments,
  paise: (sum?.paise ?? 0) + paise,
});

/**
 * The same money three times: in sum, by how it came in and by who took it, of these two the most first.
 * @param rows what each took in each way, in an order of their own, which what is equal keeps
 */
export function sumsOf(rows: readonly Taken[]) {
  const methods = new Map<KeptMethod, Sum>();
  const takers = new Map<string, Sum & { user_id: string; name: string; shop_name: string; cash_paise: number }>();
  for (const { method, user_id, name, shop_name, ...sum } of rows) {
    methods.set(method, plus(methods.get(method), sum));
    const before = takers.get(user_id);
    const cash_paise = (before?.cash_paise ?? 0) + (method === 'CASH' ? sum.paise : 0);
    takers.set(user_id, { user_id, name, shop_name, ...plus(before, sum), cash_paise });
  }
  const { payments: total, paise } = rows.reduce<Sum>(plus, { payments: 0, paise: 0 });
  return {
    total,
    paise,
    methods: [...methods]
      .map(([method, sum]) => ({ method, ...sum }))
      .toSorted((left, right) => mostFirst(left, right) || (left.method < right.method ? -1 : 1)),
    takers: [...takers.values()].toSorted(mostFirst),
  };
}
