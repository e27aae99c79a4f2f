import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** The text of all sources below a folder. By reading, not by import.meta.glob: to knip a glob is a use of every file. */
const textBelow = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8'))
    .join('\n');

/** What customers get without the app: each language's messages, and the words of a phone's own screens. */
const told = () => {
  const folder = join(import.meta.dirname, '../server/src/notices/messages');
  const names = readdirSync(folder).filter((name) => /^[a-z]{2}\.ts$/.test(name));
  const messages = names.map((name) => [name.slice(0, 2), readFileSync(join(folder, name), 'utf8')] as const);
  return { messages: Object.fromEntries(messages), phone: textBelow('../simulator/src/lab/words') };
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  define: { __BUILT_AT__: JSON.stringify('2026-11-20T18:30:00.000Z'), __APP_VERSION__: JSON.stringify('0.9.0') },
  test: {
    // Each file has modules and a document of its own in a thread: a process for each takes half as much again.
    pool: 'threads',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    // More than one wait of a page's test takes at most: what did not come is named, not the clock.
    testTimeout: 40_000,
    provide: {
      sources: { ours: textBelow('src'), theirs: textBelow('../contract/src') + textBelow('../server/src') },
      told: told(),
    },
    restoreMocks: true,
    css: true,
  },
});
