import type { IsoDate } from '@kist/contract/dates';
import * as customers from '#server/customers/customers.ts';
import { newId } from '#server/platform/ids.ts';
import { type LockWorld, ORG, type Sale } from './lock-world.ts';

/** Words that nothing else of a test house says. */
export const CANARIES = [
  'Kanarienvogel',
  'Gelbschnabel',
  '9812345670',
  '9812345671',
  'vogel@example.in',
  'Nistkasten',
  '7788',
  'KV••••••7F',
];

/** Gives a sale's customer everything that names somebody, in every place that keeps it. @returns the id of their login */
export async function withNames(world: LockWorld, sale: Sale): Promise<string> {
  const { customerId: customer_id, deviceId } = sale;
  const user_id = newId();
  const own = {
    first_name: 'Kanarienvogel',
    last_name: 'Gelbschnabel',
    mobile: '+919812345670',
    alternate_mobile: '+919812345671',
    email: 'vogel@example.in',
    address: { line1: 'Nistkasten 1', city: 'Pune', state: 'MH', pincode: '411001' },
    aadhaar_last4: '7788',
    pan_masked: 'KV••••••7F',
    birth_on: '1990-02-03' as IsoDate,
    search: 'kanarienvogel gelbschnabel 9812345670',
    // As what was typed of a sale stayed with it.
    draft: { customer: { first_name: 'Kanarienvogel', mobile: '9812345670' } },
  };
  await world.inOrg(async (tx) =>
    customers.change(tx, world.shop, {
      customer: await customers.authorize(tx, world.shop, { customer_id }),
      fields: own,
    }),
  );
  await world.db.asOwner(
    `insert into users (org_id, user_id, user_type, mobile, first_name, last_name, email) values ($1, $2, 'customer', $3, $4, $5, $6)`,
    [ORG, user_id, own.mobile, own.first_name, own.last_name, own.email],
  );
  await world.db.asOwner(
    'insert into customer_logins (org_id, customer_id, user_id, since) values ($1, $2, $3, now())',
    [ORG, customer_id, user_id],
  );
  for (const type of ['photo', 'aadhaar_front'])
    await world.db.asOwner(
      `insert into documents (org_id, document_id, customer_id, document_type, image_name, mime, bytes, sha256, key_sealed, created_by, created_at)
       values ($1, $2, $3, $4, 'kanarienvogel', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $5, now())`,
      [ORG, newId(), customer_id, type, world.shop.userId],
    );
  await world.db.asOwner(
    `update device_reports set location = '{"latitude": 18.5, "who": "Kanarienvogel"}', located_at = now(), sims = '[{"iccid_tail": "7788"}]' where device_id = $1`,
    [deviceId],
  );
  await world.db.asOwner(
    `insert into device_events (org_id, device_id, event_id, at, kind, data) values ($1, $2, gen_random_uuid(), now(), 'sim_changed', '{"number": "9812345670"}')`,
    [ORG, deviceId],
  );
  const said = 'my neighbour Kanarienvogel paid for me';
  const { agreement_id } = sale.agreement;
  const dispute_id = newId();
  await world.db.plant(
    ['disputes', 'dispute_moves'],
    `with one as (insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, opened_at, state, state_since)
       values ($1, $2, $3, 1, $4, 'shop', now(), 'rejected', now()))
     insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
     values ($1, $2, 1, '', 'rejected', 'shop', $5, now(), $4)`,
    [ORG, dispute_id, agreement_id, said, world.shop.userId],
  );
  await world.db.plant(
    ['holds'],
    `insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at, lifted_at, lifted_by, lifted_note)
     values ($1, $2, $3, 'medical', '2026-02-20', $4, $5, now(), now(), $5, $4)`,
    [ORG, newId(), agreement_id, said, world.shop.userId],
  );
  await world.db.plant(
    ['protection_reports'],
    `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, note, reported_at, code_mobile, closed_at, closed_as, closed_by, closed_reason)
     values ($1, $2, $3, 'theft', 'customer_code', $4, $5, now(), $6, now(), 'organisation', $4, $5)`,
    [ORG, newId(), deviceId, world.shop.userId, said, own.mobile],
  );
  const came = JSON.stringify({ sims: [{ number: '9812345670' }] });
  // Words beside an order, and what came of one, each by itself.
  await world.db.plant(
    ['commands'],
    `insert into commands (org_id, command_id, device_id, seq, type, is_state, reason, note, result, state, created_at, expires_at)
     select $1, gen_random_uuid(), $2, 900 + no, 'sim_info', false, 'SHOP_REQUEST', note, result::jsonb, 'VERIFIED', now(), now()
     from (values (1, $3, $4), (2, $3, null), (3, null, $4)) as said (no, note, result)`,
    [ORG, deviceId, said, came],
  );
  await world.db.asOwner(
    `insert into idempotency_keys (org_id, actor, key, request_hash, status, reply) values ($1, 'x', gen_random_uuid(), '', 200, $2)`,
    [ORG, JSON.stringify({ customer_id, first_name: own.first_name })],
  );
  return user_id;
}
