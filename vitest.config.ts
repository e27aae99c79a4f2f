import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*'],
    // One per core of the smallest machine we promise to test on.
    maxWorkers: 2,
  },
});
