import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { unlockFleet } from './fleet.ts';
import { INVARIANTS } from './invariant-checks.ts';
import { checkInvariants, invariantStates, violations } from './invariants.ts';
import { invariants } from './governing.ts';

let world: LockWorld;
let client: pg.Client;
/** Late and locked, both; and one that has paid what was due. */
let late: Sale;
let alsoLate: Sale;
let paid: Sale;

beforeAll(async () => {
  world = await createLockWorld();
  client = new pg.Client(world.db.owner);
  await client.connect();
  await world.at('2026-03-05T12:00:00');
  [late, alsoLate, paid] = [await world.sell(), await world.sell(), await world.sell()];
  await world.inOrg((tx) => unlockFleet(tx, { waker: world.waker, onReleased: world.onReleased }));
  for (const day of ['2026-03-08', '2026-03-10', '2026-03-11']) await world.day(day);
  await world.pay(paid, 1);
  for (const day of ['2026-03-14', '2026-03-18']) await world.day(day);
  for (const sale of [late, alsoLate, paid]) await world.obey(sale);
});
afterAll(async () => {
  await client.end();
  await world.close();
});

const states = () => world.db.read(ORG, invariantStates);
const red = async () => (await states()).filter(({ state }) => state !== 'holds').map(({ invariant }) => invariant);

/** What the checks say while something that no program may write stands there; afterwards it never was. */
async function whilePlanted(tables: readonly string[], text: string, values: readonly unknown[] = []) {
  await client.query('begin');
  try {
    await client.query(`select set_config('kist.org_id', $1, true)`, [String(ORG)]);
    await putGuardsAside(client, tables);
    const { rowCount } = await client.query(text, [...values]);
    expect(rowCount ?? 1).toBeGreaterThan(0);
    return [...new Set((await violations(client)).map(({ invariant }) => invariant))];
  } finally {
    await client.query('rollback');
  }
}

/** The phone that has paid is wanted at a level that nobody decided upon, in the column and in the document. */
const wantedAt = (level: number) =>
  world.db.asOwner(
    `update device_desired set lock_level = $2::int, document = jsonb_set(document, '{lock,level}', to_jsonb($2::int)) where device_id = $1`,
    [paid.deviceId, level],
  );

const CHAIN = [
  ['audit_lines', 'audit_heads'],
  `with lines as (delete from audit_lines where subject_kind = 'customer' and subject_id = $1 returning 1)
   delete from audit_heads where subject_kind = 'customer' and subject_id = $1`,
] as const;

describe('in a world where nothing is wrong', () => {
  it('every invariant holds, with phones that are locked, in parts of any size, and each look is noted', async () => {
    expect(await world.levelOf(late)).toBeGreaterThan(1);
    for (const size of [1, 2, 1000]) {
      const results = await checkInvariants(world.db, ORG, size);
      expect(results.map(({ invariant }) => invariant)).toEqual(INVARIANTS);
      expect(results.flatMap((result) => [...result.violations, ...result.claims])).toEqual([]);
    }
    expect(await red()).toEqual([]);
    const [noted] = await world.db.asOwner<{ n: number; parts: number }>(
      `select count(*)::int as n, max(parts) as parts from invariant_checks where invariant = 'I3'`,
    );
    expect(noted).toMatchObject({ parts: 4 });
    expect(noted!.n).toBeGreaterThanOrEqual(3);
  });
});

describe('a look that takes longer than a statement may', () => {
  it('is taken again in halves, each seen once, and of a handful it is a fault that is told', async () => {
    await wantedAt(3);
    let reads = 0;
    const slow: Pick<typeof world.db, 'read' | 'transaction'> = {
      transaction: world.db.transaction,
      read: (orgId, work) =>
        world.db.read(orgId, async (tx) => {
          reads += 1;
          // The parts come through; the first invariant runs out of time.
          if (reads === 2) await tx.query(`set local statement_timeout = '1ms'; select pg_sleep(1)`);
          return work(tx);
        }),
    };
    const results = await checkInvariants(slow, ORG, 1000, 2);
    // The parts, the first look and where its middle is, its two halves, the other eleven.
    expect(reads).toBe(1 + 1 + 1 + 2 + 11);
    expect(results.flatMap((result) => result.violations)).toMatchObject([{ invariant: 'I4', id: paid.deviceId }]);
    reads = 0;
    await expect(checkInvariants(slow, ORG, 1000, 4)).rejects.toThrow('timeout');
    await wantedAt(0);
    await checkInvariants(world.db, ORG);
  });
});

describe('each is turned red by what breaks it, and no other is', () => {
  const planted: [string, string, readonly string[], string, () => unknown[]][] = [
    [
      'I1',
      'a payment without its journal',
      ['journals'],
      `update journals set effect_key = 'x' || effect_key where effect_key like 'payment:%'`,
      () => [],
    ],
    [
      'I1',
      'an acknowledged payment that is not there',
      [],
      `insert into idempotency_keys (org_id, actor, key, request_hash, status, reply) values (${ORG}, 'x', gen_random_uuid(), '', 200,
         jsonb_build_object('data', jsonb_build_object('payment_id', gen_random_uuid())))`,
      () => [],
    ],
    [
      'I2',
      'a paisa in the till that nobody paid',
      ['journal_lines', 'journals'],
      `update journal_lines set debit = debit + 1 where bucket is null and debit > 0 and payment_id is not null`,
      () => [],
    ],
    [
      'I3',
      'an agreement that owes a paisa more',
      ['agreements'],
      'update agreements set outstanding_paise = outstanding_paise + 1 where agreement_id = $1',
      () => [paid.agreement.agreement_id],
    ],
    [
      'I3',
      'a bucket that was paid from nowhere',
      ['journal_lines'],
      `update journal_lines set bucket = 'interest' where agreement_id = $1 and payment_id is not null and bucket = 'principal'`,
      () => [paid.agreement.agreement_id],
    ],
    [
      'I4',
      'a level that no verdict allowed',
      [],
      'update device_desired set lock_level = 3 where device_id = $1',
      () => [paid.deviceId],
    ],
    [
      'I4',
      'a theft lock that no word of its owner stands for',
      [],
      `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, verdict_id)
       select org_id, device_id, 'theft', level, kist_now(), agreement_id, 'THEFT_REPORTED', verdict_id from locks where device_id = $1 and cause = 'debt'`,
      () => [late.deviceId],
    ],
    [
      'I4',
      'a lock of another cause than its verdict’s',
      [],
      `update locks set cause = 'override' where device_id = $1 and cause = 'debt'`,
      () => [late.deviceId],
    ],
    [
      'I4',
      'a document that names another cause',
      [],
      `update device_desired set document = jsonb_set(document, '{lock,cause}', '"theft"') where device_id = $1`,
      () => [late.deviceId],
    ],
    [
      'I5',
      'a lease that would take a step of a phone that owes nothing',
      [],
      `update device_desired set lease = json_build_object('ladder', json_build_array(json_build_object('at', '2026-03-01T00:00:00Z', 'level', 4)))
       where device_id = $1`,
      () => [paid.deviceId],
    ],
    [
      'I7',
      'a lock of a phone that was let go',
      ['devices'],
      'update devices set released_at = kist_now() where device_id = $1',
      () => [late.deviceId],
    ],
    [
      'I8',
      'a word of theft that no line tells of',
      ['protection_reports'],
      `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at)
       values (${ORG}, gen_random_uuid(), $1, 'theft', 'customer', gen_random_uuid(), kist_now())`,
      () => [paid.deviceId],
    ],
    [
      'I8',
      'an exchange that no line tells of',
      ['phone_exchanges'],
      `insert into phone_exchanges (org_id, agreement_id, no, from_device_id, to_device_id, was_set_up, reason, made_by, made_at)
       values (${ORG}, $1, 1, $2, $3, true, 'x', gen_random_uuid(), kist_now())`,
      () => [late.agreement.agreement_id, late.deviceId, alsoLate.deviceId],
    ],
    [
      'I8',
      'a complaint that no line tells of',
      ['disputes', 'dispute_moves'],
      `with said as (insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, state, opened_at, state_since)
         values (${ORG}, gen_random_uuid(), $1, 1, 'x', 'app', 'open', kist_now(), kist_now()) returning dispute_id)
       insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
       select ${ORG}, dispute_id, 1, '', 'open', 'customer', gen_random_uuid(), kist_now(), 'x' from said`,
      () => [late.agreement.agreement_id],
    ],
    [
      'I4 I5',
      'a lock for a debt that is paid',
      [],
      `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason) values (${ORG}, $1, 'debt', 2, kist_now(), $2, 'EMI_OVERDUE')
       on conflict (org_id, device_id, cause) do update set level = 2, level_since = kist_now()`,
      () => [paid.deviceId, paid.agreement.agreement_id],
    ],
    [
      'I6',
      'a phone ahead of what is wanted of it',
      [],
      'update device_reports set revision = revision + 9 where device_id = $1',
      () => [late.deviceId],
    ],
    [
      'I6',
      'a verdict for a revision that is not wanted yet',
      ['verdicts'],
      `update verdicts v set revision = revision + 100 where device_id = $1 and revision is not null
         and not exists (select from locks l where l.verdict_id = v.verdict_id)`,
      () => [late.deviceId],
    ],
    [
      'I7',
      'a lock of another phone’s agreement',
      [],
      `update locks set agreement_id = $2 where device_id = $1 and cause = 'debt'`,
      () => [late.deviceId, alsoLate.agreement.agreement_id],
    ],
    ['I8', 'a whole history that is gone with its head', ...CHAIN, () => [paid.customerId]],
    [
      'I8',
      'a line cut out',
      ['audit_lines'],
      `delete from audit_lines where subject_kind = 'agreement' and subject_id = $1 and seq = 2`,
      () => [paid.agreement.agreement_id],
    ],
    [
      'I8',
      'a decision that no line tells of',
      ['audit_lines', 'audit_root_heads'],
      `update audit_lines set action = 'something_else' where subject_kind = 'device' and action = 'lock_level_decided'
         and at > kist_now() - interval '2 days'`,
      () => [],
    ],
    [
      'I9',
      'a code that two phones came by',
      [],
      `with code as (insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, used_at)
         select ${ORG}, '\\x01', $2, $3, gen_random_uuid(), kist_now(), kist_now(), kist_now() returning token_hash)
       update enrolments set token_hash = (select token_hash from code) where device_id = $1`,
      () => [late.deviceId, paid.customerId, paid.deviceId],
    ],
    [
      'I9',
      'a consent by a code that nobody used',
      ['consent_confirmations'],
      `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, otp_id, confirmed_at, confirmed_by)
       select org_id, gen_random_uuid(), customer_id, mobile, '9', '\\x09', 'en', gen_random_uuid(), kist_now(), owner_user_id from customers where customer_id = $1`,
      () => [paid.customerId],
    ],
    [
      'I9',
      'the end of a theft by a code for something else',
      ['protection_reports'],
      `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, closed_at, closed_as, closed_by, closed_otp_id)
       select ${ORG}, gen_random_uuid(), $1, 'theft', 'shop', gen_random_uuid(), kist_now(), kist_now(), 'customer_code', gen_random_uuid(), otp_id
       from consent_confirmations where customer_id = $2`,
      () => [paid.deviceId, paid.customerId],
    ],
    ['I10', 'a table that shows its owner every row', [], 'alter table notices no force row level security', () => []],
    [
      'I4',
      'a document that locks beside a column that says free',
      [],
      `update device_desired set document = jsonb_set(document, '{lock}', '{"level": 4, "cause": "debt", "screen": null}') where device_id = $1 and lock_level = 0`,
      () => [paid.deviceId],
    ],
    [
      'I5',
      'a lease that takes the phone the day after it is due',
      [],
      `update device_desired w set lease = json_build_object('ladder', json_build_array(json_build_object(
         'at', to_char(((a.oldest_due_on + 1)::timestamp at time zone 'Asia/Kolkata') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 4, 'notice_no', 1, 'notice_days', 1)))
       from agreements a where a.device_id = w.device_id and w.device_id = $1`,
      () => [paid.deviceId],
    ],
    [
      'I8',
      'a hold that no line tells of',
      ['holds'],
      `insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at)
       select org_id, gen_random_uuid(), agreement_id, 'medical', kist_today() + 30, '', owner_user_id, kist_now() from agreements where agreement_id = $1`,
      () => [late.agreement.agreement_id],
    ],
    [
      'I8',
      'a payment taken back that no line tells of',
      ['payments', 'payment_moves'],
      `update payments set reversed_at = kist_now() where agreement_id = $1`,
      () => [paid.agreement.agreement_id],
    ],
    ['I10', 'a policy that shows more', [], 'create policy more on notices to kist_app using (true)', () => []],
    [
      'I11',
      'a phone that asked and was not given the newest',
      [],
      "update device_reports set told_revision = told_revision - 1, last_seen_at = kist_now() + interval '1 day' where device_id = $1",
      () => [late.deviceId],
    ],
    [
      'I11',
      'two phones that are not what they shall be',
      [],
      'update device_reports set unfit_polls = 3, last_seen_at = kist_now() where device_id in ($1, $2)',
      () => [late.deviceId, alsoLate.deviceId],
    ],
    [
      'I11',
      'a phone whose vendor was never given its unlock',
      ['enrolments'],
      `with v as (update enrolments set vendor = 'guard', handle = 'x', public_key_spki = null where device_id = $1 and ended_at is null returning enrolment_id)
       update device_desired set changed_at = kist_now() - interval '1 day' where device_id = $1 and exists (select from v)`,
      () => [late.deviceId],
    ],
    [
      'I11',
      'a phone with a channel and none in charge',
      [],
      'update enrolments set in_charge = false where device_id = $1',
      () => [late.deviceId],
    ],
    [
      'I12',
      'a lock that a fleet unlock left',
      ['audit_lines'],
      `update audit_lines set data = data || '{"mark":"ffffffff-ffff-7fff-bfff-ffffffffffff"}' where action = 'fleet_unlocked'`,
      () => [],
    ],
  ];

  it.each(planted)('%s: %s', async (invariant, _what, tables, text, values) => {
    expect(await whilePlanted(tables, text, values())).toEqual(invariant.split(' '));
  });

  it('has one for each', () => {
    expect(new Set(planted.flatMap(([invariant]) => invariant.split(' ')))).toEqual(new Set(INVARIANTS));
  });
});

describe('one phone alone', () => {
  it('that says it is otherwise is shown, and reddens nothing', async () => {
    const says = `update device_reports set unfit_polls = $2, claimed_revision = $3, last_seen_at = kist_now() where device_id = $1`;
    await world.db.asOwner(says, [late.deviceId, 99, 9_000_000]);
    await checkInvariants(world.db, ORG);
    expect(await red()).toEqual([]);
    expect((await states()).find(({ invariant }) => invariant === 'I11')).toMatchObject({
      claims: 1,
      violations: 0,
      found: [{ id: late.deviceId }],
    });
    await world.db.asOwner(says, [late.deviceId, 0, 0]);
  });
});

describe('a look that did not take place', () => {
  it('is red after 26 hours, and a found violation stays red until it is looked at again', async () => {
    await checkInvariants(world.db, ORG);
    await world.at('2026-03-19T14:20:00');
    expect(await red()).toEqual([]);
    await world.at('2026-03-19T14:40:00');
    expect((await states()).map(({ state }) => state)).toEqual(INVARIANTS.map(() => 'unchecked'));
    await wantedAt(3);
    await checkInvariants(world.db, ORG);
    await wantedAt(0);
    expect((await states()).filter(({ state }) => state === 'violated')).toMatchObject([
      { invariant: 'I4', violations: 1 },
    ]);
    await checkInvariants(world.db, ORG);
    expect(await red()).toEqual([]);
  });
});

describe('what the administrator is told', () => {
  it('is how each stands, and that a look which did not come is red', async () => {
    const admin = { ...SYSTEM(ORG), userType: 'admin' as const };
    const told = () => world.db.read(ORG, (tx) => invariants(tx, admin));
    await expect(world.db.read(ORG, (tx) => invariants(tx, world.shop))).rejects.toThrow('FORBIDDEN');
    await world.at('2026-03-25T12:00:00');
    await checkInvariants(world.db, ORG);
    const after = await told();
    expect(after).toMatchObject({ is_in_order: true, last_run_at: (await states())[0]!.checked_at });
    expect(after.invariants.map(({ invariant }) => invariant)).toEqual(INVARIANTS);
    await world.at('2026-03-26T14:01:00');
    const late = await told();
    expect(late.is_in_order).toBe(false);
    expect(late.last_run_at).toBe(after.last_run_at);
    for (const one of late.invariants) expect(one).toMatchObject({ is_red: true, state: 'unchecked' });
  });
});
