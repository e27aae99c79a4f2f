import pg from 'pg';
import { businessDate, financialYear } from '@kist/contract/dates';
import { socketOf } from '#bench/lib/database.ts';
import { type Bench, median, quantile } from '#bench/lib/figures.ts';
import { type House, PER_SHOP, inHouse, paymentsOf, shopActor } from '#bench/lib/house.ts';
import { TERMS } from '#bench/lib/plant-books.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
const AGREEMENTS = 10_000;
const SHOPS = AGREEMENTS / PER_SHOP;
const ROUNDS = 300;
const WARM_UP = 30;

const YEAR = financialYear(businessDate(Date.now()));

/**
 * What one payment writes, a statement each, prepared: the same rows by somebody who judges nothing and reads nothing.
 * $1 is the payment, $2 its journal, $3 the agreement, $4 the instalment that it pays wholly, $5 when the next one is due.
 */
const WRITES = [
  `, j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
   select ${ORG}, $2, 'payment:' || $1::uuid, 'payment', 'payment', $1, kist_today(), kist_now())
   insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
   select ${ORG}, $2::uuid, row_number() over (), a.account_id, 'INR', l.debit, l.credit, $3::uuid, l.no, l.bucket, $1::uuid
   from (values ('clearing_cash', ${TERMS.emiPaise}, 0, null::int, null), ('receivable_interest', 0, ${TERMS.interestPaise}, $4, 'interest'), ('receivable_principal', 0, ${TERMS.principalPaise}, $4, 'principal'),
     ('unearned_interest', ${TERMS.interestPaise}, 0, null, null), ('income_interest', 0, ${TERMS.interestPaise}, null, null)) as l(code, debit, credit, no, bucket)
   join agreements g on g.org_id = ${ORG} and g.agreement_id = $3
   join accounts a on a.org_id = ${ORG} and a.code = l.code and a.owner_id in ('organisation', g.owner_user_id::text)`,
  `update instalments set paid_on = kist_today(), paid_interest_paise = ${TERMS.interestPaise}, paid_principal_paise = ${TERMS.principalPaise}
   where org_id = ${ORG} and agreement_id = $3 and no = $4`,
  `update agreements set version = version + 1, outstanding_paise = outstanding_paise - ${TERMS.emiPaise}, paid_count = paid_count + 1, oldest_due_on = $5
   where org_id = ${ORG} and agreement_id = $3`,
  `update device_desired d set lease_seq = d.lease_seq + 1, lease = d.lease, changed_at = kist_now() from agreements a
   where a.org_id = ${ORG} and a.agreement_id = $3 and d.org_id = ${ORG} and d.device_id = a.device_id`,
  `insert into notices (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at)
   select ${ORG}, $2::uuid, a.agreement_id, a.customer_id, 'receipt', 1000, kist_today(), 'sms', 'en', repeat('x', 150), kist_now() from agreements a
   where a.org_id = ${ORG} and a.agreement_id = $3`,
  `insert into outbox (org_id, id, topic, payload) select ${ORG}, $2::uuid, 'sms', jsonb_build_object('notice_ids', array[$1::uuid])`,
  `select audit_append('agreement', array[$3::uuid::text], '{"kind":"user"}', 'payment_recorded', array[jsonb_build_object('payment_id', $1::uuid, 'journal', $2::uuid)])`,
  `update counters c set last = c.last + 1 from agreements a where a.org_id = ${ORG} and a.agreement_id = $3 and c.org_id = ${ORG}
     and c.name = 'receipt:' || a.owner_user_id || ':${YEAR}'`,
  `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, receipt_no, receipt)
   select ${ORG}, $1::uuid, a.agreement_id, a.customer_id, ${TERMS.emiPaise}, 'CASH', kist_now(), kist_today(), kist_now(), a.owner_user_id,
     '${YEAR.slice(2)}/' || lpad(s.last::text, greatest(2, length(s.last::text)), '0') || '/' || lpad(c.last::text, greatest(4, length(c.last::text)), '0'),
     jsonb_build_object('text', repeat('x', 600)) from agreements a
   join counters c on c.org_id = ${ORG} and c.name = 'receipt:' || a.owner_user_id || ':${YEAR}' join counters s on s.org_id = ${ORG} and s.name = 'shop:' || a.owner_user_id
   where a.org_id = ${ORG} and a.agreement_id = $3`,
  `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
   select ${ORG}, $1::uuid, 1, '', 'posted', a.owner_user_id, kist_now(), 'recorded' from agreements a where a.org_id = ${ORG} and a.agreement_id = $3`,
].map((text) => `with given as materialized (select $1::uuid, $2::uuid, $3::uuid, $4::int, $5::date) ${text}`);

/** One payment over the counter, from the service to the commit, against the bare transaction that writes the same rows: in turn, on the same database. */
export const payment: Bench = {
  name: 'payment',
  run: () =>
    inHouse(async (house) => {
      await plantShops(house.owner, { orgId: ORG, agreements: AGREEMENTS, shops: SHOPS });
      const client = new pg.Client({ ...socketOf(house.dataDir), options: '-c role=kist_app' });
      await client.connect();
      try {
        const open = await unpaid(house.owner, 2 * (ROUNDS + WARM_UP));
        const pay = payer(house);
        const [ours, theirs]: [number[], number[]] = [[], []];
        for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
          const pair = [await pay(open[2 * round]!), await bare(client, open[2 * round + 1]!)] as const;
          if (round < WARM_UP) continue;
          ours.push(pair[0]);
          theirs.push(pair[1]);
        }
        const p95 = (times: readonly number[]) => quantile(times, 0.95);
        return [
          {
            name: 'payment',
            of: 'recorded and committed ÷ the same rows in a bare SQL transaction, p95',
            value: p95(ours) / p95(theirs),
            unit: '×',
            atMost: 2.5,
            detail: `${p95(ours).toFixed(1)} ms ÷ ${p95(theirs).toFixed(1)} ms; p50 ${median(ours).toFixed(1)} ÷ ${median(theirs).toFixed(1)} ms, ${ROUNDS} payments each`,
          },
        ];
      } finally {
        await client.end();
      }
    }),
};

/** The oldest unpaid instalment of an agreement that has another one behind it, and whose phone is free: one that frees a phone writes more. */
interface Unpaid {
  agreement_id: string;
  instalment_id: string;
  no: number;
  next_due_on: string;
  shop: number;
}

async function unpaid(owner: pg.Client, count: number): Promise<Unpaid[]> {
  const { rows } = await owner.query<Unpaid>(
    `select a.agreement_id, i.instalment_id, i.no, n.due_on::text as next_due_on, substr(u.shop_name, 15)::int as shop
     from agreements a join instalments i using (org_id, agreement_id) join users u on u.org_id = a.org_id and u.user_id = a.owner_user_id
       join instalments n on n.org_id = i.org_id and n.agreement_id = i.agreement_id and n.no = i.no + 1
       join device_desired w on w.org_id = a.org_id and w.device_id = a.device_id and w.lock_level = 0
     where a.org_id = ${ORG} and a.state = 'active' and i.due_on = a.oldest_due_on and left_paise(i) = ${TERMS.emiPaise}
     order by md5(a.agreement_id::text) limit $1`,
    [count],
  );
  return rows;
}

function payer({ services: { db, locking, notices } }: House): (of: Unpaid) => Promise<number> {
  const payments = paymentsOf({ locking, notices });
  return async ({ instalment_id, shop }) => {
    const startedAt = performance.now();
    await db.transaction(ORG, (tx) =>
      payments.record(tx, shopActor(ORG, shop), {
        instalment_id,
        amount: TERMS.emiPaise,
        method: 'CASH',
        reference: '',
      }),
    );
    return performance.now() - startedAt;
  };
}

async function bare(client: pg.Client, { agreement_id, no, next_due_on }: Unpaid): Promise<number> {
  const values = [crypto.randomUUID(), crypto.randomUUID(), agreement_id, no, next_due_on];
  const startedAt = performance.now();
  await client.query(`begin; select set_config('kist.org_id', '${ORG}', true)`);
  for (const [n, text] of WRITES.entries()) await client.query({ name: `bare ${n}`, text, values });
  await client.query('commit');
  return performance.now() - startedAt;
}
