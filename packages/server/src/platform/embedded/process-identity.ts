import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** A process that cannot be mistaken for a later one with the same number: pid and, where the system tells, its start. */
export interface ProcessIdentity {
  pid: number;
  startedTicks: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedTicks: startedTicks(process.pid) };
}

/** Whether exactly this process (not another one that got its pid) still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return isRunning(identity.pid) && startedTicks(identity.pid) === identity.startedTicks;
}

/** Whether a process with this pid runs. A zombie does not: in a container nobody may ever reap it. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  const state = statFields(pid)?.[0];
  if (state !== undefined) return state !== 'Z' && state !== 'X';
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the running process `pid` may be a PostgreSQL server. Only a proven "no" (the system names another program) is
 * false: the caller deletes a lock on the strength of it.
 */
export function mayBePostgres(pid: number): boolean {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    const name = commandName(pid);
    return name === undefined || name.startsWith('postgres');
  }
}

function commandName(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function startedTicks(pid: number): string {
  return statFields(pid)?.[19] ?? '';
}

/** Fields of /proc/<pid>/stat from the third on (the second is a name that may hold spaces and brackets). */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
