import { expect, test } from 'vitest';
import { createShutdown, StoppedError } from './shutdown.ts';

test('what was started is stopped the other way round, once', async () => {
  const seen: string[] = [];
  const shutdown = createShutdown();
  await shutdown.add(async () => void seen.push('database'));
  await shutdown.add(async () => void seen.push('http'));
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(seen).toEqual(['http', 'database']);
});

test('what a start adds while everything is being stopped does not stay', async () => {
  const seen: string[] = [];
  const shutdown = createShutdown();
  await shutdown.run();
  await expect(shutdown.add(async () => void seen.push('late'))).rejects.toThrow(StoppedError);
  expect(seen).toEqual(['late']);
});

test('a part that fails to stop keeps no other from it', async () => {
  const seen: string[] = [];
  const shutdown = createShutdown();
  await shutdown.add(async () => void seen.push('database'));
  await shutdown.add(() => Promise.reject(new Error('stuck')));
  await expect(shutdown.run()).rejects.toThrow('stuck');
  expect(seen).toEqual(['database']);
});
