import type { ProjectConfig } from 'vitest/node';

/** Tests that start programs and a PostgreSQL of their own, or wait for real time; and those that try every call, field or state. */
export const slow = ['src/**/*.{process,sweep}.test.ts', 'test/**/*.{process,sweep}.test.ts'];

export const shared = {
  globalSetup: 'test/global-setup.ts',
  setupFiles: ['test/setup.ts'],
  // Each file has a database of its own; what modules keep in memory is keyed by ids that never repeat. Loading them once saves a third of the time.
  isolate: false,
  // Real databases and real processes on a shared machine: slow is not wrong.
  testTimeout: 20_000,
  hookTimeout: 60_000,
} satisfies ProjectConfig;
