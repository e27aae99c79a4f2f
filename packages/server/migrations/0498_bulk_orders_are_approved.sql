-- The word for bulk orders is to a retailer the approval of more locks an hour than others have, and only the organisation approves that (people-policy.ts:
-- wordsBeyond). Until that was refused a shop gave it to a retailer beside it as it gives it to its own mini-retailer. Whoever has it by a shop alone has it no
-- more: by the last line of the audit that gave it, up to whom the organisation gave it to. Where no line gave it, it was there from the beginning, and stays.
-- A million users: the shops among them are found by an index (users_shops), their lines by the audit's key; of those with the word one row is written and one
-- line appended. No table is altered.
do $$
declare org integer; found text[];
begin
  for org in select org_id from org_directory order by org_id loop
    -- As the organisation itself, whose rows row-level security shows to no other, their owner included.
    perform set_config('kist.org_id', org::text, true);
    with recursive given as (
      select u.user_id, l.actor ->> 'user_type' as by_type, l.actor ->> 'user_id' as by_id
      from users u left join lateral (
        select actor from audit_lines
        where org_id = org and subject_kind = 'user' and subject_id = u.user_id::text
          and (action = 'user_added' and data -> 'user_access' ->> 'bulk_retailer' = '1' or action = 'user_changed' and data -> 'access' ->> 'bulk_retailer' = '1')
        order by seq desc limit 1
      ) l on true
      where u.org_id = org and u.user_type = 'retailer' and u.user_access ->> 'bulk_retailer' = '1'
    ), approved as (
      select user_id from given where by_type is null or by_type not in ('retailer', 'miniretailer')
      union
      select g.user_id from given g join approved a on a.user_id::text = g.by_id
    ), taken as (
      update users u set user_access = u.user_access || '{"bulk_retailer": "0"}', updated_at = kist_now()
      from given g where u.org_id = org and u.user_id = g.user_id and g.user_id not in (select user_id from approved)
      returning u.user_id
    )
    select array_agg(user_id::text order by user_id) into found from taken;
    if found is not null then
      perform audit_append('user', found, '{"user_id": "00000000-0000-0000-0000-000000000000", "user_type": "system"}', 'user_changed',
        array_fill('{"fields": ["user_access"], "access": {"bulk_retailer": "0"}, "why": "not_approved"}'::jsonb, array[cardinality(found)]));
    end if;
  end loop;
  perform set_config('kist.org_id', '', true);
end $$;
