import { NEEDS } from '@kist/contract/access';
import { createHash } from 'node:crypto';
import type { CustomerRow, LockView } from '@kist/contract/customers';
import { daysBetween, type IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { lockViews } from '#server/devices/devices.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import { FROM, type ListQuery, SORTS, where } from './customer-list-sql.ts';
import { PageBook } from './pages.ts';

type Key = [sort: string, id: string];
interface ListRow {
  provisioning_type: number;
  customer_id: string;
  first_name: string;
  last_name: string;
  mobile: string;
  status: number;
  plan_type: number;
  is_draft: boolean;
  created_at: Date;
  device_id: string | null;
  brand: string | null;
  model: string | null;
  imei1: string | null;
  agreement_no: string | null;
  agreement_state: string | null;
  oldest_due_on: IsoDate | null;
  oldest_due_paise: number | null;
  paid_count: number | null;
  tenure: number | null;
  overdue_paise: number;
  is_disputed: boolean;
  sort_key: string;
}

/** Skipping further than this from a known page is refused: nobody turns to page 40,000 by hand. */
const SKIP_MAX_ROWS = 200_000;

const COLUMNS = `c.customer_id, c.first_name, c.last_name, c.mobile, c.status, c.plan_type, c.is_draft, c.created_at,
  d.device_id, d.provisioning_type, d.brand, d.model, d.imei1, a.agreement_no, a.state as agreement_state, a.oldest_due_on, a.oldest_due_paise, a.paid_count, a.tenure,
  coalesce((select sum(i.principal_paise + i.interest_paise + i.fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise)
    from instalments i where i.org_id = c.org_id and i.agreement_id = a.agreement_id and a.state = 'active' and i.due_on < $2::date), 0)::bigint as overdue_paise,
  exists (select from disputes x where x.org_id = c.org_id and x.agreement_id = a.agreement_id and x.closed_at is null) as is_disputed`;

function toRow(row: ListRow, today: IsoDate, locks: ReadonlyMap<string, LockView>): CustomerRow {
  const isActive = row.agreement_state === 'active';
  const dueOn = isActive ? row.oldest_due_on : null;
  return {
    customer_id: row.customer_id,
    first_name: row.first_name,
    last_name: row.last_name,
    mobile: row.mobile,
    status: row.status,
    plan_type: row.plan_type,
    provisioning_type: row.device_id ? row.provisioning_type : null,
    device: [row.brand, row.model].filter(Boolean).join(' '),
    imei1: row.imei1,
    agreement_no: row.agreement_no,
    lock: (row.status !== 0 && row.device_id && locks.get(row.device_id)) || null,
    next_due_on: dueOn,
    next_due_paise: isActive ? (row.oldest_due_paise ?? 0) : 0,
    days_past_due: dueOn && dueOn < today ? daysBetween(dueOn, today) : 0,
    overdue_paise: row.overdue_paise,
    paid_count: row.paid_count ?? 0,
    tenure: row.tenure ?? 0,
    is_disputed: row.is_disputed,
    is_draft: row.is_draft,
    created_at: row.created_at.toISOString(),
  };
}

/** Customers of a shop, by page number, over keyset paging. One instance a process: it remembers where pages end. */
export class CustomerList {
  readonly #db: Database;
  readonly #book = new PageBook<Key>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws KistError FEATURE_NOT_ALLOWED; PAGE_TOO_FAR for a page that nobody could have come to. */
  async page(actor: Actor, filter: ListQuery) {
    requires(actor, NEEDS.read);
    return this.#db.read(actor.orgId, (tx) => this.#page(tx, actor, filter));
  }

  /**
   * Whom a filter means, for an order to all of them: the list's customers, in no order. How many a filter finds is as good as a search.
   * @throws KistError FEATURE_NOT_ALLOWED; TOO_LARGE beyond `max`
   */
  async ids(tx: Tx, actor: Actor, filter: CustomerFilter, max: number): Promise<string[]> {
    requires(actor, NEEDS.read);
    const { sql, values } = where(filter, actor.visibleOwnerIds, businessOn(await now(tx)));
    const { rows } = await tx.query<{ id: string }>(
      `select c.customer_id as id ${FROM} where ${sql} limit ${max + 1}`,
      values,
    );
    if (rows.length > max)
      throw new KistError('TOO_LARGE', { fields: [{ path: 'filter', key: 'field.too_large', params: { max } }] });
    return rows.map(({ id }) => id);
  }

  async #page(tx: Tx, actor: Actor, filter: ListQuery) {
    const today = businessOn(await now(tx)) as IsoDate;
    const { page, page_size, refresh, ...rest } = filter;
    const { sql, values } = where(filter, actor.visibleOwnerIds, today);
    const name = createHash('sha256')
      .update(JSON.stringify([actor.orgId, actor.visibleOwnerIds.toSorted(), today, page_size, rest]))
      .digest('base64');
    if (page === 1 || refresh || this.#book.total(name) === undefined) {
      const { rows } = await tx.query<{ n: number }>(`select count(*)::int as n ${FROM} where ${sql}`, values);
      this.#book.open(name, rows[0]!.n);
    }
    const start = this.#book.before(name, page);
    const skip = (page - 1 - (start?.page ?? 0)) * page_size;
    if (skip > SKIP_MAX_ROWS) throw new KistError('PAGE_TOO_FAR', { fields: [{ path: 'page', key: 'field.page' }] });
    const sort = SORTS[filter.sort];
    const compare = sort.direction === 'desc' ? '<' : '>';
    const after = start
      ? ` and (${sort.by}, c.customer_id) ${compare} ($${values.push(start.key[0])}::${sort.type}, $${values.push(start.key[1])}::uuid)`
      : '';
    const { rows } = await tx.query<ListRow>(
      `select ${COLUMNS}, (${sort.by})::text as sort_key ${FROM} where ${sql}${after}
       order by ${sort.by} ${sort.direction}, c.customer_id ${sort.direction} limit ${page_size} offset ${skip}`,
      values,
    );
    const last = rows.at(-1);
    if (last && rows.length === page_size) this.#book.ended(name, page, [last.sort_key, last.customer_id]);
    const locks = await lockViews(
      tx,
      rows.flatMap((row) => row.device_id ?? []),
    );
    return {
      list: rows.map((row) => toRow(row, today, locks)),
      total: this.#book.total(name) ?? rows.length,
      page,
      page_size,
    };
  }
}
