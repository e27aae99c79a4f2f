import {
  DISPUTE_BEGINS,
  DISPUTE_PARTIES,
  DISPUTE_STATES,
  DISPUTES,
  type DisputeState,
} from '@kist/contract/dispute-states';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, climbing, overdue, told } from '#test/lock-facts.ts';
import { type Earlier, type SaidBy, heardAs, mayEscalate, stopsUntilMs } from './disputes.ts';
import { type GateFacts, atInstant } from './facts.ts';
import { gate } from './gate.ts';
import { judgeTaking } from './taking.ts';

/** Level 3 on its day: nothing else stands in the way. */
const ready = climbing(told(overdue(3), 1, 1), 3, 2);
const asked = (trigger: 'automatic' | 'manual', reason: 'EMI_OVERDUE' | 'ORG_OVERRIDE'): GateFacts => ({
  ...ready,
  policy: { ...ready.policy, overrideAllowed: true },
  request: { ...ready.request, trigger, reason, noteText: 'agreed with the regional head', hasSecond: true },
});
const RAISES = [asked('automatic', 'EMI_OVERDUE'), asked('manual', 'EMI_OVERDUE'), asked('manual', 'ORG_OVERRIDE')];

/** As the facts of a phone carry it. */
function disputed(facts: GateFacts, state: DisputeState, sinceMs: number): GateFacts {
  const untilMs = stopsUntilMs({ state, sinceMs });
  return { ...facts, disputes: untilMs === undefined ? [] : [{ openedAtMs: sinceMs - DAY_MS, untilMs }] };
}
/** What must hold, said apart from the table. */
const shallStop = (state: DisputeState, ageMs: number): boolean =>
  ({
    open: true,
    undecided: true,
    escalated: true,
    answered: ageMs < 7 * DAY_MS,
    closed: ageMs < 7 * DAY_MS,
    rejected: false,
  })[state];

const stateArb = fc.constantFrom(...DISPUTE_STATES);
const ageArb = fc.oneof(
  fc.integer({ min: 0, max: 20 * DAY_MS }),
  fc.constantFrom(0, 7 * DAY_MS - 1, 7 * DAY_MS, 7 * DAY_MS + 1),
);

describe('whatever the dispute', () => {
  test('a state that stops raises lets none pass, by the daily run, a person, an override or a switch; any other stops none', () => {
    fc.assert(
      fc.property(stateArb, ageArb, fc.constantFrom(...RAISES), (state, ageMs, raise) => {
        const facts = disputed(raise, state, raise.nowMs - ageMs);
        const isStopped = shallStop(state, ageMs);
        expect([state, gate(facts).allowed]).toEqual([state, !isStopped]);
        if (raise.request.reason === 'EMI_OVERDUE' && isStopped)
          expect(judgeTaking(facts, 'app_lock').verdict.allowed).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('one that stops is enough, however many others have been answered', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(stateArb, ageArb), { minLength: 1, maxLength: 5 }), (all) => {
        const raise = RAISES[1]!;
        const disputes = all.flatMap(([state, ageMs]) => disputed(raise, state, raise.nowMs - ageMs).disputes);
        const isStopped = all.some(([state, ageMs]) => shallStop(state, ageMs));
        expect(gate({ ...raise, disputes }).allowed).toBe(!isStopped);
      }),
      { numRuns: 1000 },
    );
  });

  test('a refusal names the first moment at which the answer is seven days old', () => {
    const facts = disputed(RAISES[1]!, 'answered', ready.nowMs - DAY_MS);
    const [failing] = gate(facts).failing;
    expect(failing).toMatchObject({ rule: 'DISPUTE_ANSWERED', at: new Date(ready.nowMs + 6 * DAY_MS).toISOString() });
    expect(gate(atInstant(facts, ready.nowMs + 6 * DAY_MS)).allowed).toBe(true);
  });

  test('it can be taken further exactly as long as its answer stops raises', () => {
    fc.assert(
      fc.property(stateArb, ageArb, (state, ageMs) => {
        expect(mayEscalate({ state, sinceMs: 0 }, ageMs)).toBe(state === 'answered' && ageMs < 7 * DAY_MS);
      }),
    );
  });
});

describe('the same instalment', () => {
  const before = (state: DisputeState, ageDays: number, saidBy: SaidBy = 'customer'): Earlier => ({
    disputeId: `${state} ${ageDays}`,
    state,
    sinceMs: -ageDays * DAY_MS,
    saidBy,
  });
  const heard = (earlier: Earlier[], by: SaidBy = 'customer') => heardAs(earlier, by, 0).to;

  test('is disputed twice by its customer; a third time waits for the organisation', () => {
    expect(heard([])).toBe('open');
    expect(heard([before('answered', 8)])).toBe('open');
    expect(heard([before('closed', 1)])).toBe('open');
    expect(heard([before('answered', 20), before('closed', 8)])).toBe('undecided');
    expect(heard([before('answered', 30), before('answered', 20), before('answered', 8)])).toBe('undecided');
  });

  test('what the shop recorded in the customer’s name uses up none of the two', () => {
    const shops = [before('answered', 30, 'shop'), before('answered', 20, 'shop')];
    expect(heard([...shops, before('answered', 10)])).toBe('open');
    expect(heard([before('answered', 30), before('answered', 20)], 'shop')).toBe('open');
  });

  test('what came by the link is held against the link alone: a shop that has it too takes nothing from its customer', () => {
    const links = [before('answered', 30, 'link'), before('answered', 20, 'link')];
    expect([heard(links), heard(links, 'link')]).toEqual(['open', 'undecided']);
    expect([heard([...links, before('rejected', 1, 'link')])]).toEqual(['open']);
    expect([heard([...links, before('rejected', 1, 'link')], 'link')]).toEqual(['decided']);
    expect([heard([before('answered', 30), before('rejected', 1)], 'link')]).toEqual(['decided']);
  });

  test('is disputed by one at a time, and an answer of these days is taken further instead', () => {
    for (const state of ['open', 'undecided', 'escalated'] as const)
      expect(heardAs([before(state, 90)], 'customer', 0)).toMatchObject({ to: 'already', earlier: { state } });
    expect(heard([before('answered', 6)])).toBe('already');
    expect(heard([before('open', 90)], 'shop')).toBe('already');
  });

  test('is not disputed by its customer any more once the organisation said that it does not hold', () => {
    expect(heard([before('answered', 30), before('answered', 20), before('rejected', 1)])).toBe('decided');
    expect(heard([before('rejected', 1)], 'shop')).toBe('open');
  });
});

test('the table leads everywhere from its beginnings, and everything that waits can end', () => {
  const reached = new Set(Object.keys(DISPUTE_BEGINS) as DisputeState[]);
  for (const state of reached) for (const to of Object.keys(DISPUTES[state].to) as DisputeState[]) reached.add(to);
  expect([...reached].toSorted()).toEqual([...DISPUTE_STATES].toSorted());
  for (const state of DISPUTE_STATES)
    if (DISPUTES[state].stops === 'always') expect(Object.keys(DISPUTES[state].to)).not.toEqual([]);
  const parties = DISPUTE_STATES.flatMap((state) => Object.values(DISPUTES[state].to).flat());
  expect(parties.every((party) => DISPUTE_PARTIES.includes(party))).toBe(true);
});
