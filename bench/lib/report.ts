import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { inRoot } from '#scripts/lib/root.mjs';
import { type Figure, isMet } from './figures.ts';

interface Kept {
  on: string;
  commit: string;
  machine: string;
  load: number;
  figures: Figure[];
}

/** The figures of the last run of each bench, from which the page is written. */
const keptFile = inRoot('bench', 'figures.json');
const page = inRoot('docs', 'benchmarks.md');
const PLACE = /<!-- figures -->[\s\S]*<!-- end of figures -->/;

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const limitOf = ({ atLeast, atMost, unit }: Figure): string =>
  atLeast !== undefined ? `≥ ${number(atLeast)} ${unit}` : atMost !== undefined ? `≤ ${number(atMost)} ${unit}` : '';

export function printFigures(figures: readonly Figure[]): void {
  for (const figure of figures) {
    const spread =
      figure.spread === undefined ? '' : ` (±${(figure.spread * 50).toFixed(0)} % over ${figure.rounds} rounds)`;
    const mark = isMet(figure) ? 'ok  ' : 'MISS';
    process.stdout.write(
      `  ${mark} ${figure.name.padEnd(34)} ${number(figure.value).padStart(8)} ${figure.unit.padEnd(3)} ${limitOf(figure).padEnd(12)} ${figure.detail}${spread}\n`,
    );
  }
}

/** Keeps what a bench found and writes the page anew; other benches' figures stay as they are. */
export function keepFigures(bench: string, figures: readonly Figure[]): void {
  const kept = existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as Record<string, Kept>) : {};
  const plain = figures.map(({ name, of, value, unit, atLeast, atMost, spread, rounds, detail }) => ({
    name,
    of,
    value,
    unit,
    atLeast,
    atMost,
    spread,
    rounds,
    detail,
  }));
  kept[bench] = {
    on: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: machine(),
    load: Number(loadavg()[0]?.toFixed(1)),
    figures: plain,
  };
  writeFileSync(keptFile, `${JSON.stringify(kept, null, 2)}\n`);
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(PLACE, () => `<!-- figures -->\n${tableOf(kept)}\n<!-- end of figures -->`),
  );
}

function tableOf(kept: Record<string, Kept>): string {
  const rows = Object.entries(kept).flatMap(([bench, { on, commit: at, load, figures }]) =>
    figures.map((figure) => {
      const spread =
        figure.spread === undefined ? '' : `±${(figure.spread * 50).toFixed(0)} %, ${figure.rounds} rounds`;
      const cells = [
        figure.name,
        figure.of,
        `**${number(figure.value)} ${figure.unit}**`,
        limitOf(figure),
        isMet(figure) ? 'yes' : '**no**',
        figure.detail,
        spread,
        `${bench}, ${on}, ${at}, load ${load}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  const machines = [...new Set(Object.values(kept).map((run) => run.machine))].map((name) => `Machine: ${name}.`);
  return [
    ...machines,
    '',
    '| figure | of | value | wanted | met | sides | spread | run |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function machine(): string {
  const [first] = cpus();
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.version}, embedded PostgreSQL 18`;
}

const commit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: inRoot(), encoding: 'utf8' }).trim();
