-- owner: devices. The digest of a document in the shape that all have is one expression, without a query for each object in it: a bulk order writes 100,000.
-- A document with another member, or without one, is written by kist_jcs as before; the two are the same characters. No row is read.
create or replace function kist_digest(document jsonb) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  held jsonb := document -> 'lock';
  shown jsonb := held -> 'screen';
  switched jsonb := document -> 'toggles';
  written text;
begin
  if jsonb_typeof(held) = 'object' and jsonb_typeof(switched) = 'object' and jsonb_typeof(shown) in ('object', 'null')
    and document - '{lock,released,toggles,wallpaper_text}'::text[] = '{}' and held - '{cause,level,screen}'::text[] = '{}'
    and switched - '{app_lock,camera_lock,wallpaper}'::text[] = '{}'
    and (jsonb_typeof(shown) = 'null'
      or shown - '{agreement_no,amount_paise,due_since,instalments_due,language,reason,shop,shop_phone,upi_uri}'::text[] = '{}') then
    -- What is not there makes the whole null.
    written := '{"lock":{"cause":' || (held -> 'cause')::text || ',"level":' || (held -> 'level')::text || ',"screen":'
      || case when jsonb_typeof(shown) = 'null' then 'null' else
        '{"agreement_no":' || (shown -> 'agreement_no')::text || ',"amount_paise":' || (shown -> 'amount_paise')::text
        || ',"due_since":' || (shown -> 'due_since')::text || ',"instalments_due":' || (shown -> 'instalments_due')::text
        || ',"language":' || (shown -> 'language')::text || ',"reason":' || (shown -> 'reason')::text || ',"shop":' || (shown -> 'shop')::text
        || ',"shop_phone":' || (shown -> 'shop_phone')::text || ',"upi_uri":' || (shown -> 'upi_uri')::text || '}' end
      || '},"released":' || (document -> 'released')::text || ',"toggles":{"app_lock":' || (switched -> 'app_lock')::text
      || ',"camera_lock":' || (switched -> 'camera_lock')::text || ',"wallpaper":' || (switched -> 'wallpaper')::text
      || '},"wallpaper_text":' || (document -> 'wallpaper_text')::text || '}';
  end if;
  return sha256(convert_to(coalesce(written, kist_jcs(document)), 'UTF8'));
end $$;
