import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Each file has a database of its own; what modules keep in memory is keyed by ids that never repeat. Loading them once saves a third of the time.
    isolate: false,
    // Real databases and real processes on a shared machine: slow is not wrong.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
