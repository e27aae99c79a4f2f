import type { DesiredPolicy } from '@kist/contract/agent';
import { int4, jsonb, listOf, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export interface NewPhoneRow {
  device_id: string;
  customer_id: string;
  provisioning_type: number;
  imei1: string;
  imei2: string | null;
  serial: string | null;
  brand: string;
  model: string;
  is_strong: boolean;
}

/** Which of these IMEIs phones in use have. */
export const numbersInUse = statement({
  name: 'devices.numbers_in_use',
  takes: { numbers: listOf(text) },
  gives: { number: text },
  text: `
    select imei1 as number from devices where org_id = $1 and released_at is null and imei1 = any($numbers)
    union select imei2 from devices where org_id = $1 and released_at is null and imei2 = any($numbers)`,
});

/** Phones with what is wanted of them (nothing) and what they said (nothing). */
export const insertPhones = statement({
  name: 'devices.insert_phones',
  takes: { rows: jsonb<readonly NewPhoneRow[]>(), document: jsonb<DesiredPolicy>() },
  gives: { n: int4 },
  text: `
    with given as (
      select * from jsonb_to_recordset($rows) as r(device_id uuid, customer_id uuid, provisioning_type int, imei1 text, imei2 text, serial text, brand text,
        model text, is_strong boolean)
    ), made as (
      insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, imei2, serial, brand, model, created_at)
      select $1, device_id, customer_id, provisioning_type, imei1, imei2, serial, brand, model, kist_now() from given
    ), desired as (
      insert into device_desired (org_id, device_id, revision, document, changed_at, lock_changed_at)
      select $1, device_id, 1, $document, kist_now(), kist_now() from given
    ), reported as (
      insert into device_reports (org_id, device_id, is_strong) select $1, device_id, is_strong from given returning device_id
    )
    select count(*)::int as n from reported`,
});
