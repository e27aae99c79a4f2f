import { DEFAULT_ORG_ID } from '@kist/contract/codes';
import { AFTERNOON, goTo } from '#e2e/support/clock.ts';
import { sellAndEnrol, sellPhone } from '#e2e/support/customers.ts';
import { kist } from '#e2e/support/kist.ts';
import { press } from '#e2e/support/lab.ts';
import { type SoldPhone, goToLate, noticeDelivered, sellAndLetLock, sellWeekly } from '#e2e/support/shop.ts';
import { MINI_RETAILER, type SignedIn, sessionOf } from '#e2e/support/sign-in.ts';

/** The customers of the pictures, one in each state that a screen can show. */
export interface Cast {
  /** The shop's own calls. */
  api: SignedIn['api'];
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

/** Giving up more of a late fee than one alone may, which is all of it from now on: asked for by the shop below where it can be, so that the one above may agree. */
async function askForTwo(shop: SignedIn): Promise<void> {
  const penal = ['--charge=50', '--grace=10', '--every=30', '--cap=2', '--waiver-limit=0'];
  await kist('penal', 'set', String(DEFAULT_ORG_ID), ...penal, '--by=R. Shah', '--reason=for the pictures');
  for (const { api } of [await sessionOf(MINI_RETAILER), shop]) {
    const { list } = await api.call('listCustomers', { query: { due: 'overdue', page_size: 50 } });
    for (const { customer_id } of list) {
      const of = { body: { customer_id } };
      if ((await api.call('getEmiDetails', of)).chargeable !== null) await api.call('sendPenalty', of);
      const { charges } = await api.call('getEmiDetails', of);
      const charge = charges.find(({ left_paise, asked }) => left_paise > 0 && asked === null);
      if (!charge) continue;
      await api.call('waivePenalty', { body: { charge_id: charge.charge_id, reason: 'was in hospital in June' } });
      return;
    }
  }
  throw new Error('nobody owes a late fee');
}

/** Lives through some days with a few customers, so that every state is a real one. */
export async function castOf({ api, ...who }: SignedIn): Promise<Cast> {
  const shop = { api, ...who };
  await askForTwo(shop);
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
    api,
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
