import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from './operator-error.ts';

const MARK = 'restore-unfinished';

/** A restore was cut off: what lies in the folder is tables without their rows, which nobody may serve. */
export class UnfinishedRestoreError extends OperatorError {
  override readonly name = 'UnfinishedRestoreError';
  constructor(dataDir: string) {
    super(
      `A restore into ${dataDir} was cut off, or still runs: its rows are not there. If none runs, empty the folder but for the secrets, and the place of the pictures, and run "kist restore" again.`,
    );
  }
}

const markOf = (dataDir: string): string => path.join(dataDir, MARK);

/** Whether a restore into this data folder began and did not end. */
export const isRestoreUnfinished = (dataDir: string): boolean => existsSync(markOf(dataDir));

/** Before anything is written; the folder is there. */
export const noteRestore = (dataDir: string): void => writeFileSync(markOf(dataDir), '', { mode: 0o600 });

/** Everything is in its place, or nothing is left. */
export const restoreEnded = (dataDir: string): void => rmSync(markOf(dataDir), { force: true });
