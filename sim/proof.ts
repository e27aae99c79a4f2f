import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '#scripts/lib/build.mjs';
import { keepResult } from './proof/page.ts';
import { histories, killRounds, newRun, pureHistories, raceRound } from './proof/program.ts';

/**
 * node sim/proof.ts [--seed N] [--kills N] [--rounds N] [--lives N] [--share]: everything raced with everything, everything killed at named points, and
 * phones' lives on a bad network, on the real server with its own PostgreSQL; held each time against the books. The whole writes docs/proof.md; `--share` is the small part that `npm test` runs. Closes
 * with `held N, broken N`.
 */
const WHOLE = { kills: 300, rounds: 5, lives: 200, pureLives: 10_000 };
const SHARE = { kills: 12, rounds: 1, lives: 6, pureLives: 0 };
const SHOWN = 40;
const SHOWN_LENGTH = 600;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    kills: { type: 'string' },
    rounds: { type: 'string' },
    lives: { type: 'string' },
    share: { type: 'boolean', default: false },
  },
});
const startedAt = performance.now();
const secondsSince = () => (performance.now() - startedAt) / 1000;
const say = (text: string) => process.stdout.write(`[${secondsSince().toFixed(0).padStart(4)} s] ${text}\n`);
const seed = Number(values.seed ?? process.env['KIST_SEED'] ?? randomInt(2 ** 31));
const size = values.share ? SHARE : WHOLE;
const kills = Number(values.kills ?? size.kills);
const rounds = Number(values.rounds ?? size.rounds);
const lives = Number(values.lives ?? size.lives);
say(
  `proof, seed ${seed} (again: npm run proof -- --seed ${seed} --kills ${kills} --rounds ${rounds} --lives ${lives})`,
);

await ensureBuilt(['server']);
const run = newRun(seed, say);
try {
  for (let round = 1; round <= rounds; round += 1) await raceRound(run, round);
  await killRounds(run, kills);
  if (lives > 0) await histories(run, lives);
  if (size.pureLives > 0) pureHistories(run, size.pureLives);
} catch (error) {
  run.tally.broken.add(
    `the proof broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
}

for (const broken of [...run.tally.broken].slice(0, SHOWN)) say(`BROKEN ${broken.slice(0, SHOWN_LENGTH)}`);
const isWhole = kills >= WHOLE.kills && rounds >= WHOLE.rounds && lives >= WHOLE.lives;
if (isWhole) keepResult(run, secondsSince());
say(`done in ${secondsSince().toFixed(0)} s`);
process.stdout.write(`held ${run.tally.held}, broken ${run.tally.broken.size}\n`);
process.exitCode = run.tally.broken.size === 0 ? 0 : 1;
