import { AFTERNOON, goTo } from '#e2e/support/clock.ts';
import { sellAndEnrol, sellPhone } from '#e2e/support/customers.ts';
import { press } from '#e2e/support/lab.ts';
import { type SoldPhone, goToLate, noticeDelivered, sellAndLetLock, sellWeekly } from '#e2e/support/shop.ts';
import type { SignedIn } from '#e2e/support/sign-in.ts';

/** The customers of the pictures, one in each state that a screen can show. */
export interface Cast {
  fresh: SoldPhone;
  waiting: { customerId: string };
  draft: string;
  reminded: SoldPhone;
  locking: SoldPhone;
  locked: SoldPhone;
  unlocking: SoldPhone;
  disputed: string;
  completed: string;
  /** A shop below the retailer, with customers. */
  shop: string;
}

/** Lives through some days with a few customers, so that every state is a real one. */
export async function castOf({ api, ...who }: SignedIn): Promise<Cast> {
  const shop = { api, ...who };
  const locked = await sellWeekly(shop, 'Lakshmi');
  const unlocking = await sellWeekly(shop, 'Farhan');
  const locking = await sellWeekly(shop, 'Abdul Rahman');
  await goToLate(1);
  await noticeDelivered(shop, locking.customerId);
  await goTo(1, AFTERNOON);
  await press(locking.phone.id, 'contact');
  await press(locking.phone.id, 'network', { on: false });
  const reminded = await sellAndLetLock(shop, 'Rekha');
  await press(unlocking.phone.id, 'network', { on: false });
  const { instalments } = await api.call('getEmiDetails', { body: { customer_id: unlocking.customerId } });
  const overdue = instalments.filter((row) => row.state === 'overdue').map((row) => row.instalment_id);
  await api.call('multipleEmiPaid', {
    body: { customer_id: unlocking.customerId, instalment_ids: overdue, method: 'CASH' },
  });
  const draft = await api.call('registerCustomer', {
    body: {
      draft: true,
      plan_id: (await api.call('listPlans'))[0]!.plan_id,
      customer: { first_name: 'Nitin', last_name: 'Sonawane', mobile: '9812345670' },
    },
  });
  const first = async (query: Parameters<typeof api.call<'listCustomers'>>[1]) =>
    (await api.call('listCustomers', query)).list[0]?.customer_id ?? '';
  return {
    fresh: await sellAndEnrol(api, { firstName: 'Venkatanarasimharajuvaripeta', lastName: 'Raghunathan' }),
    waiting: await sellPhone(api, { firstName: 'Swati', lastName: 'Bhosale' }),
    draft: draft.customer_id,
    reminded,
    locking,
    locked,
    unlocking,
    disputed: await first({ query: { disputed: '1' } }),
    completed: await first({ query: { status: '5' } }),
    shop:
      (await api.call('listUsers', { query: { state: 'active', page_size: 100 } })).list.toSorted(
        (a, b) => b.customers - a.customers,
      )[0]?.user_id ?? '',
  };
}
