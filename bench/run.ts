import { ensureBuilt } from '#scripts/lib/build.mjs';
import { checkin } from '#bench/checkin.ts';
import { type Bench, type Figure, isMet } from '#bench/lib/figures.ts';
import { keepFigures, printFigures } from '#bench/lib/report.ts';
import { bulkLock } from '#bench/bulk-lock.ts';
import { coldStart } from '#bench/cold-start.ts';
import { dailyRun } from '#bench/daily-run.ts';
import { filters } from '#bench/filters.ts';
import { payment } from '#bench/payment.ts';
import { phones } from '#bench/phones.ts';
import { reads } from '#bench/reads.ts';
import { reversal } from '#bench/reversal.ts';
import { noOp } from '#bench/no-op.ts';
import { schedules } from '#bench/schedules.ts';
import { strangers } from '#bench/strangers.ts';
import { unlock } from '#bench/unlock.ts';
import { webScreens } from '#bench/web-screens.ts';
import { webSize } from '#bench/web-size.ts';
import { webSpeed } from '#bench/web-speed.ts';

const BENCHES: readonly Bench[] = [
  webSize,
  schedules,
  noOp,
  checkin,
  unlock,
  bulkLock,
  phones,
  strangers,
  reads,
  filters,
  payment,
  reversal,
  dailyRun,
  coldStart,
  webSpeed,
  webScreens,
];

const asked = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = asked.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No bench ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
await ensureBuilt(['server', 'web']);
const figures: Figure[] = [];
for (const bench of BENCHES.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const why = await bench.unavailable?.();
  if (why !== undefined) {
    process.stdout.write(`${bench.name}: skipped, ${why}\n`);
    continue;
  }
  process.stdout.write(`${bench.name}…\n`);
  const found = await bench.run();
  printFigures(found);
  keepFigures(bench.name, found);
  figures.push(...found);
}
process.exitCode = figures.every(isMet) ? 0 : 1;
