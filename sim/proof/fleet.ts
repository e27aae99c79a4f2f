import { generateKeyPairSync } from 'node:crypto';
import { EMI_PAISE, type Fleet, TENURE, idOf, plant, tokenOf } from '#bench/lib/plant.ts';
import { type Act, type Known, actsIn } from './acts.ts';
import type { House } from './house.ts';
import type { Luck } from './random.ts';
import type { Sold, World } from './world.ts';

const PHONES = 120;
/** Five of ₹1,000 are overdue: less leaves the phone held, all of it frees it. */
const OVERDUE_PAISE = 5 * EMI_PAISE;

/** Phones that are overdue, warned and reminded: a shop may lock them now, and a payment frees them. */
export async function openFleet(house: House, orgId: number): Promise<World> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const fleet: Fleet = { orgId, phones: PHONES, retailers: 1, level: 2, hasBooks: true, spki };
  await house.owner((client) => plant(client, fleet));
  const person = { userId: idOf(orgId, 'user', 1), token: tokenOf(orgId, 1) };
  const sold = Array.from({ length: PHONES }, (_, index): Sold => {
    const n = index + 1;
    return {
      customerId: idOf(orgId, 'customer', n),
      agreementId: idOf(orgId, 'agreement', n),
      instalmentIds: Array.from({ length: TENURE }, (_unused, k) => idOf(orgId, `instalment-${k + 1}`, n)),
      emiPaise: EMI_PAISE,
      person,
      shops: [person],
    };
  });
  const imeis = Array.from({ length: PHONES }, (_, index) => `35${String(index + 1).padStart(13, '0')}`);
  return {
    orgId,
    retailer: person,
    mini: person,
    admin: person,
    sold,
    paymentIds: [],
    claimIds: [],
    imeis,
    isPlanted: true,
  };
}

/** The next phone: locked by two people at once while its dues are paid, in part or whole, and one of the payments is taken back. */
export function fleetActs(fleet: World, known: Known, luck: Luck): Act[] {
  const phone = fleet.sold.shift()!;
  fleet.sold.push(phone);
  const acts = actsIn(fleet, known, luck);
  const first = luck.between(1_00, OVERDUE_PAISE - 1_00);
  const paid = acts.pay(phone, { paise: first, back: 0 });
  const paymentId = 'paymentId' in paid.effect ? paid.effect.paymentId : '';
  return [
    paid,
    acts.order(phone, 'lock'),
    acts.order(phone, luck.pick(['lock', 'unlock', 'camera_lock'])),
    ...(luck.next() < 0.7 ? [acts.pay(phone, { paise: OVERDUE_PAISE - first, back: 0 })] : []),
    ...(luck.next() < 0.3 ? [acts.reverse(paymentId)] : []),
  ];
}
