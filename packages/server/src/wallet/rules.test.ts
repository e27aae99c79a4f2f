import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOfLots } from './rules.ts';

const held = fc.record({ granted: fc.nat(50), paid: fc.nat(50) });

test('as many keys go as were asked for, of no lot more than there are, and none of the second lot before the first is empty', () => {
  fc.assert(
    fc.property(held, fc.integer({ min: 1, max: 120 }), ({ granted, paid }, wanted) => {
      const parts = keysOfLots(
        [
          { lot: 'granted', available: granted },
          { lot: 'paid', available: paid },
        ],
        wanted,
      );
      if (wanted > granted + paid) return parts === undefined;
      const of = (lot: string) => parts!.find((part) => part.lot === lot)?.count ?? 0;
      return (
        of('granted') === Math.min(wanted, granted) &&
        of('granted') + of('paid') === wanted &&
        of('paid') <= paid &&
        parts!.every(({ count }) => count > 0)
      );
    }),
  );
  expect(keysOfLots([], 1)).toBeUndefined();
});
