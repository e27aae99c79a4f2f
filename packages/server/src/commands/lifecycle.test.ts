import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS, COMMAND_NEXT, COMMAND_STATES, COMMAND_TYPES, type CommandState } from '@kist/contract/commands';
import { afterAck, afterReport, isFinal, move, supersedes } from '#test/command-model.ts';
import { familyOf } from '@kist/contract/commands';

const oneShot = fc.constantFrom(...COMMAND_TYPES.filter((type) => COMMANDS[type].kind === 'one-shot'));
const stateOrder = fc.constantFrom(...COMMAND_TYPES.filter((type) => COMMANDS[type].kind === 'state'));
/** What one honest phone can say of one order, from first to last. */
const history = fc.constantFrom(
  ['delivered'],
  ['delivered', 'applied'],
  ['delivered', 'applied', 'seen'],
  ['delivered', 'failed'],
) as fc.Arbitrary<('delivered' | 'applied' | 'seen' | 'failed')[]>;

test('acknowledgements in any order, repeated or late, end in the same state', () => {
  fc.assert(
    fc.property(
      oneShot,
      history,
      fc.array(fc.nat({ max: 10 }), { maxLength: 12 }),
      fc.nat(),
      (type, said, repeats, seed) => {
        const straight = said.reduce<CommandState>((state, ack) => afterAck(type, state, ack), 'SENT');
        const repeated = [...said, ...repeats.map((index) => said[index % said.length]!)];
        const shuffled = repeated
          .map((ack, index) => ({ ack, key: ((index + 1) * (seed + 7919)) % 104_729 }))
          .toSorted((a, b) => a.key - b.key);
        expect(shuffled.reduce<CommandState>((state, { ack }) => afterAck(type, state, ack), 'SENT')).toBe(straight);
      },
    ),
  );
});

test('a state never moves but along the contract’s table, and never out of an end', () => {
  fc.assert(
    fc.property(fc.constantFrom(...COMMAND_STATES), fc.constantFrom(...COMMAND_STATES), (from, to) => {
      const next = move(from, to);
      expect(next === from || COMMAND_NEXT[from].includes(next)).toBe(true);
      expect(isFinal(from) && next !== from).toBe(false);
    }),
  );
});

test('the order of the highest revision is never ended by another, and ends every open one of its family', () => {
  const order = fc.record({
    type: stateOrder,
    revision: fc.integer({ min: 1, max: 50 }),
    state: fc.constantFrom(...COMMAND_STATES),
  });
  fc.assert(
    fc.property(order, order, (a, b) => {
      const ends = supersedes(a, b);
      expect(ends && (a.revision <= b.revision || isFinal(b.state) || !familyOf(a.type).includes(b.type))).toBe(false);
      expect(ends && supersedes(b, a)).toBe(false);
    }),
  );
  expect(supersedes({ type: 'unlock', revision: 3 }, { type: 'lock', revision: 2, state: 'SENT' })).toBe(true);
  expect(supersedes({ type: 'lock', revision: 2 }, { type: 'unlock', revision: 3, state: 'QUEUED' })).toBe(false);
  expect(supersedes({ type: 'camera_lock', revision: 9 }, { type: 'lock', revision: 2, state: 'SENT' })).toBe(false);
});

test('a report from before an order says nothing of it; one at its revision has it; the document and its level verify it', () => {
  const lock = { type: 'lock', state: 'SENT', revision: 5 } as const;
  const desired = { revision: 5, lockLevel: 4, toggles: {} };
  expect(afterReport(lock, { revision: 4, lockLevel: 4, toggles: {} }, desired)).toBe('SENT');
  expect(afterReport(lock, { revision: 5, lockLevel: 0, toggles: {} }, desired)).toBe('DELIVERED');
  expect(afterReport(lock, { revision: 5, lockLevel: 4, toggles: {} }, desired)).toBe('VERIFIED');
  expect(afterReport(lock, { revision: 900, lockLevel: 4, toggles: {} }, desired)).toBe('SENT');
  expect(afterReport(lock, { revision: 5, lockLevel: 4, toggles: {} }, { ...desired, revision: 6, lockLevel: 0 })).toBe(
    'DELIVERED',
  );
  const another = { revision: 5, lockLevel: 4, toggles: {}, isOurs: false };
  expect(afterReport(lock, another, desired)).toBe('DELIVERED');
  const unlock = { type: 'unlock', state: 'SENT', revision: 5 } as const;
  const free = { revision: 5, lockLevel: 0, toggles: {} };
  expect(afterReport(unlock, { ...free, isOurs: false }, free)).toBe('VERIFIED');
  expect(afterReport(unlock, { ...free, lockLevel: 3, isOurs: false }, free)).toBe('DELIVERED');
});
