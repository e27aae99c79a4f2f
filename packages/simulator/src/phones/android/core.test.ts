import fc from 'fast-check';
import { businessDate } from '@kist/contract/dates';
import { describe, expect, it } from 'vitest';
import {
  HOUR,
  DAY,
  T0,
  iso,
  DPC,
  SIM,
  newId,
  enrolled,
  play,
  policyAt,
  says,
  leaseOf,
  dealerLease,
  level,
  elapse,
} from '#simulator-test/android-play.ts';
import { step } from './core.ts';
import type { PhoneEvent } from './events.ts';
import { reportOf } from './report.ts';
import { screenOf } from './screen.ts';
import { trustedTimeOf } from './trusted-time.ts';
import { newPhone } from './state.ts';
import type { Phone } from './state.ts';

describe('the lease', () => {
  it('takes each step at its moment in trusted time and not a millisecond before, offline too', () => {
    const phone = play(enrolled(), says({ lease: dealerLease() }), { kind: 'network', isOn: false });
    for (const [day, before, after] of [
      [1, 0, 1],
      [2, 1, 2],
      [3, 2, 3],
      [7, 3, 4],
    ] as const) {
      expect(level(play(phone, elapse(day * DAY - 1)))).toBe(before);
      expect(level(play(phone, elapse(day * DAY)))).toBe(after);
    }
  });

  it('shows its reminder and its notice by itself and reports them with the time at which they were shown', () => {
    const phone = play(enrolled(), says({ lease: dealerLease() }), { kind: 'network', isOn: false }, elapse(9 * DAY));
    const told = phone.agent!.events.map(({ kind, at, data }) => ({ kind, at, data }));
    expect(told).toContainEqual({
      kind: 'reminder_shown',
      at: iso(T0 + 2 * HOUR),
      data: { key: 'due_today', lease_seq: 1 },
    });
    expect(told).toContainEqual({ kind: 'notice_shown', at: iso(T0 + DAY), data: { no: 1, lease_seq: 1 } });
    expect(told).toContainEqual({
      kind: 'lease_step',
      at: iso(T0 + 3 * DAY),
      data: { level: 3, from: 2, lease_seq: 1 },
    });
  });

  it('shows a notice until its step was taken, by itself or by the server, or its holder objects', () => {
    const shown = play(enrolled(), says({ lease: dealerLease() }), { kind: 'network', isOn: false }, elapse(DAY));
    const notices = (phone: Phone) => phone.agent!.banners.filter(({ kind }) => kind === 'notice').length;
    expect(notices(shown)).toBe(1);
    // The step before its own changes nothing of what it says.
    const before = play(shown, elapse(2 * DAY - 1));
    expect([level(before), notices(before)]).toEqual([2, 1]);
    expect(notices(play(before, elapse(1)))).toBe(0);
    expect(notices(play(shown, says({ desired: { revision: 5, policy: policyAt(3) } })))).toBe(0);
    expect(notices(play(shown, { kind: 'dispute', text: 'I paid' }))).toBe(0);
    expect(notices(play(shown, says({ desired: { revision: 5, policy: policyAt(0) } })))).toBe(0);
  });

  it('says that the shop heard of a payment once it did, and not before', () => {
    const held = play(enrolled(), says({ desired: { revision: 1, policy: policyAt(4) } }), {
      kind: 'network',
      isOn: false,
    });
    expect(screenOf(held).claim).toBeNull();
    const claimed = play(held, { kind: 'payment_claimed' }, elapse(DAY));
    expect(screenOf(claimed).claim).toEqual({ is: 'waiting' });
    const ids = claimed.agent!.events.map(({ id }) => id);
    const heard = play(claimed, { kind: 'network', isOn: true }, says({ serverMs: T0 + DAY, sentEventIds: ids }));
    expect(screenOf(heard).claim).toEqual({ is: 'told', atMs: T0 + DAY });
  });

  it('names the day of the next lock as soon as it is known, and none once its holder objects', () => {
    const phone = play(enrolled(), says({ lease: dealerLease() }), { kind: 'network', isOn: false });
    const named = (now: Phone) => screenOf(now).nextLockOn;
    const dayOf = (days: number) => businessDate(T0 + days * DAY);
    // Before its notice was shown nobody knows.
    expect(named(phone)).toBeNull();
    const shown = play(phone, elapse(DAY));
    expect(named(shown)).toBe(dayOf(3));
    expect(named(play(shown, elapse(2 * DAY)))).toBe(dayOf(7));
    expect(named(play(shown, elapse(6 * DAY)))).toBeNull();
    expect(named(play(shown, { kind: 'dispute', text: 'I paid' }))).toBeNull();
  });

  it('waits the whole notice time when the phone was off at the time of the notice', () => {
    const off = play(
      enrolled(),
      says({ lease: dealerLease() }),
      elapse(20 * HOUR),
      { kind: 'power_off' },
      elapse(3 * DAY),
      { kind: 'power_on' },
    );
    // Trusted time stood still while it was off; the server then tells the true time.
    const on = play(off, says({ serverMs: T0 + 3 * DAY + 20 * HOUR }), elapse(0));
    const shownAt = T0 + 3 * DAY + 20 * HOUR;
    expect(on.agent!.noticesShown).toEqual([{ no: 1, plannedAt: iso(T0 + DAY), shownAtMs: shownAt }]);
    const day = play(on, elapse(2 * DAY - 1));
    expect(level(day)).toBeLessThan(3);
  });

  it('never takes a late step in quiet hours', () => {
    const late = play(
      enrolled(),
      says({
        lease: dealerLease({ notices: [], ladder: [{ at: iso(T0 + DAY), level: 1, notice_no: null, notice_days: 0 }] }),
      }),
      { kind: 'power_off' },
      { kind: 'power_on' },
      says({ serverMs: T0 + DAY + 10 * HOUR }),
      elapse(0),
    );
    expect(level(late)).toBe(0);
    expect(level(play(late, elapse(14 * HOUR - 1)))).toBe(0);
    expect(level(play(late, elapse(14 * HOUR)))).toBe(1);
  });

  it('does nothing alone after valid_until', () => {
    const short = dealerLease({ valid_until: iso(T0 + 2 * DAY + 1) });
    expect(level(play(enrolled(), says({ lease: short }), elapse(50 * DAY)))).toBe(2);
  });

  it('gives way to any newer word of the server and refuses an older lease or one for another phone', () => {
    const held = play(enrolled(), says({ lease: dealerLease() }), elapse(8 * DAY));
    expect(level(held)).toBe(4);
    expect(level(play(held, says({ serverMs: T0 + 8 * DAY, desired: { revision: 1, policy: policyAt(0) } })))).toBe(0);
    expect(level(play(held, says({ serverMs: T0 + 8 * DAY, lease: leaseOf({ seq: 2 }) })))).toBe(0);
    const kept = play(
      held,
      says({ lease: leaseOf({ seq: 2, device_id: '0190b3c2-0000-7000-8000-0000000000ff' }) }),
      says({ lease: leaseOf({ seq: 1 }) }),
    );
    expect(level(kept)).toBe(4);
  });

  it('after an unlock without a new lease keeps only the steps that still lie ahead', () => {
    const held = play(enrolled(), says({ lease: dealerLease() }), elapse(4 * DAY));
    const freed = play(
      held,
      says({ serverMs: T0 + 4 * DAY, desired: { revision: 1, policy: policyAt(0) } }),
      elapse(2 * DAY),
    );
    expect(level(freed)).toBe(0);
    expect(level(play(freed, elapse(DAY)))).toBe(4);
  });

  it('holds its ladder from a dispute until the server answers it with a new lease', () => {
    const phone = play(
      enrolled(),
      says({ lease: dealerLease() }),
      { kind: 'network', isOn: false },
      { kind: 'dispute', text: 'paid' },
      elapse(9 * DAY),
    );
    expect(level(phone)).toBe(0);
    const eventId = phone.agent!.dispute!.eventId;
    const told = play(
      phone,
      says({ serverMs: T0 + 9 * DAY, lease: dealerLease({ seq: 2 }), sentEventIds: [eventId] }),
      elapse(DAY),
    );
    expect(level(told)).toBe(0);
    const answered = play(
      told,
      says({
        serverMs: T0 + 10 * DAY,
        lease: dealerLease({ seq: 3, notices: [{ no: 1, at: iso(T0 + DAY), delivered_at: iso(T0 + DAY) }] }),
      }),
      elapse(0),
    );
    expect(level(answered)).toBe(1);
  });
});

/** What a holder can do to escape or a clock can do to hurt; network and power included, the elapsed clock and the server's word not. */
const holderActs = fc.oneof(
  fc.record({ kind: fc.constant('set_wall_clock' as const), wallMs: fc.integer({ min: 0, max: T0 * 2 }) }),
  fc.constant<PhoneEvent>({ kind: 'power_off' }),
  fc.constant<PhoneEvent>({ kind: 'power_on' }),
  fc.record({ kind: fc.constant('network' as const), isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('elapse' as const), ms: fc.integer({ min: 0, max: 3 * DAY }) }),
  fc.record({ kind: fc.constant('battery' as const), pct: fc.integer({ min: 0, max: 100 }) }),
  fc.constant<PhoneEvent>({ kind: 'swap_sim', slot: 0, sim: null }),
  fc.constant<PhoneEvent>({ kind: 'swap_sim', slot: 0, sim: { slot: 0, iccid: '89910000000009', operator: 'Airtel' } }),
);

describe('under any sequence of clock moves, reboots, cuts and cards', () => {
  it('no step is ever earlier than its time by the true clock, and none is escaped by trusted time', () => {
    fc.assert(
      fc.property(fc.array(holderActs, { maxLength: 40 }), (acts) => {
        const lease = dealerLease();
        let phone = play(enrolled(), says({ lease }));
        let trueMs = T0;
        for (const act of acts) {
          phone = play(phone, act);
          if (act.kind === 'elapse') trueMs += act.ms;
          const trusted = trustedTimeOf(phone)!;
          expect(trusted).toBeLessThanOrEqual(trueMs);
          const mayBe = lease.ladder.filter((rung) => Date.parse(rung.at) <= trueMs).map((rung) => rung.level);
          expect(level(phone)).toBeLessThanOrEqual(Math.max(0, ...mayBe));
        }
        // Left on, it gets there however its holder played: two days' notice from the showing, seven days in all.
        const on = play(phone, { kind: 'battery', pct: 80 }, { kind: 'power_on' }, elapse(12 * DAY));
        expect(level(on)).toBe(4);
      }),
      { numRuns: 400 },
    );
  });

  it('a jump of time is worth the same as its seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 * DAY }), { minLength: 1, maxLength: 12 }), (parts) => {
        const phone = play(enrolled(), says({ lease: dealerLease() }));
        const strip = (one: Phone) => ({
          ...one,
          agent: { ...one.agent!, events: one.agent!.events.map(({ kind, at, data }) => ({ kind, at, data })) },
        });
        const slow = play(phone, ...parts.map(elapse));
        const quick = play(phone, elapse(parts.reduce((sum, part) => sum + part, 0)));
        expect(strip(slow)).toEqual(strip(quick));
      }),
    );
  });

  it('revisions and lease numbers never go back', () => {
    const word = fc.record({
      revision: fc.integer({ min: 0, max: 6 }),
      seq: fc.integer({ min: 1, max: 6 }),
      level: fc.constantFrom(0, 1, 3, 4),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(word, holderActs), { maxLength: 40 }), (acts) => {
        let phone = enrolled();
        for (const act of acts) {
          const { revision, lease } = phone.agent!;
          const event =
            'kind' in act
              ? act
              : says({
                  serverMs: trustedTimeOf(phone)!,
                  desired: { revision: act.revision, policy: policyAt(act.level as 0 | 1 | 3 | 4) },
                  lease: leaseOf({ seq: act.seq }),
                });
          phone = play(phone, event);
          expect(phone.agent!.revision).toBeGreaterThanOrEqual(revision);
          expect(phone.agent!.lease?.seq ?? 0).toBeGreaterThanOrEqual(lease?.seq ?? 0);
        }
      }),
    );
  });

  it('a server clock that moved back never moves trusted time back, and a fast quartz never brings a step early', () => {
    const phone = play(enrolled(), says({ serverMs: T0 + DAY }), elapse(HOUR), says({ serverMs: T0 }));
    expect(trustedTimeOf(phone)).toBe(T0 + DAY + HOUR);
    expect(trustedTimeOf(play(phone, says({ serverMs: T0 + DAY + HOUR - 5000 })))).toBe(T0 + DAY + HOUR - 5000);
  });

  it('an erased phone knows nothing of what it was', () => {
    fc.assert(
      fc.property(fc.array(holderActs, { maxLength: 20 }), (acts) => {
        const used = play(
          enrolled(),
          says({ lease: dealerLease(), desired: { revision: 3, policy: policyAt(4) } }),
          ...acts,
        );
        const done = step(used, { kind: 'erase' }, newId);
        const { sims, place, batteryPct, wallMs, isNetworkOn } = used;
        const fresh = { ...newPhone(DPC, wallMs, sims, place), batteryPct, isNetworkOn };
        expect(done.phone).toEqual(fresh);
        expect(done.effects).toContainEqual({ kind: 'destroy_key' });
      }),
    );
  });
});

describe('what the phone tells', () => {
  it('a moved wall clock, a card changed while it was off, a low battery once', () => {
    const phone = play(
      enrolled(),
      { kind: 'set_wall_clock', wallMs: T0 - DAY },
      { kind: 'battery', pct: 12 },
      { kind: 'battery', pct: 9 },
      { kind: 'power_off' },
      { kind: 'swap_sim', slot: 0, sim: { slot: 0, iccid: '899100000077', operator: 'Airtel' } },
      { kind: 'power_on' },
    );
    const kinds = phone.agent!.events.map((event) => event.kind);
    expect(kinds).toEqual(['booted', 'clock_moved', 'low_battery', 'booted', 'sim_changed']);
    expect(phone.agent!.events.at(-1)!.data).toMatchObject({ slot: 0, old: SIM, new: { operator: 'Airtel' } });
  });

  it('frees itself at the end that the document names, without network and after a reboot, and stays free under that document', () => {
    const { lock, ...rest } = policyAt(4);
    const policy = {
      ...rest,
      lock: { ...lock, cause: 'enrolment_test' as const, until: new Date(T0 + 15 * 60_000).toISOString() },
    };
    const held = play(enrolled(), says({ desired: { revision: 1, policy } }), { kind: 'network', isOn: false });
    const before = play(held, elapse(14 * 60_000));
    expect(level(before)).toBe(4);
    const free = play(before, elapse(60_000));
    expect(level(free)).toBe(0);
    expect(reportOf(free, free.agent!).state).toMatchObject({ revision: 1, lock_level: 0, lock_cause: null });
    expect(
      level(play(free, { kind: 'set_wall_clock', wallMs: T0 - DAY }, { kind: 'power_off' }, { kind: 'power_on' })),
    ).toBe(0);
    // The same end once more, under another number: it has come already.
    expect(level(play(free, says({ desired: { revision: 2, policy }, serverMs: T0 + DAY })))).toBe(0);
    const again = play(free, says({ desired: { revision: 2, policy: policyAt(4) } }), elapse(DAY));
    expect(level(again)).toBe(4);
  });

  it('a released phone is free first, tells the server, and only then forgets', () => {
    const held = play(enrolled(), says({ desired: { revision: 1, policy: policyAt(4) }, lease: dealerLease() }));
    const released = play(held, says({ desired: { revision: 2, policy: { ...policyAt(4), released: true } } }));
    expect(level(released)).toBe(0);
    expect(reportOf(released, released.agent!).state).toMatchObject({ revision: 2, lock_level: 0 });
    const alone = says({ desired: { revision: 2, policy: { ...policyAt(4), released: true } }, lease: dealerLease() });
    const off = play(held, alone, { kind: 'network', isOn: false }, elapse(60 * DAY));
    expect([level(off), off.agent!.lease]).toEqual([0, null]);
    const told = step(released, says({}), newId);
    expect(told.phone.agent).toBeNull();
    expect(told.effects).toContainEqual({ kind: 'destroy_key' });
  });
});
