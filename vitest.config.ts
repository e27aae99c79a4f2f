import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'packages/server/vitest.slow.config.ts'],
  },
});
