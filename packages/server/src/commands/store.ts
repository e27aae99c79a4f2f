import type { CommandType } from '@kist/contract/commands';
import type { CommandView } from '@kist/contract/devices';
import type { Tx } from '#server/platform/database.ts';
import { givenRows } from '#server/platform/given-rows.ts';
import { OPEN_COMMANDS, UNDELIVERED_COMMANDS } from './command-sql.ts';

/** Columns of the statement below. */
export interface CommandInsert {
  command_id: string;
  device_id: string;
  type: CommandType;
  is_state: boolean;
  /** Types that this one ends when their revision is lower; empty for one-shots and refusals. */
  family: CommandType[];
  revision: number | null;
  args: object;
  reason: string;
  note: string | null;
  state: 'QUEUED' | 'REFUSED';
  verdict: object | null;
  requested_by: string | null;
  batch_id: string | null;
  ttl_s: number;
}

/** What differs from order to order, and which kind it is of. */
interface Order extends Pick<CommandInsert, 'command_id' | 'device_id' | 'revision'> {
  no: number;
}

const ORDERS = givenRows<Order>({ command_id: 'uuid', device_id: 'uuid', revision: 'bigint', no: 'integer' });

/**
 * One statement for one order or for thousands: gives each phone's order its next number, ends what it supersedes, writes it. What is open is looked up by
 * the phones named: where an organisation had few open orders when it was planned, it would else read all that it has later.
 * @param commands distinct phones
 */
export async function insertCommands(tx: Tx, commands: readonly CommandInsert[]): Promise<void> {
  const { kinds, orders } = kindsOf(commands);
  await tx.query(
    `with kind as materialized (
       select * from json_to_recordset($5::json) as x(no integer, type text, is_state boolean, family text[], args jsonb, reason text, note text,
         state text, verdict jsonb, requested_by uuid, batch_id uuid, ttl_s integer)
     ), given as materialized (
       select * from ${ORDERS.from} join kind using (no)
     ), at as materialized (
       select kist_now() as now
     ), numbered as (
       update devices d set last_seq = d.last_seq + 1 from given g where d.org_id = kist_org() and d.device_id = g.device_id
       returning d.device_id, d.last_seq
     ), superseded as (
       update commands c set state = 'SUPERSEDED', ended_at = (select now from at) from given g
       where c.org_id = kist_org() and c.device_id = any(array(select device_id from given)) and c.device_id = g.device_id and c.state in (${OPEN_COMMANDS})
         and c.is_state and c.type = any(g.family) and c.revision < g.revision
     )
     insert into commands (org_id, command_id, device_id, seq, type, is_state, revision, args, reason, note, state, verdict, requested_by, batch_id,
       created_at, ended_at, expires_at)
     select kist_org(), g.command_id, g.device_id, n.last_seq, g.type, g.is_state, g.revision, g.args, g.reason, g.note, g.state, g.verdict, g.requested_by,
       g.batch_id, at.now, case when g.state = 'REFUSED' then at.now end, at.now + make_interval(secs => g.ttl_s)
     from given g join numbered n using (device_id) cross join at`,
    [...(await ORDERS.parameters(orders)), JSON.stringify(kinds)],
    'commands.insert',
  );
}

/** Orders of one request are alike but for phone and revision: each kind is written out once. */
function kindsOf(commands: readonly CommandInsert[]): { kinds: object[]; orders: Order[] } {
  const numbers = new Map<string, number>();
  const kinds: object[] = [];
  const orders = commands.map(({ command_id, device_id, revision, ...kind }) => {
    const text = JSON.stringify(kind);
    let no = numbers.get(text);
    if (no === undefined) {
      no = kinds.length;
      numbers.set(text, no);
      kinds.push({ no, ...kind });
    }
    return { command_id, device_id, revision, no };
  });
  return { kinds, orders };
}

/** A one-shot of this type that the phone was not given yet: asking twice for the same thing is one order. */
export async function findWaiting(tx: Tx, deviceId: string, type: CommandType): Promise<string | undefined> {
  const { rows } = await tx.query<{ commandId: string }>(
    `select command_id as "commandId" from commands where org_id = kist_org() and device_id = $1 and type = $2 and state = 'QUEUED' and not is_state
       and expires_at > kist_now() order by seq limit 1`,
    [deviceId, type],
  );
  return rows[0]?.commandId;
}

const INSTANTS = ['created_at', 'sent_at', 'delivered_at', 'applied_at', 'verified_at', 'ended_at'];
const instant = (column: string) =>
  `to_char(c.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/** A phone's latest orders, newest first. `requested_by` is a name; null for the server itself. */
export async function findRecent(tx: Tx, deviceId: string, limit: number): Promise<CommandView[]> {
  const { rows } = await tx.query<CommandView>(
    `select c.command_id, c.type, c.state, c.reason, c.note, nullif(trim(u.first_name || ' ' || u.last_name), '') as requested_by,
       ${INSTANTS.map(instant).join(', ')},
       c.fail_code, c.result, c.revision
     from commands c left join users u on u.org_id = c.org_id and u.user_id = c.requested_by
     where c.org_id = kist_org() and c.device_id = $1 order by c.created_at desc, c.seq desc limit $2`,
    [deviceId, limit],
  );
  return rows;
}

/**
 * Gives up on orders whose time is over, at most `limit` at once: never fetched → EXPIRED, fetched but without a result for `resultGraceS` → FAILED.
 * The desired state of a state order stands: the phone is handed it whenever it comes back.
 */
export async function expireOpen(
  tx: Tx,
  resultGraceS: number,
  limit: number,
): Promise<{ deviceId: string; commandId: string }[]> {
  const { rows } = await tx.query<{ deviceId: string; commandId: string }>(
    `update commands c set ended_at = kist_now(),
       state = case when c.state = 'DELIVERED' then 'FAILED' else 'EXPIRED' end,
       fail_code = case when c.state = 'DELIVERED' then 'NO_RESULT' else 'NO_CONTACT' end
     where (c.org_id, c.command_id) in (
       select org_id, command_id from commands where org_id = kist_org() and (
         (state in (${UNDELIVERED_COMMANDS}) and expires_at <= kist_now())
         or (state = 'DELIVERED' and expires_at <= kist_now() - make_interval(secs => $1)))
       order by expires_at limit $2 for update skip locked)
     returning c.device_id as "deviceId", c.command_id as "commandId"`,
    [resultGraceS, limit],
  );
  return rows;
}

/** An erased phone has forgotten what it had fetched. */
export async function failFetched(tx: Tx, deviceId: string): Promise<void> {
  await tx.query(
    `update commands set state = 'FAILED', fail_code = 'PHONE_ERASED', ended_at = kist_now()
     where org_id = kist_org() and device_id = $1 and state = 'DELIVERED' and not is_state`,
    [deviceId],
  );
}
