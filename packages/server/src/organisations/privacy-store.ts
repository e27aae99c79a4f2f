import type { Language } from '@kist/contract/codes';
import { as, bytea, int4, text, timestamptz } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const language = as<Language>()(text);

/** In force in one language, or in English where there is none in that; one without words is none. */
export const policyIn = statement({
  name: 'organisations.privacy_policy_in',
  takes: { language },
  gives: { language, version: int4, text, sha256: bytea, set_at: timestamptz },
  text: `
    select language, version, text, sha256, set_at from (
      select distinct on (language) language, version, text, sha256, set_at from privacy_policies where org_id = $1 and language in ($language, 'en')
      order by language, version desc) p
    where text <> '' order by language = $language desc limit 1`,
});

/** The last version in one language, whether it is in force or took the one before out of it. */
export const lastIn = statement({
  name: 'organisations.last_privacy_policy_in',
  takes: { language },
  gives: { version: int4, text, sha256: bytea },
  text: `
    select version, text, sha256 from privacy_policies where org_id = $1 and language = $language order by version desc limit 1`,
});

/** Every version, without its text. */
export const policyVersions = statement({
  name: 'organisations.privacy_policy_versions',
  gives: { language, version: int4, sha256: bytea, set_at: timestamptz },
  text: 'select language, version, sha256, set_at from privacy_policies where org_id = $1 order by language, version desc',
});

/** Number, sum and moment are the database's. */
export const insertPolicy = statement({
  name: 'organisations.insert_privacy_policy',
  takes: { language, text },
  gives: { version: int4, sha256: bytea },
  text: `
    insert into privacy_policies (org_id, language, version, text, sha256, set_at) values ($1, $language, 1, $text, '', kist_now())
    returning version, sha256`,
});
