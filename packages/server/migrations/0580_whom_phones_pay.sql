-- A shop with another UPI address or another name was told to nobody: held phones went on asking for money at the old one, and the ladder, which looks for phones
-- that name somebody else, knew the telephone alone. So a shop that was suspended stayed on screens, with its UPI address, where it had the organisation's number.
-- Whom a phone names and where it asks for money stand beside whom it says to call. Of a million phones nothing is read or written now, and nothing is held.
create or replace view lease_contacts_view with (security_invoker = true) as
  select org_id, device_id, lease -> 'screen' ->> 'shop_phone' as shop_phone, lease -> 'screen' ->> 'shop' as shop, lease -> 'screen' ->> 'upi_uri' as upi_uri,
    (lease -> 'screen' ->> 'amount_paise')::bigint as amount_paise
  from device_desired;

-- As upi.ts: upiLink writes whom it pays. Nothing is asked for where nothing is due.
create function kist_pays_another(uri text, amount_paise bigint, upi_id text) returns boolean language sql immutable parallel safe as $$
  select amount_paise > 0 and case when upi_id <> ''
    then coalesce(not starts_with(uri, 'upi://pay?pa=' || regexp_replace(upi_id, '[^A-Za-z0-9.@_-]', '', 'g') || '&'), true)
    else uri is not null end
$$;
comment on function kist_pays_another is 'Whether a phone asks for money elsewhere than at this UPI address, or at none.';

-- Names of before the rule for them are cleaned on their way to a phone: that such a one stands there otherwise says nothing.
create function kist_is_shown_as_written(name text) returns boolean language sql immutable parallel safe as $$
  select length(name) <= 120 and name !~ '  |^ | $' and name = normalize(name)
    and name ~ '^([ -~\u20b9\u00a1-\u00ac\u00ae-\u02ff\u0900-\u0dff]|(?<=[\u0900-\u0dff])[\u200c\u200d](?=[\u0900-\u0dff]))+$'
$$;
comment on function kist_is_shown_as_written is 'Whether cleaning surely leaves a name as it is (text.ts: cleanMachineText): it may say no of one that it leaves, never yes of another.';
