import type { Language } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';
import { givenRows } from '#server/platform/given-rows.ts';

/** Whom a message is for, and what it can say of the agreement. */
export interface Addressee {
  agreementId: string;
  agreementNo: string;
  customerId: string;
  deviceId: string;
  provisioningType: number;
  /** Enrolled and not released: it can show a message. */
  isReachable: boolean;
  /** A number is on file: of a customer who was erased there is none. */
  hasNumber: boolean;
  language: Language;
  shop: string;
  shopPhone: string;
}

const addresseesOf = (wanted: string) => `
     select a.agreement_id as "agreementId", a.agreement_no as "agreementNo", a.customer_id as "customerId", a.device_id as "deviceId",
       d.provisioning_type as "provisioningType", d.enrolled_at is not null and d.released_at is null as "isReachable",
       c.mobile <> '' as "hasNumber", c.language,
       coalesce(nullif(u.shop_name, ''), trim(u.first_name || ' ' || u.last_name)) as shop, u.mobile as "shopPhone"
     from ${wanted} as w(id)
     join agreements a on a.org_id = kist_org() and a.agreement_id = w.id
     join customers c on c.org_id = kist_org() and c.customer_id = a.customer_id
     join devices d on d.org_id = kist_org() and d.device_id = a.device_id
     join shop_contacts_view u on u.org_id = kist_org() and u.user_id = a.owner_user_id`;
const ADDRESSEES = addresseesOf('unnest($1::uuid[])');
/** Prepared, as most messages are to one; of a list no plan would be kept. */
const ONE_ADDRESSEE = addresseesOf('(select $1::uuid)');

export async function findAddressees(tx: Tx, agreementIds: readonly string[]): Promise<Map<string, Addressee>> {
  const ids = [...new Set(agreementIds)];
  if (ids.length === 0) return new Map();
  const isOne = ids.length === 1;
  const name = isOne ? 'notices.one_addressee' : undefined;
  const { rows } = await tx.query<Addressee>(isOne ? ONE_ADDRESSEE : ADDRESSEES, isOne ? ids : [ids], name);
  return new Map(rows.map((row) => [row.agreementId, row]));
}

export type NoticeKind =
  | 'reminder'
  | 'notice'
  | 'locked'
  | 'unlocked'
  | 'receipt'
  | 'penal'
  | 'penal_waived'
  | 'alert'
  | 'dispute'
  | 'schedule';
export type Channel = 'sms' | 'phone';

export interface NoticeInsert {
  notice_id: string;
  agreement_id: string;
  customer_id: string;
  kind: NoticeKind;
  no: number;
  due_on: IsoDate;
  channel: Channel;
  language: string;
  body: string;
  /** Which registered text it is; null of a shop's own words, which go to a phone alone. */
  template_id: string | null;
}

const NOTICES = givenRows<NoticeInsert>({
  notice_id: 'uuid',
  agreement_id: 'uuid',
  customer_id: 'uuid',
  kind: 'text',
  no: 'integer',
  due_on: 'date',
  channel: 'text',
  language: 'text',
  body: 'text',
  template_id: 'text',
});

const CHUNK = 5000;

/** What is kept of a message that does not count, beside the one that will: what it said, when, and what proved it; of that what was set aside before. */
const SET_ASIDE = `jsonb_build_object('before', notice_set_aside(n))`;

/**
 * A message whose only delivery came before it could count is written anew: a phone that claims on the day of sale that it showed a notice would else never
 * be told. So is one that was written before money was taken back or the phone exchanged: a receipt of the old text finds nothing any more. @returns the ids of those written
 */
export async function rewriteEarly(
  tx: Tx,
  notices: readonly (NoticeInsert & { countsFrom: Date | undefined; toldAnewFrom: Date | null })[],
): Promise<Set<string>> {
  if (notices.length === 0) return new Set();
  const { rows } = await tx.query<{ id: string }>(
    `update notices n set notice_id = g.notice_id, language = g.language, body = g.body, template_id = g.template_id, created_at = kist_now(), sent_at = null, delivered_at = null,
       seen_at = null, failed_at = null, provider_ref = null, command_id = null,
       proof = ${SET_ASIDE}
     from json_to_recordset($1::json) as g(notice_id uuid, agreement_id uuid, kind text, no integer, due_on date, channel text, language text, body text,
       template_id text, "countsFrom" timestamptz, "toldAnewFrom" timestamptz)
     where n.org_id = kist_org() and n.agreement_id = g.agreement_id and n.kind = g.kind and n.no = g.no and n.due_on = g.due_on and n.channel = g.channel
       and (n.delivered_at < g."countsFrom" or n.created_at < g."toldAnewFrom")
     returning n.notice_id as id`,
    [JSON.stringify(notices)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** @returns the ids that are new: the same message (agreement, kind, number, instalment, channel) is never written twice. */
export async function insertNotices(tx: Tx, notices: readonly NoticeInsert[]): Promise<Set<string>> {
  const fresh = new Set<string>();
  for (let at = 0; at < notices.length; at += CHUNK) {
    const { rows } = await tx.query<{ id: string }>(
      `insert into notices (org_id, created_at, ${NOTICES.names}) select kist_org(), (select kist_now()), ${NOTICES.names} from ${NOTICES.from}
       on conflict (org_id, agreement_id, kind, no, due_on, channel) do nothing returning notice_id as id`,
      await NOTICES.parameters(notices.slice(at, at + CHUNK)),
      'notices.insert',
    );
    for (const { id } of rows) fresh.add(id);
  }
  return fresh;
}

/** The order that carries a message to the phone; given to the phone is sent. */
export async function linkCommands(tx: Tx, links: readonly { noticeId: string; commandId: string }[]): Promise<void> {
  if (links.length === 0) return;
  await tx.query(
    `update notices n set command_id = l.command_id, sent_at = kist_now()
     from unnest($1::uuid[], $2::uuid[]) as l(notice_id, command_id) where n.org_id = kist_org() and n.notice_id = l.notice_id`,
    [links.map((link) => link.noticeId), links.map((link) => link.commandId)],
  );
}

export interface Sendable {
  noticeId: string;
  agreementId: string;
  kind: NoticeKind;
  body: string;
  /** Null of one that was written before texts had ids. */
  templateId: string | null;
  mobile: string;
}

/** Text messages among these that nobody has sent yet. */
export async function findSendable(tx: Tx, noticeIds: readonly string[]): Promise<Sendable[]> {
  const { rows } = await tx.query<Sendable>(
    `select n.notice_id as "noticeId", n.agreement_id as "agreementId", n.kind, n.body, n.template_id as "templateId", c.mobile from notices n
     join customers c on c.org_id = n.org_id and c.customer_id = n.customer_id
     where n.org_id = kist_org() and n.notice_id = any($1::uuid[]) and n.channel = 'sms' and n.sent_at is null and n.failed_at is null`,
    [[...noticeIds]],
  );
  return rows;
}

export async function markSent(tx: Tx, noticeId: string, providerRef: string): Promise<void> {
  await tx.query(
    `update notices set sent_at = coalesce(sent_at, kist_now()), provider_ref = coalesce(provider_ref, $2)
     where org_id = kist_org() and notice_id = $1`,
    [noticeId, providerRef],
  );
}

/** A receipt for a message; the first one counts, and a delivery is never taken back by a later failure. @returns whom it was for, when new */
export async function markDelivered(
  tx: Tx,
  noticeId: string,
  proof: object,
): Promise<{ agreementId: string; kind: NoticeKind } | null> {
  const { rows } = await tx.query<{ agreementId: string; kind: NoticeKind }>(
    `update notices set delivered_at = kist_now(), sent_at = coalesce(sent_at, kist_now()), failed_at = null, proof = coalesce(proof, '{}') || $2::jsonb
     where org_id = kist_org() and notice_id = $1 and delivered_at is null returning agreement_id as "agreementId", kind`,
    [noticeId, JSON.stringify(proof)],
  );
  return rows[0] ?? null;
}

export async function markFailed(tx: Tx, noticeId: string, proof: object): Promise<void> {
  await tx.query(
    `update notices set failed_at = kist_now(), proof = $2 where org_id = kist_org() and notice_id = $1 and delivered_at is null and failed_at is null`,
    [noticeId, JSON.stringify(proof)],
  );
}

/** The phone's word about a message it was given. @returns whom it was for, when it counts as delivered for the first time */
export async function markShown(
  tx: Tx,
  commandId: string,
  isSeen: boolean,
  at: Date,
): Promise<{ agreementId: string; kind: NoticeKind } | null> {
  const { rows } = await tx.query<{ agreementId: string; kind: NoticeKind; isNew: boolean }>(
    `update notices n set delivered_at = coalesce(n.delivered_at, $3), seen_at = case when $2 then coalesce(n.seen_at, $3) else n.seen_at end,
       proof = case when n.delivered_at is null then coalesce(n.proof, '{}') || jsonb_build_object('by', 'phone', 'command_id', $1::uuid) else n.proof end
     from notices was where was.org_id = n.org_id and was.notice_id = n.notice_id and n.org_id = kist_org() and n.command_id = $1
     returning n.agreement_id as "agreementId", n.kind, was.delivered_at is null as "isNew"`,
    [commandId, isSeen, at],
  );
  const [row] = rows;
  return row?.isNew ? row : null;
}

/**
 * A notice that the phone showed by its own lease: delivered by that very fact. @param row.countsFrom a delivery known from before that counts for nothing
 * @returns false when a delivery of it is known already, which stays as it is
 */
export async function upsertShown(
  tx: Tx,
  row: Omit<NoticeInsert, 'channel' | 'template_id'> & { at: Date; proof: object; countsFrom: Date | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into notices as n (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at, sent_at, delivered_at, proof)
     values (kist_org(), $1, $2, $3, $4, $5, $6, 'phone', $7, $8, kist_now(), $9, $9, $10)
     on conflict (org_id, agreement_id, kind, no, due_on, channel) do update
       set delivered_at = excluded.delivered_at, sent_at = coalesce(n.sent_at, excluded.sent_at),
         proof = case when n.delivered_at is null then coalesce(n.proof, '{}') else ${SET_ASIDE} end || excluded.proof
       where n.delivered_at is null or n.delivered_at < $11`,
    [
      row.notice_id,
      row.agreement_id,
      row.customer_id,
      row.kind,
      row.no,
      row.due_on,
      row.language,
      row.body,
      row.at,
      JSON.stringify(row.proof),
      row.countsFrom,
    ],
  );
  return rowCount === 1;
}

/** When each was last asked to pay by hand; an agreement that never was is absent. */
export async function lastAlerts(tx: Tx, agreementIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await tx.query<{ id: string; at: Date }>(
    `select agreement_id as id, max(created_at) as at from notices
     where org_id = kist_org() and agreement_id = any($1::uuid[]) and kind = 'alert' group by agreement_id`,
    [agreementIds],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** What an agreement owes first. */
export interface Debt {
  agreementId: string;
  customerId: string;
  oldestDueOn: string;
  oldestDuePaise: number;
  /** A complaint of theirs waits, or was answered a few days ago. */
  isDisputed: boolean;
}

const DEBTS = `
     select a.agreement_id as "agreementId", a.customer_id as "customerId", a.oldest_due_on as "oldestDueOn", a.oldest_due_paise as "oldestDuePaise",
       exists (select from open_disputes_view d where d.org_id = kist_org() and d.agreement_id = a.agreement_id) as "isDisputed"
     from agreements a join customers c on c.org_id = a.org_id and c.customer_id = a.customer_id
     where a.org_id = kist_org() and a.customer_id = any($1::uuid[]) and c.owner_user_id = any($2::uuid[]) and a.owner_user_id = any($2::uuid[])
       and a.state = 'active' and a.oldest_due_on is not null
     order by a.agreement_id`;

type AskDebts = (tx: Tx, customerIds: readonly string[], owners: readonly string[]) => Promise<Debt[]>;
const asking =
  (sql: string): AskDebts =>
  async (tx, customerIds, owners) =>
    (await tx.query<Debt>(sql, [customerIds, owners])).rows;

/** Running agreements of these customers that owe something. */
export const findDebts: AskDebts = asking(DEBTS);

/**
 * The same, taken in a fixed order so that two reminders to the same people queue up. After a wait the agreement is read anew and the customer is not: that of a
 * customer who passed on meanwhile is left out by its own owner.
 */
export const takeDebts: AskDebts = asking(`${DEBTS} for update of a`);

/** How many payments an agreement has had: the running number of its receipts. */
export async function receiptCount(tx: Tx, agreementId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    'select count(*)::int as n from payments where org_id = kist_org() and agreement_id = $1 and receipt_no is not null',
    [agreementId],
    'notices.receipt_count',
  );
  return rows[0]?.n ?? 0;
}

export interface NotificationRow {
  notification_id: string;
  kind: string;
  data: Record<string, unknown>;
  customer_id: string | null;
  customer_name: string;
  /** Why a second person said no. */
  note: string | null;
  created_at: string;
  read_at: string | null;
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column.split('.').at(-1)}`;

/** Where a page of a bell ended. */
export type BellKey = readonly [createdAt: string, notificationId: string];

/** The words of a no to what the owner of the bell asked for, where they are kept. */
const REFUSAL_NOTE = `case n.kind
         when 'override_decided' then (select r.refusal_note from override_refusals_view r where r.org_id = n.org_id and r.ask_id = (n.data ->> 'ask_id')::uuid)
         when 'batch_decided' then (select r.refusal_note from batch_refusals_view r where r.org_id = n.org_id and r.batch_id = (n.data ->> 'batch_id')::uuid)
         when 'waiver_decided' then (select r.refusal_note from waiver_refusals_view r where r.org_id = n.org_id and r.waiver_id = (n.data ->> 'waiver_id')::uuid)
       end`;

/** Whose customers whoever reads a bell sees now: of these shops, or these alone. */
export interface BellSees {
  owners: readonly string[];
  customerIds: readonly string[];
}

/** A page of a bell, newest first, behind where the one before ended. Of a customer who passed on since it rang it names nobody: how they are called by now is another shop's to know. */
export async function findNotifications(
  tx: Tx,
  userId: string,
  { owners, customerIds }: BellSees,
  { after, skip, limit }: { after: BellKey | null; skip: number; limit: number },
): Promise<(NotificationRow & { sort_key: string })[]> {
  const { rows } = await tx.query<NotificationRow & { sort_key: string }>(
    `select n.notification_id, n.kind, n.data, c.customer_id, trim(coalesce(c.first_name || ' ' || c.last_name, '')) as customer_name,
       ${REFUSAL_NOTE} as note, ${iso('n.created_at')}, ${iso('n.read_at')}, n.created_at::text as sort_key
     from notifications n left join customers_view c on c.org_id = n.org_id and c.customer_id = n.customer_id
       and (c.owner_user_id = any($4::uuid[]) or c.customer_id = any($5::uuid[]))
     where n.org_id = kist_org() and n.user_id = $1 ${after ? 'and (n.created_at, n.notification_id) < ($6::timestamptz, $7::uuid)' : ''}
     order by n.created_at desc, n.notification_id desc limit $2 offset $3`,
    [userId, limit, skip, owners, customerIds, ...(after ?? [])],
  );
  return rows;
}

export async function countNotifications(tx: Tx, userId: string): Promise<number> {
  const { rows } = await tx.query<{ total: number }>(
    'select count(*)::int as total from notifications where org_id = kist_org() and user_id = $1',
    [userId],
  );
  return rows[0]?.total ?? 0;
}

export async function markRead(tx: Tx, userId: string): Promise<number> {
  const { rowCount } = await tx.query(
    'update notifications set read_at = kist_now() where org_id = kist_org() and user_id = $1 and read_at is null',
    [userId],
  );
  return rowCount ?? 0;
}
