import { defineConfig } from 'vitest/config';

/** Nothing here keeps anything: modules are loaded once for all files. */
export default defineConfig({ test: { isolate: false } });
