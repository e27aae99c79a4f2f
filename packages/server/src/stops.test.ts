import { expect, test } from 'vitest';
import { createStops, StoppedError } from './stops.ts';

test('what was started is stopped the other way round, once', async () => {
  const seen: string[] = [];
  const stops = createStops();
  await stops.add(async () => void seen.push('database'));
  await stops.add(async () => void seen.push('http'));
  await Promise.all([stops.all(), stops.all()]);
  expect(seen).toEqual(['http', 'database']);
});

test('what a start adds while everything is being stopped does not stay', async () => {
  const seen: string[] = [];
  const stops = createStops();
  await stops.all();
  await expect(stops.add(async () => void seen.push('late'))).rejects.toThrow(StoppedError);
  expect(seen).toEqual(['late']);
});

test('a part that fails to stop keeps no other from it', async () => {
  const seen: string[] = [];
  const stops = createStops();
  await stops.add(async () => void seen.push('database'));
  await stops.add(() => Promise.reject(new Error('stuck')));
  await expect(stops.all()).rejects.toThrow('stuck');
  expect(seen).toEqual(['database']);
});
