import type { Database, Tx } from '#server/platform/database.ts';
import { partEnds } from './parts-store.ts';

/** One thing that must never be. `detail` holds ids and numbers only. */
export interface Violation {
  invariant: 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8';
  id: string;
  detail: string;
}

const TODAY = '(select kist_today())';
/** Written out, as what is overdue is below: who judges does not ask what is judged. */
const LEFT =
  'i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise';
/** A report shows so many: enough to see what is wrong, not a second copy of the table. */
const SHOWN = 50;

/** Of which agreements, or of which phones: both kinds of ids begin with a time, so one range of them is a part of either. */
interface Part {
  after: string | null;
  upTo: string | null;
}
const WHOLE: Part = { after: null, upTo: null };
/** Agreements that one look is about: some seconds on a slow machine. */
const PART = 50_000;
/** @returns the condition that an id lies in the part asked for */
const within = (id: string) => `($1::uuid is null or ${id} > $1) and ($2::uuid is null or ${id} <= $2)`;

/** Each statement returns a row for each violation, as the part stands now. */
const CHECKS: Record<Violation['invariant'], string> = {
  // dues recomputed = dues stored
  I3: `
    select a.agreement_id as id, 'stored ' || a.outstanding_paise || '/' || coalesce(a.oldest_due_on::text, '-') || ', recomputed '
      || coalesce(o.paise, 0) || '/' || coalesce(o.oldest::text, '-') as detail
    from agreements a left join (
      select i.agreement_id, sum(${LEFT}) as paise, min(i.due_on) filter (where ${LEFT} > 0) as oldest from instalments i
      where i.org_id = kist_org() and ${within('i.agreement_id')} group by i.agreement_id) o using (agreement_id)
    where a.org_id = kist_org() and ${within('a.agreement_id')} and (a.outstanding_paise <> coalesce(o.paise, 0) or a.oldest_due_on is distinct from o.oldest)`,
  // no level without a verdict that allowed it, and none above what the causes ask for; no switch without one either
  I4: `
    select w.device_id as id, 'level ' || w.lock_level || ', causes ' || coalesce(l.level, 0) || ', verdict ' || coalesce(v.level::text, 'none') as detail
    from device_desired w
    left join (select device_id, max(level) as level from locks where org_id = kist_org() and ${within('device_id')} group by device_id) l using (device_id)
    left join lateral (
      select max((v.verdict ->> 'requested_level')::int) as level from locks k join verdicts v on v.org_id = k.org_id and v.verdict_id = k.verdict_id
      where k.org_id = kist_org() and k.device_id = w.device_id and v.device_id = k.device_id and v.allowed and v.revision <= w.revision
        and (v.verdict ->> 'requested_level')::int = k.level) v on true
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lock_level > 0 and (l.level is distinct from w.lock_level or v.level is distinct from w.lock_level::int)
    union all
    select w.device_id, s.name || ' taken without a verdict' from device_desired w cross join lateral jsonb_each(w.document -> 'toggles') s(name, is_on)
    where w.org_id = kist_org() and ${within('w.device_id')} and s.is_on = 'true' and not exists (
      select from restrictions x join verdicts v on v.org_id = x.org_id and v.verdict_id = x.verdict_id
      where x.org_id = w.org_id and x.device_id = w.device_id and x.taken = s.name and x.given_back_at is null and v.device_id = x.device_id
        and v.allowed and v.revision <= w.revision and v.facts -> 'request' ->> 'taking' = x.taken)`,
  // dues cleared: wanted free; no test on a phone that is late, or beyond its end
  I5: `
    select l.device_id as id, l.cause || ' at level ' || l.level as detail
    from locks l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in ('debt', 'override') and l.level > 0
      and (a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= ${TODAY})
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ', over since ' || coalesce(l.ends_at::text, '-')
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause = 'enrolment_test' and l.level > 0
      and (a.state is distinct from 'active' or a.oldest_due_on < ${TODAY} or l.ends_at is null or l.ends_at < kist_now() - interval '10 minutes')
    union all
    select x.device_id, x.taken || ' taken for debt' from restrictions x left join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where x.org_id = kist_org() and ${within('x.device_id')} and x.cause = 'debt' and x.given_back_at is null
      and (a.agreement_id is null or a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= ${TODAY})`,
  // phones never run ahead of what was wanted
  I6: `
    select r.device_id as id, 'reported ' || r.revision || ', wanted ' || w.revision as detail
    from device_reports r join device_desired w using (org_id, device_id) where r.org_id = kist_org() and ${within('r.device_id')} and r.revision > w.revision`,
  // a lock belongs to the agreement that sold this very phone
  I7: `
    select l.device_id as id, l.cause || ' of agreement ' || l.agreement_id as detail
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in ('debt', 'override') and l.level > 0 and a.device_id is distinct from l.device_id`,
  // every decision of the last two days has its audit line
  I8: `
    select v.verdict_id as id, 'revision ' || v.revision as detail from verdicts v
    where v.org_id = kist_org() and ${within('v.device_id')} and v.revision is not null and v.decided_at > kist_now() - interval '2 days' and not exists (
      select from audit_lines x where x.org_id = v.org_id and x.subject_kind = 'device' and x.subject_id = v.device_id::text
        and x.action in ('lock_level_decided', 'restriction_taken') and x.at >= v.decided_at - interval '1 minute'
        and x.data -> 'causes' @> jsonb_build_array(jsonb_build_object('verdict_id', v.verdict_id)))`,
};

/** Looks at what the organisation has, all of it or a part, in one snapshot. @returns what must never be; empty when all is well */
export async function violations(tx: Pick<Tx, 'query'>, { after, upTo }: Part = WHOLE): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [invariant, statement] of Object.entries(CHECKS) as [Violation['invariant'], string][]) {
    const { rows } = await tx.query<{ id: string; detail: string }>(`${statement} limit ${SHOWN}`, [after, upTo]);
    found.push(...rows.map((row) => ({ invariant, ...row })));
  }
  return found;
}

/** The same of everything, part by part: each in a snapshot of its own, so that no statement takes longer where there is more to look at. */
export async function violationsInParts(db: Pick<Database, 'read'>, orgId: number, size = PART): Promise<Violation[]> {
  const rows = await db.read(orgId, (tx) => partEnds.all(tx, { size }));
  const ends = rows.map(({ agreement_id }) => agreement_id);
  const found: Violation[] = [];
  for (const [index, upTo] of [...ends, null].entries())
    found.push(...(await db.read(orgId, (tx) => violations(tx, { after: ends[index - 1] ?? null, upTo }))));
  return found.slice(0, SHOWN * Object.keys(CHECKS).length);
}
