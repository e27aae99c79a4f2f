import { defineConfig } from 'vitest/config';
import { shared, slow } from './vitest.shared.ts';

/** Unit and store tests. What ends in `process` or `sweep` has a run of its own: `vitest.slow.config.ts`. */
export default defineConfig({
  test: { ...shared, name: 'server', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: slow },
});
