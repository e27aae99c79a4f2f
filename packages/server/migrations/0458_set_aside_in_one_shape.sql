-- What is set aside of a message has one shape, with its text: until now of a delivered one only its delivery was kept, of another only its text.
-- A million messages: no row is read or written.
create function notice_set_aside(n notices) returns jsonb language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select jsonb_build_object('body', n.body, 'created_at', n.created_at, 'sent_at', n.sent_at, 'delivered_at', n.delivered_at, 'proof', n.proof)
$$;

create or replace function delivery_stays() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if ((new.delivered_at, new.proof, new.notice_id, new.body, new.language, new.template_id, new.created_at)
      is distinct from (old.delivered_at, old.proof, old.notice_id, old.body, old.language, old.template_id, old.created_at)
    or old.seen_at is not null and new.seen_at is distinct from old.seen_at) and new.proof -> 'before' is distinct from notice_set_aside(old) then
    raise exception 'update of notices is refused: what was delivered stays as it was' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace function unreceipted_text_stays() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.proof -> 'before' is distinct from notice_set_aside(old)
    or not exists (select from agreements a left join reversals_view v on v.org_id = a.org_id and v.agreement_id = a.agreement_id
      where a.org_id = new.org_id and a.agreement_id = new.agreement_id and greatest(v.reversed_at, a.exchanged_at) > old.created_at) then
    raise exception 'update of notices is refused: what was written to somebody stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
