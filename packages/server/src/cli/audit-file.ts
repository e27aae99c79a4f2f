import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import * as audit from '#server/audit/audit.ts';
import type { Database } from '#server/platform/database.ts';
import { RefusedError, UsageError, asksForHelp, write } from './command.ts';
import { assertNamed, assertPlaceFor } from './named-file.ts';
import type { Outcome } from './verbs.ts';

/** Writes an organisation's audit as JSON lines, whole under its name or not at all: it holds who did what from which address. */
export async function writeExport(database: Database, orgId: number, file: string): Promise<Outcome> {
  assertPlaceFor(file);
  if (existsSync(file)) throw new RefusedError(`${file} is there already. Nothing was written.`);
  const draft = `${file}.${process.pid}.part`;
  const counts = { lines: 0, roots: 0 };
  const texts = async function* () {
    for await (const record of audit.exported(database, orgId)) {
      if (record.record === 'line') counts.lines += 1;
      if (record.record === 'root') counts.roots += 1;
      yield `${JSON.stringify(record)}\n`;
    }
  };
  try {
    await pipeline(texts(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return {
    lines: [
      `${file}: ${counts.lines} lines, ${counts.roots} roots. Anywhere, without a database: kist audit verify ${file}`,
    ],
    data: { file, org_id: orgId, ...counts },
  };
}

/** The file that `audit verify` shall look at; undefined where it is asked of the database. */
export function fileOf(args: readonly string[]): string | undefined {
  const [verb, first] = args;
  const isFile =
    verb === 'verify' && !asksForHelp(args) && first !== undefined && !first.startsWith('-') && !/^\d+$/.test(first);
  return isFile ? first : undefined;
}

const OPTIONS = { kept: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

/** Looks at a file of `audit export` alone. @returns whether everything fits. @throws UsageError for what is no such file */
export async function verifyFile(
  args: readonly string[],
  keptRoots: (file: string) => ReadonlyMap<string, string>,
): Promise<boolean> {
  const { values, positionals } = parseArgs({ args: args.slice(1), options: OPTIONS, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('kist audit verify FILE [--kept ROOTS] [--json]');
  assertNamed(file, { most: Infinity, isPipe: true });
  const found = await read(file, values.kept === undefined ? undefined : keptRoots(values.kept));
  const { org_id, lines, histories, roots, faults } = found;
  if (values.json) write(JSON.stringify(found, null, 2));
  else
    write(
      [
        `Organisation ${org_id ?? '?'}: ${lines} lines of ${histories} histories, ${roots} roots.`,
        ...faults,
        faults.length === 0 ? 'Every root and every history fits.' : 'The audit does NOT fit.',
      ].join('\n'),
    );
  return faults.length === 0;
}

async function read(file: string, kept: ReadonlyMap<string, string> | undefined) {
  try {
    return await audit.verifyExported(createInterface({ input: createReadStream(file), crlfDelay: Infinity }), kept);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : (error as NodeJS.ErrnoException).code;
    throw new UsageError(`${file} is no file of "audit export" (${why}).`);
  }
}
