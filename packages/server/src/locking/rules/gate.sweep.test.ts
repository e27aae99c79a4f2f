import { verdictSchema } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsArb } from '#test/lock-facts.ts';
import { LAWS, mayLock, type Law } from '#test/gate-laws.ts';
import { gate } from './gate.ts';

describe('for any facts', () => {
  test.each(Object.entries<Law>(LAWS))('%s', (_name, law) => {
    fc.assert(
      fc.property(factsArb, (facts) => {
        expect(law(facts, gate)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('the verdict keeps the contract', () => {
    fc.assert(
      fc.property(factsArb, (facts) => {
        expect(verdictSchema.safeParse(gate(facts)).error).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test('the facts drawn here are worth drawing: every reason and level is often allowed and often refused', () => {
    const seen = new Map<string, number>();
    for (const facts of fc.sample(factsArb, { numRuns: 6000, seed: 7 })) {
      const key = `${facts.request.reason} ${facts.request.level > 2} ${mayLock(facts)}`;
      if (facts.request.level > 0) seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(seen.size).toBe(20);
    expect(Math.min(...seen.values())).toBeGreaterThan(15);
  });
});
