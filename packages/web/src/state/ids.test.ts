import { expect, it } from 'vitest';
import { newId, newTimedId } from './ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('a plain id is a random UUID, never the same twice', () => {
  const ids = Array.from({ length: 200 }, newId);
  expect(ids.every((id) => UUID.exec(id)?.[1] === '4')).toBe(true);
  expect(new Set(ids).size).toBe(200);
});

it('a timed id begins with its moment, and later ones sort behind', () => {
  expect(newTimedId(0x0199_1234_5678).slice(0, 13)).toBe('01991234-5678');
  const moments = [0, 1, 255, 256, 2 ** 32, Date.UTC(2026, 10, 23), Date.UTC(2099, 0, 1)];
  const ids = moments.map((ms) => newTimedId(ms));
  expect(ids.every((id) => UUID.exec(id)?.[1] === '7')).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(newTimedId(5)).not.toBe(newTimedId(5));
});
