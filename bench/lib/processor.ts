import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { promisify } from 'node:util';

/** Of `/proc/<pid>/stat`, which counts in these. */
const TICKS_PER_SECOND = 100;

interface Process {
  parent: number;
  seconds: number;
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
  let seconds = 0;
  for (const [pid, one] of all) if (isOurs(pid)) seconds += one.seconds + ownSeconds(pid);
  return seconds;
}

function read(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything; what follows it begins with the state.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // User and system time of those of its children that ended: the 16th and the 17th field of all.
    const ended = rest.slice(11, 13).reduce((sum, one) => sum + Number(one), 0);
    return { parent: Number(parent), seconds: ended / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** To the nanosecond: ticks, of which each process loses a part of one, would be a tenth of what a round costs. */
function ownSeconds(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ', 1)[0]);
  } catch {
    // It ended meanwhile: its parent has what it used.
  }
  return nanoseconds / 1e9;
}

/** Keeps a process to one processor, and what it starts from now on. Where nothing can, it runs wherever it comes to. @param processor from 0 */
export const holdTo = (pid: number, processor: number): Promise<void> => keepTo(pid, String(processor));
/** It runs on any again. */
export const letGo = (pid: number): Promise<void> => keepTo(pid, `0-${cpus().length - 1}`);

async function keepTo(pid: number, processors: string): Promise<void> {
  await promisify(execFile)('taskset', ['-pc', processors, String(pid)]).catch(() => undefined);
}
