-- owner: devices. A phone says the digest of the document that it applied: SHA-256 over its JSON in the form of RFC 8785 (JCS). Ours is reckoned where the
-- document is written and stands beside it, so that a check-in compares 32 bytes.
-- A million phones: two columns without a value, nothing is written anew; each table is held for the moment that takes. A document that was written before
-- has its digest with the next change of it; until then it is reckoned when a phone asks about it.

-- The texts of jsonb are those of JCS already, and so are its whole numbers; a document has no others. Only the order of names is another.
create function kist_jcs(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  case jsonb_typeof(value)
    when 'object' then
      return (select '{' || coalesce(string_agg(to_json(m.key)::text || ':'
        || case when jsonb_typeof(m.value) in ('object', 'array') then kist_jcs(m.value) else m.value::text end, ',' order by m.key collate "C"), '') || '}'
        from jsonb_each(value) m);
    when 'array' then
      return (select '[' || coalesce(string_agg(kist_jcs(m.value), ',' order by m.nth), '') || ']' from jsonb_array_elements(value) with ordinality m(value, nth));
    else return value::text;
  end case;
end $$;
create function kist_digest(document jsonb) returns bytea language sql immutable strict parallel safe
  return sha256(convert_to(kist_jcs(document), 'UTF8'));

alter table device_desired add column document_digest bytea check (length(document_digest) = 32);
create function document_has_digest() returns trigger language plpgsql as $$
begin
  new.document_digest := kist_digest(new.document);
  return new;
end $$;
create trigger device_desired_digest before insert on device_desired for each row execute function document_has_digest();
create trigger device_desired_digest_anew before update on device_desired for each row
  when (new.document is distinct from old.document) execute function document_has_digest();

-- What the phone says it applied; null: its agent says none.
alter table device_reports add column policy_digest bytea check (length(policy_digest) <= 32);
