import type { AntihackingLayout, Language, Layout, OrganisationFlag } from '@kist/contract/codes';
import type { AllowedFeatures } from '@kist/contract/features';
import type { IsoDate } from '@kist/contract/dates';
import {
  as,
  bool,
  date,
  int4,
  int8,
  jsonb,
  listOf,
  nullable,
  type RowOf,
  text,
} from '#server/platform/column-types.ts';
import { globalStatement, statement } from '#server/platform/statement.ts';

const directoryRow = {
  org_id: int4,
  slug: text,
  host: nullable(text),
  name: text,
  /** On the specification's list of 13 with a special flag. */
  is_special: bool,
};
export type DirectoryRow = RowOf<typeof directoryRow>;

/** The directory stands outside the organisations: by it they are found. */
export const directory = globalStatement({
  name: 'organisations.directory',
  gives: directoryRow,
  text: 'select org_id, slug, host, name, is_special from org_directory order by org_id',
});

const configuration = {
  org_id: int4,
  org_name: text,
  company_name: text,
  parent_company_name: text,
  ai_name: text,
  ai_agent_id: text,
  theme: jsonb<{ accent?: string; logo?: string | null }>(),
  layout: as<Layout>()(text),
  antihacking_layout: as<AntihackingLayout>()(text),
  languages: as<readonly Language[]>()(listOf(text)),
  flags: jsonb<Partial<Record<OrganisationFlag, boolean>>>(),
  payment_url: nullable(text),
  support: jsonb<{ phone?: string; email?: string }>(),
  privacy_policy: jsonb<{ contact?: string }>(),
};
/** What an organisation says of itself to the app. */
export type Configuration = RowOf<typeof configuration>;

export const configurationOf = statement({
  name: 'organisations.configuration',
  gives: configuration,
  text: `
    select org_id, org_name, company_name, parent_company_name, ai_name, ai_agent_id, theme, layout, antihacking_layout, languages, flags, payment_url,
      support, privacy_policy
    from organisations where org_id = $1`,
});

export const allowedFeatures = statement({
  name: 'organisations.allowed_features',
  gives: { allowed_features: jsonb<AllowedFeatures>() },
  text: 'select allowed_features from organisations where org_id = $1',
});

const change = as<'created' | 'changed'>()(text);

/** As kist_operator, who keeps the directory: whether the row was there before, or is now another; no row where nothing changed. */
export const upsertDirectoryRow = statement({
  name: 'organisations.upsert_directory_row',
  takes: { slug: text, host: nullable(text), is_host_said: bool, name: text, is_special: nullable(bool) },
  gives: { change },
  text: `
    insert into org_directory as d (org_id, slug, host, name, is_special) values ($1, $slug, $host, $name, coalesce($is_special, false))
    on conflict (org_id) do update set slug = excluded.slug, host = case when $is_host_said then excluded.host else d.host end, name = excluded.name,
      is_special = coalesce($is_special, d.is_special)
      where (d.slug, d.host, d.name, d.is_special) is distinct from
            (excluded.slug, case when $is_host_said then excluded.host else d.host end, excluded.name, coalesce($is_special, d.is_special))
    returning case when xmax = 0 then 'created' else 'changed' end as change`,
});

/** Of what is declared; what is left out, of a column's object too, stays as it is. A new one is called as its company, and has no other words. No row where nothing changed. */
export const upsertOrganisation = statement({
  name: 'organisations.upsert_organisation',
  takes: {
    org_name: text,
    company_name: nullable(text),
    parent_company_name: nullable(text),
    ai_name: nullable(text),
    theme: jsonb<Record<string, string>>(),
    support: jsonb<Record<string, string>>(),
    privacy_policy: jsonb<Record<string, string>>(),
  },
  gives: { change },
  text: `
    insert into organisations as o (org_id, org_name, company_name, parent_company_name, ai_name, theme, support, privacy_policy)
    values ($1, $org_name, coalesce($company_name, $org_name), coalesce($parent_company_name, ''), coalesce($ai_name, ''), $theme, $support, $privacy_policy)
    on conflict (org_id) do update set org_name = excluded.org_name, company_name = coalesce($company_name, o.company_name),
      parent_company_name = coalesce($parent_company_name, o.parent_company_name), ai_name = coalesce($ai_name, o.ai_name), theme = o.theme || excluded.theme,
      support = o.support || excluded.support, privacy_policy = o.privacy_policy || excluded.privacy_policy
      where (o.org_name, o.company_name, o.parent_company_name, o.ai_name) is distinct from
            (excluded.org_name, coalesce($company_name, o.company_name), coalesce($parent_company_name, o.parent_company_name), coalesce($ai_name, o.ai_name))
        or not (o.theme @> excluded.theme and o.support @> excluded.support and o.privacy_policy @> excluded.privacy_policy)
    returning case when xmax = 0 then 'created' else 'changed' end as change`,
});

const chosen = {
  ai_agent_id: nullable(text),
  layout: nullable(as<Layout>()(text)),
  antihacking_layout: nullable(as<AntihackingLayout>()(text)),
  languages: nullable(as<readonly Language[]>()(listOf(text))),
  flags: nullable(jsonb<Partial<Record<OrganisationFlag, boolean>>>()),
  /** '': none from now on. */
  payment_url: nullable(text),
  allowed_features: nullable(jsonb<AllowedFeatures>()),
  holidays: nullable(as<readonly IsoDate[]>()(listOf(date))),
  audit_emails: nullable(as<readonly string[]>()(listOf(text))),
};
/** What an organisation chooses, each null where nothing is said about it: it stays as it is. */
export type Chosen = RowOf<typeof chosen>;

/** Flags one by one, the rest whole. No row where nothing changed. */
export const updateChosen = statement({
  name: 'organisations.update_chosen',
  takes: chosen,
  gives: { org_id: int4 },
  text: `
    update organisations o set (ai_agent_id, layout, antihacking_layout, languages, flags, allowed_features, holidays, audit_emails, payment_url) =
      (coalesce($ai_agent_id, o.ai_agent_id), coalesce($layout, o.layout), coalesce($antihacking_layout, o.antihacking_layout),
       coalesce($languages, o.languages), o.flags || coalesce($flags, '{}'), coalesce($allowed_features, o.allowed_features), coalesce($holidays, o.holidays),
       coalesce($audit_emails, o.audit_emails), nullif(coalesce($payment_url, o.payment_url), ''))
    where org_id = $1 and
      (o.ai_agent_id, o.layout, o.antihacking_layout, o.languages, o.flags, o.allowed_features, o.holidays, o.audit_emails, o.payment_url) is distinct from
      (coalesce($ai_agent_id, o.ai_agent_id), coalesce($layout, o.layout), coalesce($antihacking_layout, o.antihacking_layout),
       coalesce($languages, o.languages), o.flags || coalesce($flags, '{}'), coalesce($allowed_features, o.allowed_features), coalesce($holidays, o.holidays),
       coalesce($audit_emails, o.audit_emails), nullif(coalesce($payment_url, o.payment_url), ''))
    returning org_id`,
});

const whole = {
  ...configuration,
  slug: text,
  host: nullable(text),
  is_special: bool,
  allowed_features: jsonb<AllowedFeatures>(),
  holidays: as<readonly IsoDate[]>()(listOf(date)),
  audit_emails: as<readonly string[]>()(listOf(text)),
};
export type Whole = RowOf<typeof whole>;

export const wholeOf = statement({
  name: 'organisations.whole_of',
  gives: whole,
  text: `
    select o.org_id, org_name, company_name, parent_company_name, ai_name, ai_agent_id, theme, layout, antihacking_layout, languages, flags, payment_url,
      support, privacy_policy, d.slug, d.host, d.is_special, allowed_features, holidays, audit_emails
    from organisations o join org_directory d on d.org_id = o.org_id where o.org_id = $1`,
});

/** On these days nothing rises. */
export const holidaysOf = statement({
  name: 'organisations.holidays_of',
  gives: { holidays: as<readonly IsoDate[]>()(listOf(date)) },
  text: `select holidays from organisations where org_id = $1`,
});

/** Who is mailed the daily root, and what the organisation is called there. */
export const auditMailOf = statement({
  name: 'organisations.audit_mail_of',
  gives: { org_name: text, slug: text, audit_emails: as<readonly string[]>()(listOf(text)) },
  text: `
    select o.org_name, d.slug, o.audit_emails from organisations o join org_directory d on d.org_id = o.org_id where o.org_id = $1`,
});

/** Days put in and taken out, each once and in order. No row where that changes nothing. */
export const changeHolidays = statement({
  name: 'organisations.change_holidays',
  takes: { added: as<readonly IsoDate[]>()(listOf(date)), removed: as<readonly IsoDate[]>()(listOf(date)) },
  gives: { holidays: as<readonly IsoDate[]>()(listOf(date)) },
  text: `
    update organisations o
    set holidays = array(select distinct d from unnest(o.holidays || $added::date[]) d where d <> all ($removed::date[]) order by d)
    where org_id = $1 and (not o.holidays @> $added::date[] or o.holidays && $removed::date[])
    returning holidays`,
});

/** Today alone where no day was ever finished. */
export const missedDays = statement({
  name: 'organisations.missed_days',
  takes: { limit: int8 },
  gives: { day: as<IsoDate>()(date) },
  text: `
    select day::date as day
    from organisations o, (select kist_today() as today) t, generate_series(coalesce(o.daily_run_on + 1, t.today), t.today, interval '1 day') as day
    where o.org_id = $1 order by 1 limit $limit`,
});

export const finishDay = statement({
  name: 'organisations.finish_day',
  takes: { day: date },
  text: 'update organisations set daily_run_on = $day where org_id = $1 and (daily_run_on is null or daily_run_on < $day)',
});
