import type pg from 'pg';
import { putGuardsAside } from '@kist/server/measured';
import { askLaw, type Tally } from './judge.ts';
import { LAWS } from './law.ts';
import { replayed } from './replay.ts';

/** One thing out of order, and the law that has to see it (by a part of its name). Everything is of organisation $1. */
interface Plant {
  seenBy: string;
  sql: string;
}

const ONE = (table: string, key: string, where: string) =>
  `${key} = (select ${key} from ${table} where org_id = $1 and ${where} order by ${key} limit 1)`;
const RUNNING = `agreement_id in (select agreement_id from agreements where org_id = $1 and state = 'active')`;
/** What is replayed: no new terms have come since. */
const REPLAYED = `agreement_id in (select agreement_id from agreements where org_id = $1 and schedule_version = 1)`;
const DUES = `goes_to = 'dues'`;
/** What came in and was all taken back again is nothing on whichever account it lies. */
const EARNING = `select x.agreement_id from journal_lines x join accounts b on b.org_id = x.org_id and b.account_id = x.account_id where x.org_id = $1 and b.code = 'income_interest' group by 1 having sum(x.credit - x.debit) <> 0`;

const PLANTS: readonly Plant[] = [
  {
    seenBy: 'follows on what was',
    sql: `update agreements set schedule_version = schedule_version + 1 where org_id = $1 and ${ONE('agreements', 'agreement_id', 'true')}`,
  },
  {
    seenBy: 'follows on what was',
    sql: `update schedule_versions set principal_paise = principal_paise + 1 where org_id = $1 and principal_paise > 0 and ${ONE('schedule_versions', 'agreement_id', 'principal_paise > 0')}`,
  },
  {
    seenBy: 'follows on what was',
    sql: `update phone_exchanges set to_device_id = gen_random_uuid() where org_id = $1 and no = 1 and ${ONE('phone_exchanges', 'agreement_id', 'true')}`,
  },
  {
    seenBy: 'follows on what was',
    sql: `update agreements set owner_user_id = (select u.user_id from users u where u.org_id = $1 and u.user_type in ('retailer', 'miniretailer')
        and u.user_id <> agreements.owner_user_id limit 1) where org_id = $1 and ${ONE('agreements', 'agreement_id', 'true')}`,
  },
  {
    seenBy: 'debits are credits',
    sql: `update journal_lines set debit = debit + 1 where org_id = $1 and line_no = 1 and debit > 0 and ${ONE('journals', 'journal_id', `kind = 'payment'`)}`,
  },
  {
    seenBy: 'debits are credits',
    sql: `delete from journal_lines where org_id = $1 and ${ONE('journals', 'journal_id', `kind = 'payment'`)} and line_no > 1`,
  },
  {
    seenBy: 'mirrors what it takes back',
    sql: `update journal_lines set instalment_no = instalment_no + 1 where org_id = $1 and bucket = 'principal' and ${ONE('journals', 'journal_id', `kind = 'payment_reversed' and exists (select from journal_lines x where x.org_id = $1 and x.journal_id = journals.journal_id and x.bucket = 'principal')`)}`,
  },
  {
    seenBy: 'every bucket of every instalment',
    sql: `update instalments set paid_principal_paise = paid_principal_paise - 1 where org_id = $1 and ${ONE('instalments', 'instalment_id', 'paid_principal_paise > 0')}`,
  },
  {
    seenBy: 'every bucket of every instalment',
    sql: `update journal_lines set instalment_no = 11 where org_id = $1 and instalment_no <> 11 and payment_id is not null and bucket = 'interest' and ${ONE('journals', 'journal_id', `kind = 'payment' and exists (select from journal_lines x where x.org_id = $1 and x.journal_id = journals.journal_id and x.bucket = 'interest' and x.instalment_no <> 11)`)}`,
  },
  {
    seenBy: 'what is owed is the receivable',
    sql: `update instalments set interest_paise = interest_paise + 1 where org_id = $1 and ${ONE('instalments', 'instalment_id', `interest_paise > 0 and ${RUNNING}`)}`,
  },
  {
    seenBy: 'what is owed is the receivable',
    sql: `update agreements set advance_paise = advance_paise + 1 where org_id = $1 and ${ONE('agreements', 'agreement_id', `state = 'active'`)}`,
  },
  {
    seenBy: 'an agreement says',
    sql: `update agreements set outstanding_paise = outstanding_paise - 1 where org_id = $1 and ${ONE('agreements', 'agreement_id', 'outstanding_paise > 0')}`,
  },
  {
    seenBy: 'an agreement says',
    sql: `update agreements set oldest_due_on = oldest_due_on + 1 where org_id = $1 and ${ONE('agreements', 'agreement_id', 'oldest_due_on is not null')}`,
  },
  {
    seenBy: 'what is owed is the receivable',
    sql: `delete from journal_lines where org_id = $1 and ${ONE('journals', 'journal_id', `kind = 'agreement_cancelled'`)}`,
  },
  {
    seenBy: 'income as they are paid',
    sql: `update journal_lines l set account_id = (select account_id from accounts where org_id = $1 and code = 'sales') from accounts a where a.org_id = l.org_id and a.account_id = l.account_id and a.code = 'income_interest' and l.org_id = $1 and l.agreement_id in (${EARNING})`,
  },
  {
    seenBy: 'a penal charge is paid and waived',
    sql: `update charges set paid_paise = paid_paise + 1 where org_id = $1 and ${ONE('charges', 'charge_id', 'amount_paise > paid_paise + waived_paise and taken_back_at is null')}`,
  },
  {
    seenBy: 'a penal charge is paid and waived',
    sql: `update waivers set amount_paise = amount_paise + 1 where org_id = $1 and state = 'granted'`,
  },
  {
    seenBy: 'a payment that stands has one journal',
    sql: `delete from journals where org_id = $1 and ${ONE('journals', 'journal_id', `kind = 'payment'`)}`,
  },
  {
    seenBy: 'a payment that stands has one journal',
    sql: `update payments set amount_paise = amount_paise + 1 where org_id = $1 and ${ONE('payments', 'payment_id', `state = 'posted' and ${DUES}`)}`,
  },
  {
    seenBy: 'where a payment stands adds up',
    sql: `delete from journal_lines where org_id = $1 and bucket is not null and payment_id = (select payment_id from payments where org_id = $1 and state = 'posted' and ${DUES} limit 1)`,
  },
  {
    seenBy: 'each till holds',
    sql: `update payments set recorded_by = (select user_id from users where org_id = $1 and user_type = 'admin'), posted_by = null where org_id = $1 and ${ONE('payments', 'payment_id', `state = 'posted'`)}`,
  },
  {
    seenBy: 'numbered without a gap',
    sql: `update payments set receipt_no = receipt_no || '9' where org_id = $1 and ${ONE('payments', 'payment_id', `state = 'posted'`)}`,
  },
  {
    seenBy: 'numbered without a gap',
    sql: `update payments set note_no = null where org_id = $1 and ${ONE('payments', 'payment_id', `state = 'reversed'`)}`,
  },
  {
    seenBy: 'a reference of a transfer',
    sql: `update payments set method = 'UPI', reference = ' same' where org_id = $1 and state = 'posted'`,
  },
  {
    seenBy: 'went from state to state',
    sql: `update payments set state = 'posted', note_no = null where org_id = $1 and ${ONE('payments', 'payment_id', `state = 'reversed'`)}`,
  },
  {
    seenBy: 'went from state to state',
    sql: `update agreement_moves set from_state = 'cancelled' where org_id = $1 and no > 1`,
  },
  {
    seenBy: 'money of an agreement that is over',
    sql: `update refund_tasks set amount_paise = amount_paise + 1 where org_id = $1 and ${ONE('refund_tasks', 'payment_id', 'true')}`,
  },
  {
    seenBy: 'money of an agreement that is over',
    sql: `delete from refund_tasks where org_id = $1 and ${ONE('refund_tasks', 'payment_id', `payment_id in (select payment_id from payments where org_id = $1 and ${DUES})`)}`,
  },
  {
    seenBy: 'money of an agreement that is over',
    sql: `delete from journals where org_id = $1 and kind = 'refund_paid'`,
  },
  { seenBy: 'a wallet is never below nothing', sql: `update wallets set available = available + 1 where org_id = $1` },
  {
    seenBy: 'a wallet is never below nothing',
    sql: `update journal_lines set lot = case lot when 'paid' then 'granted' else 'paid' end where org_id = $1 and lot is not null and ${ONE('journals', 'journal_id', `kind = 'key_reserved'`)}`,
  },
  {
    seenBy: 'a key set aside is spent',
    sql: `update key_reservations set state = 'voided' where org_id = $1 and state = 'posted'`,
  },
  { seenBy: 'a sale is whole', sql: `delete from payments where org_id = $1 and goes_to = 'down_payment'` },
  {
    seenBy: 'a sale is whole',
    sql: `update agreements set financed_paise = financed_paise + 1 where org_id = $1 and ${ONE('agreements', 'agreement_id', 'true')}`,
  },
  {
    seenBy: 'every history is whole',
    sql: `delete from audit_lines where org_id = $1 and action = 'payment_recorded'`,
  },
  { seenBy: 'every history is whole', sql: `update audit_heads set hash = '\\x00' where org_id = $1` },
];

/** What the proof holds the books against has to be able to fail: each of these is planted, looked at and taken out again. @returns how many */
export async function proveTeeth(client: pg.Client, orgId: number, tally: Tally): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const tables = rows.map(({ name }) => name);
  const planted = async (sql: string, look: () => Promise<string[]>, by: string) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await putGuardsAside(client, tables);
    try {
      const { rowCount } = await client.query(sql, [orgId]);
      const isSeen = (rowCount ?? 0) > 0 && (await look()).length > 0;
      if (isSeen) tally.held += 1;
      else tally.broken.add(`planted in ${rowCount} rows and not seen by “${by}”: ${sql}`);
    } catch (error) {
      tally.broken.add(`could not be planted (${String(error)}): ${sql}`);
    }
    await client.query('rollback');
  };
  for (const { seenBy, sql } of PLANTS) {
    const law = LAWS.find(({ name }) => name.includes(seenBy))!;
    await planted(sql, () => askLaw(client, law, orgId), law.name);
  }
  const moved = `update instalments set paid_principal_paise = paid_principal_paise - 1 where org_id = $1 and ${ONE('instalments', 'instalment_id', `paid_principal_paise > 0 and ${REPLAYED}`)}`;
  await planted(moved, () => replayed(client, orgId), 'the replay');
  return PLANTS.length + 1;
}
