import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bench, median } from '#bench/lib/figures.ts';
import { freePort, startServer } from '#bench/lib/server.ts';

const STARTS = 7;

/** From the start of the process to the first 200 of /readyz, on the built server with the demo shop in it. */
export const coldStart: Bench = {
  name: 'cold-start',
  async run() {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-bench-'));
    try {
      const port = await freePort();
      const first = await startServer({ dataDir, port, mode: 'demo' });
      await first.stop();
      const later: number[] = [];
      for (let start = 0; start < STARTS; start += 1) {
        const server = await startServer({ dataDir, port, mode: 'demo' });
        later.push(server.readyMs / 1000);
        await server.stop();
      }
      const [killed] = [await startServer({ dataDir, port, mode: 'demo' })];
      await killed.kill();
      const afterKill = await startServer({ dataDir, port, mode: 'demo' });
      await afterKill.stop();
      const detail = `${Math.min(...later).toFixed(2)}–${Math.max(...later).toFixed(2)} s over ${STARTS} starts`;
      return [
        {
          name: 'first start',
          of: 'makes the database and a year of the demo shop',
          value: first.readyMs / 1000,
          unit: 's',
          detail: 'no limit',
        },
        { name: 'later start', of: 'process started to /readyz', value: median(later), unit: 's', atMost: 3, detail },
        {
          name: 'start after kill -9',
          of: 'the same, PostgreSQL still running',
          value: afterKill.readyMs / 1000,
          unit: 's',
          atMost: 3,
          detail: 'one start',
        },
      ];
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
