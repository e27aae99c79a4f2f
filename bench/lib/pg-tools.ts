import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** @returns a client program of PostgreSQL on this machine: from PATH, else from where pg_config says; undefined when there is none */
export async function pgTool(name: string): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const { stdout } = await promisify(execFile)('pg_config', ['--bindir']).catch(() => ({ stdout: '' }));
  return [...folders, stdout.trim()].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}
