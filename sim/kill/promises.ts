import type pg from 'pg';
import { violations } from '@kist/server/measured';
import type { Acknowledged } from './shops.ts';

/** Promises that held, and each one that was broken in words. */
export interface Tally {
  held: number;
  broken: string[];
}

const noted = (tally: Tally, broken: readonly string[], count: number): void => {
  tally.broken.push(...broken);
  tally.held += Math.max(0, count - broken.length);
};

/** Looks at the database as it stands when all is quiet. */
export async function checkPromises(
  client: pg.Client,
  orgId: number,
  acknowledged: readonly Acknowledged[],
  tally: Tally,
): Promise<void> {
  await client.query(`select set_config('kist.org_id', $1, false)`, [String(orgId)]);
  noted(
    tally,
    await lostOrDoubledPayments(client, orgId, acknowledged),
    acknowledged.filter(({ order }) => order.kind === 'payment').length,
  );
  noted(
    tally,
    await lostLocks(client, orgId, acknowledged),
    acknowledged.filter(({ order }) => order.kind === 'lock').length,
  );
  noted(tally, await unbookedMoney(client, orgId, acknowledged), 1);
  noted(tally, await heldThoughPaid(client, orgId), 1);
  noted(tally, await brokenChains(client, orgId), 1);
  for (const invariant of ['I3', 'I4', 'I5', 'I6', 'I7', 'I8']) {
    const found = (await violations(client)).filter((violation) => violation.invariant === invariant);
    noted(
      tally,
      found.map(({ id, detail }) => `${invariant} ${id}: ${detail}`),
      1,
    );
  }
}

interface PaymentRow {
  id: string;
  receipt: string;
  paise: number;
  journals: number;
}

/** I1: every acknowledged payment is there once, with one journal and one receipt for its customer; nothing is there that nobody was told of. */
async function lostOrDoubledPayments(
  client: pg.Client,
  orgId: number,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const { rows } = await client.query<PaymentRow>(
    `select p.payment_id as id, p.receipt_no as receipt, p.amount_paise::float8 as paise,
       (select count(*)::int from journals j where j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id) as journals
     from payments p where p.org_id = $1 and p.state = 'posted'`,
    [orgId],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const broken: string[] = [];
  for (const { order, answer } of acknowledged) {
    if (order.kind !== 'payment') continue;
    const row = stored.get(String(answer['payment_id']));
    if (!row) broken.push(`payment lost: ${String(answer['receipt_no'])} of phone ${order.phone}`);
    else if (row.paise !== order.paise || row.receipt !== answer['receipt_no'] || row.journals !== 1)
      broken.push(`payment changed: ${JSON.stringify(row)} for ${JSON.stringify(answer)}`);
    stored.delete(String(answer['payment_id']));
  }
  broken.push(
    ...[...stored.values()].map(({ receipt }) => `payment doubled: ${receipt} belongs to no acknowledged order`),
  );
  return broken;
}

/** Every acknowledged lock is there once, with the verdict that allowed it; a refused one has its refusal. */
async function lostLocks(client: pg.Client, orgId: number, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string; state: string; phone: string; verdicts: number }>(
    `select c.command_id as id, c.state, c.device_id as phone, (select count(*)::int from verdicts v where v.org_id = c.org_id and v.command_id = c.command_id) as verdicts
     from commands c where c.org_id = $1 and c.type = 'lock' and c.requested_by is not null`,
    [orgId],
  );
  const granted = new Map(rows.filter(({ state }) => state !== 'REFUSED').map((row) => [row.id, row]));
  const broken: string[] = [];
  const locks = acknowledged.filter(({ order }) => order.kind === 'lock');
  for (const { order, status, answer } of locks) {
    if (status !== 200) continue;
    const row = granted.get(String(answer['command_id']));
    if (!row) broken.push(`lock lost: phone ${order.phone}`);
    else if (row.verdicts < 1) broken.push(`lock without verdict: phone ${order.phone}`);
    granted.delete(String(answer['command_id']));
  }
  broken.push(...[...granted.keys()].map((id) => `lock doubled: ${id}`));
  const refusals = rows.filter(({ state }) => state === 'REFUSED').length;
  const told = locks.filter(({ status }) => status !== 200).length;
  if (refusals !== told) broken.push(`${told} refusals were told, ${refusals} are on record`);
  return broken;
}

/** I2: debits are credits, and the tills hold what was acknowledged above the planted down payments. */
async function unbookedMoney(
  client: pg.Client,
  orgId: number,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const { rows } = await client.query<{ off: number; till: number }>(
    `select sum(l.debit - l.credit)::float8 as off,
       (sum(l.debit - l.credit) filter (where a.code = 'clearing_cash' and j.kind <> 'agreement_opened'))::float8 as till
     from journal_lines l join accounts a using (org_id, account_id) join journals j using (org_id, journal_id) where org_id = $1`,
    [orgId],
  );
  const paid = acknowledged.reduce((sum, { order }) => sum + order.paise, 0);
  const { off, till } = rows[0] ?? { off: Number.NaN, till: Number.NaN };
  return off === 0 && till === paid
    ? []
    : [`the books are off by ${off}; the tills hold ${till}, acknowledged are ${paid}`];
}

/** Whoever has nothing overdue is wanted free. */
async function heldThoughPaid(client: pg.Client, orgId: number): Promise<string[]> {
  const { rows } = await client.query<{ no: string }>(
    `select a.agreement_no as no from agreements a join device_desired w using (org_id, device_id)
     where a.org_id = $1 and w.lock_level > 0 and (a.oldest_due_on is null or a.oldest_due_on >= (kist_now() at time zone 'utc' + interval '5 hours 30 minutes')::date)`,
    [orgId],
  );
  return rows.map(({ no }) => `paid up and held: ${no}`);
}

/** Every history recomputes to its own hashes, line by line, and ends where its head says. */
async function brokenChains(client: pg.Client, orgId: number): Promise<string[]> {
  const { rows } = await client.query<{ subject: string; seq: string }>(
    `with lines as (
       select *, lag(hash, 1, ''::bytea) over history as before, row_number() over history as place, max(seq) over (partition by org_id, subject_kind, subject_id) as last
       from audit_lines where org_id = $1 window history as (partition by org_id, subject_kind, subject_id order by seq))
     select l.subject_kind || ' ' || l.subject_id as subject, l.seq from lines l join audit_heads h using (org_id, subject_kind, subject_id)
     where l.seq <> l.place or l.prev_hash <> l.before or h.seq <> l.last
       or l.hash <> audit_hash(l.before, l.org_id, l.subject_kind, l.subject_id, l.seq, l.at, l.actor, l.action, l.data) limit 20`,
    [orgId],
  );
  return rows.map(({ subject, seq }) => `audit of ${subject} breaks at line ${seq}`);
}
