-- The reminder on a phone goes by the specification's own name: orders that were given under another one too, so that a phone that has
-- one still to fetch is told the name it knows. Organisation by organisation, for row-level security binds the owner of the table as well.
do $$
declare org integer;
begin
  for org in select org_id from org_directory loop
    perform set_config('kist.org_id', org::text, true);
    update commands set type = 'emi_alert' where type = 'message';
  end loop;
  perform set_config('kist.org_id', '', true);
end $$;
