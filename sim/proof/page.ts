import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { inRoot } from '#scripts/lib/root.mjs';
import type { Answers, Run } from './program.ts';

const page = inRoot('docs', 'proof.md');
const PLACE = /<!-- last run -->[\s\S]*<!-- end of last run -->/;

const total = ({ done, refused, unknown }: Answers): number => done + refused + unknown;
const cells = ({ done, refused, unknown }: Answers): string => `${done} | ${refused} | ${unknown}`;

/** Writes what a whole run found into docs/proof.md. */
export function keepResult(run: Run, seconds: number): void {
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(PLACE, () => `<!-- last run -->\n${resultOf(run, seconds)}\n<!-- end of last run -->`),
  );
}

function resultOf(run: Run, seconds: number): string {
  const { seed, commit, tally, races, kills, killAnswers, planted, unlocked, lives, pureLives, happened } = run;
  const reached = kills.filter(({ isReached }) => isReached).length;
  const acts = Object.values(races).reduce((sum, answers) => sum + total(answers), total(killAnswers));
  const victims = Object.entries(Object.groupBy(kills, ({ victim }) => victim)).map(
    ([victim, of]) => `${victim} ${of.length}`,
  );
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, seed ${seed}, ${Math.round(seconds / 60)} min on ${cpus().length} cores (load ${loadavg()[0]!.toFixed(1)} at the end).`,
    '',
    `**${tally.held.toLocaleString('en')} promises held, ${tally.broken.size} broken.** ${acts.toLocaleString('en')} acts told; ${planted} planted faults were all looked for; ${unlocked} held phones freed with the server dead.`,
    ...[...tally.broken].map((broken) => `- BROKEN ${broken}`),
    '',
    `**${kills.length} kills**, ${reached} of them at their point, the others at whatever moment it was: ${victims.join(', ')}. Acts around them: done, refused, unknown: ${cells(killAnswers).replaceAll(' | ', ', ')}.`,
    '',
    '| point | kills | at it |',
    '| --- | --- | --- |',
    ...Object.entries(Object.groupBy(kills, ({ point }) => point))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([point, of = []]) => `| ${point} | ${of.length} | ${of.filter(({ isReached }) => isReached).length} |`),
    '',
    '| race | done | refused | unknown |',
    '| --- | --- | --- | --- |',
    ...Object.entries(races).map(([name, answers]) => `| ${name} | ${cells(answers)} |`),
    '',
    `**${pureLives.toLocaleString('en')} histories** of the gate alone, and **${lives}** of phones on a bad network over HTTP, ten weeks each:`,
    '',
    '| what happened | times |',
    '| --- | --- |',
    ...Object.entries(happened)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, times]) => `| ${what} | ${times} |`),
  ].join('\n');
}
