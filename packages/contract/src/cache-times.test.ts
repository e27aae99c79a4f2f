import { expect, test } from 'vitest';
import { CACHE_TIMES, freshS } from './cache-times.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** Calls that the specification names and that come with their features. */
const TO_COME = ['getPlansAntihacking'];

test('answers are fresh for the seconds of the specification: 300, 5 for anti-hacking plans; unused ones are dropped after 60', () => {
  expect([freshS('getUserAccess'), freshS('getPlansAntihacking'), LIMITS.unusedDataS]).toEqual([300, 5, 60]);
});
/** What a shop neither makes nor changes: the places of the world. */
const OF_THE_WORLD = ['getCountries', 'getStates', 'getCities'];
test('only calls that there are differ, downward but for the places of the world, and say why', () => {
  for (const [name, { freshS: seconds, because }] of Object.entries(CACHE_TIMES)) {
    expect(name in PATHS || TO_COME.includes(name), name).toBe(true);
    if (!OF_THE_WORLD.includes(name)) expect(seconds, name).toBeLessThan(LIMITS.cacheS);
    expect(because.length, name).toBeGreaterThan(20);
  }
});
