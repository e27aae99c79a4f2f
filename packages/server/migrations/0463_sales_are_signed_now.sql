-- What somebody with the server's own account could still write: a sale told as signed last year, or delivered tomorrow; a book brought in, which only
-- the command line does.
-- A million agreements: no row is read or written; agreements is held exclusively for a moment. Asked of each sale as it is written.

create function sale_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.created_at is distinct from kist_now() then
    raise exception 'insert of agreements is refused: a sale is signed when it is written' using errcode = 'restrict_violation';
  end if;
  if new.delivered_on > (new.created_at at time zone 'Asia/Kolkata')::date then
    raise exception 'insert of agreements is refused: nothing is delivered tomorrow' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_are_signed_now before insert on agreements for each row execute function sale_is_of_now();
alter table agreements enable always trigger agreements_are_signed_now;

-- A book comes in by whoever runs the installation.
revoke insert on historic_agreements from kist_app;
grant insert on historic_agreements to kist_operator;
