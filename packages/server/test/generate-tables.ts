import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTemplateServer } from './template.ts';

/**
 * Writes src/platform/tables.gen.ts, the types of every table for kysely, from the migrated template:
 * `node packages/server/test/generate-tables.ts`. With `--verify` it leaves the file as it is and fails when it is old.
 */
const file = path.join(import.meta.dirname, '../src/platform/tables.gen.ts');
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';

function run(program: string, args: string[]): void {
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}

const { connection, template, stop } = await startTemplateServer();
try {
  const { host = '', port = 5432, user = '', password } = connection;
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  const url = `postgresql://${user}${secret}@${encodeURIComponent(host)}:${port}/${template}`;
  run('kysely-codegen', [
    '--dialect=postgres',
    `--url=${url}`,
    '--camel-case',
    '--date-parser=string',
    '--type-mapping={"int8":"number","interval":"string"}',
    '--exclude-pattern=schema_migrations',
    `--out-file=${file}`,
  ]);
  run('oxfmt', [file]);
} finally {
  await stop();
}
if (process.argv.includes('--verify') && readFileSync(file, 'utf8') !== before) {
  writeFileSync(file, before);
  throw new Error(
    'src/platform/tables.gen.ts is older than the migrations: run node packages/server/test/generate-tables.ts',
  );
}
