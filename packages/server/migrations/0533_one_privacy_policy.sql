-- What an organisation promises its customers stands in privacy_policies alone. What stood in organisations before becomes its first version in English,
-- where none was published in English: until now that was read in its place, and what was published went before it. A version without words takes the one before
-- out of force, as emptying that text did.
-- A row for each organisation at most, none of a million; organisations is held exclusively for a moment.
-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table organisations no force row level security;
alter table privacy_policies no force row level security;
insert into privacy_policies (org_id, language, version, text, sha256, set_at)
select org_id, 'en', 1, left(privacy_policy ->> 'text', 20000), '', kist_now()
from organisations o
where coalesce(privacy_policy ->> 'text', '') <> '' and not exists (select from privacy_policies p where p.org_id = o.org_id and p.language = 'en');
update organisations set privacy_policy = privacy_policy - 'text' where privacy_policy ? 'text';
alter table organisations force row level security;
alter table privacy_policies force row level security;
alter table organisations add constraint organisations_privacy_policy_check check (not privacy_policy ? 'text');
alter table privacy_policies drop constraint privacy_policies_text_check, add constraint privacy_policies_text_check check (char_length(text) <= 20000);
