import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Real databases and real processes on a shared machine: slow is not wrong.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
