import { defineConfig } from 'vitest/config';
import { shared, slow } from './vitest.shared.ts';

export default defineConfig({ root: import.meta.dirname, test: { ...shared, name: 'server-slow', include: slow } });
