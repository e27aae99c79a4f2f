import { bytea, int4, nullable, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export const upsertLogo = statement({
  name: 'organisations.upsert_logo',
  takes: { edge: int4, png: bytea },
  text: `
    insert into organisation_logos (org_id, edge, png) values ($1, $edge, $png)
    on conflict (org_id, edge) do update set png = excluded.png`,
});

export const deleteLogos = statement({
  name: 'organisations.delete_logos',
  text: 'delete from organisation_logos where org_id = $1',
});

/** No row where it is that one already. */
export const nameLogo = statement({
  name: 'organisations.name_logo',
  takes: { logo: nullable(text) },
  gives: { org_id: int4 },
  text: `
    update organisations
    set theme = theme - 'logo' || case when $logo::text is null then '{}' else jsonb_build_object('logo', $logo::text) end
    where org_id = $1 and theme ->> 'logo' is distinct from $logo::text
    returning org_id`,
});

export const logoOf = statement({
  name: 'organisations.logo_of',
  takes: { edge: int4 },
  gives: { png: bytea },
  text: 'select png from organisation_logos where org_id = $1 and edge = $edge',
});
