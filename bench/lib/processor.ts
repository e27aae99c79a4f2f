import { readFileSync, readdirSync } from 'node:fs';

/** Of `/proc/<pid>/stat`, which counts in these. */
const TICKS_PER_SECOND = 100;

interface Process {
  parent: number;
  ticks: number;
}

/** Seconds of the processor that these processes have used so far with all that they started, what has ended among it. Linux alone tells. */
export function processorSeconds(pids: readonly number[]): number {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) && read(name);
    if (found) all.set(Number(name), found);
  }
  const isOurs = (pid: number): boolean => {
    if (pids.includes(pid)) return true;
    const parent = all.get(pid)?.parent;
    return parent !== undefined && parent > 1 && isOurs(parent);
  };
  let ticks = 0;
  for (const [pid, one] of all) if (isOurs(pid)) ticks += one.ticks;
  return ticks / TICKS_PER_SECOND;
}

function read(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything; what follows it begins with the state.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // User and system time of its own and of its children that were waited for: the 14th to the 17th field of all.
    return { parent: Number(parent), ticks: rest.slice(9, 13).reduce((sum, one) => sum + Number(one), 0) };
  } catch {
    return undefined;
  }
}
