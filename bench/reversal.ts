import { DAY_MS } from '@kist/contract/dates';
import { type Bench, median } from '#bench/lib/figures.ts';
import { type House, PER_SHOP, inHouse, paymentsOf, shopActor } from '#bench/lib/house.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
const LATER = 400;
const ROUNDS = 9;
const JOURNALS = 2;

/** What takes a payment back that many came after, and how much of the journal it writes. */
export const reversal: Bench = {
  name: 'reversal',
  run: () =>
    inHouse(async (house) => {
      await plantShops(house.owner, { orgId: ORG, agreements: PER_SHOP, shops: 1 });
      const { take, takeBack, journals } = await counter(house);
      for (let n = 0; n < LATER; n += 1) await take(0);
      const times: number[] = [];
      let most = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const payment_id = await take(2);
        const before = await journals();
        times.push(await takeBack(payment_id));
        most = Math.max(most, (await journals()) - before);
      }
      return [
        {
          name: `reversal under ${LATER} payments`,
          of: 'the first of them taken back and committed, all laid out again, p50',
          value: median(times),
          unit: 'ms',
          atMost: 200,
          rounds: ROUNDS,
          detail: `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
        },
        {
          name: 'journals of a reversal',
          of: 'the most that one of them wrote',
          value: most,
          unit: '',
          atMost: JOURNALS,
          detail: `${LATER} payments shifted each time`,
        },
      ];
    }),
};

/** One agreement that owes much, at the counter. */
async function counter({ owner, services }: House) {
  const payments = paymentsOf(services);
  const actor = shopActor(ORG, 1);
  const { rows } = await owner.query<{ agreement_id: string; instalment_id: string }>(
    `select a.agreement_id, i.instalment_id from agreements a join instalments i using (org_id, agreement_id)
     where a.org_id = ${ORG} and a.state = 'active' and i.due_on = a.last_due_on and a.delivered_on < kist_today() - 3
     order by a.outstanding_paise desc, a.agreement_id limit 1`,
  );
  const { agreement_id, instalment_id } = rows[0]!;
  const inOrg = services.db.transaction;
  return {
    /** A rupee, received as many days ago. */
    async take(daysAgo: number): Promise<string> {
      const paid_at = daysAgo > 0 ? new Date(Date.now() - daysAgo * DAY_MS).toISOString() : undefined;
      const given = { instalment_id, amount: 1_00, method: 'CASH', reference: '', paid_at } as const;
      return (await inOrg(ORG, (tx) => payments.record(tx, actor, given))).payment_id;
    },
    async takeBack(payment_id: string): Promise<number> {
      const startedAt = performance.now();
      await inOrg(ORG, (tx) => payments.reverse(tx, actor, payment_id, 'never came in'));
      return performance.now() - startedAt;
    },
    async journals(): Promise<number> {
      const counted = await owner.query<{ n: number }>(
        `select count(distinct journal_id)::int as n from journal_lines where org_id = ${ORG} and agreement_id = $1`,
        [agreement_id],
      );
      return counted.rows[0]!.n;
    },
  };
}
