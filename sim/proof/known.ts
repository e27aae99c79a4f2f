import type pg from 'pg';
import type { Known } from './acts.ts';
import type { House } from './house.ts';
import type { World } from './world.ts';

/** What the app's screens would show now: charges, waivers and refunds that wait, the day. */
export const knownOf = (house: House, { orgId }: World): Promise<Known> =>
  house.owner(async (client: pg.Client) => {
    const ids = async (sql: string) => (await client.query<{ id: string }>(sql, [orgId])).rows.map(({ id }) => id);
    const charges = await client.query<Known['charges'][number]>(
      `select charge_id as id, agreement_id as "agreementId", (amount_paise - paid_paise - waived_paise)::float8 as left from charges
       where org_id = $1 and taken_back_at is null and amount_paise > paid_paise + waived_paise order by charge_id`,
      [orgId],
    );
    const day = await client.query<{ day: string }>('select kist_today()::text as day');
    return {
      charges: charges.rows,
      waivers: await ids(`select waiver_id as id from waivers where org_id = $1 and state = 'asked' order by 1`),
      refunds: await ids(`select payment_id as id from refund_tasks where org_id = $1 and state = 'open' order by 1`),
      today: day.rows[0]!.day,
    };
  });
