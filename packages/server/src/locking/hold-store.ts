import type { HoldKind } from '@kist/contract/hold-kinds';
import { as, bool, date, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import type { IsoDate } from '@kist/contract/dates';
import { statement } from '#server/platform/statement.ts';

const held = {
  hold_id: uuid,
  agreement_id: uuid,
  kind: as<HoldKind>()(text),
  until_on: as<IsoDate>()(date),
};

/** Those that stand today, the longest last. */
export const activeHolds = statement({
  name: 'locking.active_holds',
  takes: { agreement_id: uuid },
  gives: { ...held, created_by: uuid, created_at: timestamptz },
  text: `
    select hold_id, agreement_id, kind, until_on, created_by, created_at from holds
    where org_id = $1 and agreement_id = $agreement_id and lifted_at is null and until_on >= kist_today() order by until_on, created_at`,
});

export const holdOf = statement({
  name: 'locking.hold_of',
  takes: { hold_id: uuid },
  gives: {
    ...held,
    created_by: uuid,
    lifted_at: nullable(timestamptz),
    is_over: bool,
    customer_id: uuid,
    device_id: uuid,
  },
  text: `
    select h.hold_id, h.agreement_id, h.kind, h.until_on, h.created_by, h.lifted_at, h.until_on < kist_today() as is_over, a.customer_id, a.device_id
    from holds h join agreements_view a on a.org_id = h.org_id and a.agreement_id = h.agreement_id
    where h.org_id = $1 and h.hold_id = $hold_id`,
});

/** No row where somebody lifted it before. */
export const liftHold = statement({
  name: 'locking.lift_hold',
  takes: { hold_id: uuid, lifted_by: uuid, lifted_note: text },
  text: `
    update holds set lifted_at = kist_now(), lifted_by = $lifted_by, lifted_note = $lifted_note
    where org_id = $1 and hold_id = $hold_id and lifted_at is null`,
});

/** The very same grant by the same person, which stands today. */
export const sameHold = statement({
  name: 'locking.same_hold',
  takes: {
    agreement_id: uuid,
    kind: as<HoldKind>()(text),
    until_on: as<IsoDate>()(date),
    note: text,
    created_by: uuid,
  },
  gives: { hold_id: uuid },
  text: `
    select hold_id from holds
    where org_id = $1 and agreement_id = $agreement_id and kind = $kind and until_on = $until_on and note = $note and created_by = $created_by
      and lifted_at is null and until_on >= kist_today() order by created_at, hold_id limit 1`,
});

export const insertHold = statement({
  name: 'locking.insert_hold',
  takes: { ...held, note: text, created_by: uuid },
  text: `
    insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at)
    values ($1, $hold_id, $agreement_id, $kind, $until_on, $note, $created_by, kist_now())`,
});

/**
 * A person frees these phones: the ladder of those whose dues stay unpaid rests to the end of tomorrow. Before their facts are read, so that the lease
 * knows of it.
 */
export const restLadders = statement({
  name: 'locking.rest_ladders',
  takes: { device_ids: listOf(uuid), created_by: uuid, note: text },
  text: `
    insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at)
    select $1, gen_random_uuid(), a.agreement_id, 'manual', t.today + 1, $note, $created_by, t.now
    from agreements_view a, (select kist_today() as today, kist_now() as now offset 0) t
    where a.org_id = $1 and a.device_id = any($device_ids) and a.state = 'active' and kist_is_overdue(a.oldest_due_on, t.today)`,
});
