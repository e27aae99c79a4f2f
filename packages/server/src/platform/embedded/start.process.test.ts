import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedProgram, query } from '#test/embedded-program.ts';
import type { RunAs } from '#test/embedded-program.ts';
import { isRunning } from './process-identity.ts';

const program = new EmbeddedProgram();
beforeAll(() => program.prepare());
afterAll(() => program.cleanUp());

const isRoot = process.getuid?.() === 0;
/** As root, also as an account that owns nothing here: the two ways the launcher works. */
const accounts: { who: string; runAs: RunAs | undefined }[] = [
  { who: isRoot ? 'root' : 'an ordinary user', runAs: undefined },
  ...(isRoot ? [{ who: 'an ordinary user', runAs: { uid: 65_534, gid: 65_534 } }] : []),
];

let number = 0;
/** A data folder the account may make, its parent closed to everybody else. */
function newDataDir(runAs?: RunAs): string {
  const parent = path.join(program.folder, `home-${++number}`);
  mkdirSync(parent, { mode: 0o700 });
  if (runAs) chownSync(parent, runAs.uid, runAs.gid);
  return path.join(parent, 'data', 'postgres');
}
/** A data folder with a cluster in it, stopped: a copy of one made by the first such call, which spares an initdb. */
async function usedDataDir(runAs?: RunAs): Promise<string> {
  const dataDir = newDataDir(runAs);
  const key = runAs?.uid ?? 0;
  const model = models.get(key) ?? newDataDir(runAs);
  if (!models.has(key)) await (await program.launch({ dataDir: model, runAs })).stop();
  models.set(key, model);
  program.copyOwned(model, dataDir);
  return dataDir;
}
const models = new Map<number, string>();
const uidOf = (pid: number) => statSync(`/proc/${pid}`).uid;
const gone = (pid: number) => expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);

describe.each(accounts)('as $who', ({ runAs }) => {
  test('starts on a fresh folder below a closed one, on a private socket only, never as root; stops without a trace', async () => {
    const dataDir = newDataDir(runAs);
    const first = await program.launch({ dataDir, runAs });
    expect(first).toMatchObject({ adopted: false });
    expect(uidOf(first.pid)).not.toBe(0);
    expect(await query(first.host, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(statSync(path.join(first.host, '.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(dataDir, 'cluster')).mode & 0o777).toBe(0o700);
    expect(await query(first.host, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await query(first.host, 'create table kept as select 1 as n');
    await first.stop();
    expect(isRunning(first.pid)).toBe(false);
    expect(existsSync(path.join(dataDir, 'cluster/postmaster.pid'))).toBe(false);
    expect(readdirSync(path.join(dataDir, 'users'))).toEqual([]);
    const log = path.join(dataDir, 'server.log');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    chmodSync(log, 0o644);
    const second = await program.launch({ dataDir, runAs });
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(await query(second.host, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
  });

  test('after kill -9 of node, the next start adopts the server with every acknowledged row, and its stop stops it', async () => {
    const dataDir = await usedDataDir(runAs);
    const killed = await program.launch({ dataDir, runAs });
    await query(killed.host, 'create table kept as select generate_series(1, 100) as n');
    await killed.kill();
    expect(isRunning(killed.pid)).toBe(true);
    const next = await program.launch({ dataDir, runAs });
    expect(next).toMatchObject({ adopted: true, pid: killed.pid });
    expect(await query(next.host, 'select count(*)::int as n from kept')).toEqual([{ n: 100 }]);
    await next.stop();
    expect(isRunning(killed.pid)).toBe(false);
  });

  test('after kill -9 of postgres, it is up again by itself with every acknowledged row', async () => {
    const dataDir = await usedDataDir(runAs);
    const server = await program.launch({ dataDir, runAs });
    await query(server.host, 'create table kept (n int)');
    for (let round = 1; round <= 3; round += 1) {
      await query(server.host, `insert into kept values (${round})`);
      const pid = Number.parseInt(readFileSync(path.join(dataDir, 'cluster/postmaster.pid'), 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
      await gone(pid);
      const count = async () =>
        (await query<{ n: number }>(server.host, 'select count(*)::int as n from kept').catch(() => []))[0]?.n;
      await expect.poll(count, { timeout: 15_000, interval: 100 }).toBe(round);
    }
    await server.stop();
    expect(existsSync(path.join(dataDir, 'cluster/postmaster.pid'))).toBe(false);
  });

  test('after kill -9 of both, with a stale postmaster.pid, the next start recovers', async () => {
    const dataDir = await usedDataDir(runAs);
    const killed = await program.launch({ dataDir, runAs });
    await query(killed.host, 'create table kept as select 1 as n');
    await killed.kill();
    process.kill(killed.pid, 'SIGKILL');
    await gone(killed.pid);
    expect(existsSync(path.join(dataDir, 'cluster/postmaster.pid'))).toBe(true);
    const next = await program.launch({ dataDir, runAs });
    expect(next.adopted).toBe(false);
    expect(await query(next.host, 'select n from kept')).toEqual([{ n: 1 }]);
    await next.stop();
  });

  test('three starts racing on a fresh folder share one server; the last to leave stops it', async () => {
    const dataDir = newDataDir(runAs);
    const racers = await Promise.all([1, 2, 3].map(() => program.launch({ dataDir, runAs })));
    expect(racers.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect(new Set(racers.map(({ pid }) => pid)).size).toBe(1);
    const starter = racers.find(({ adopted }) => !adopted)!;
    const [second, third] = racers.filter((racer) => racer !== starter);
    await starter.stop();
    await second!.kill();
    expect(await query(third!.host, 'select 1 as n')).toEqual([{ n: 1 }]);
    await third!.stop();
    expect(isRunning(starter.pid)).toBe(false);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('initialising'))).toEqual([]);
  });

  test('killed in the middle of initdb, the next start begins anew and clears the remainder', async () => {
    const dataDir = newDataDir(runAs);
    const half = program.launch({ dataDir, runAs });
    const remainder = () =>
      existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('initialising-')) : [];
    const hasFiles = () => remainder().some((name) => readdirSync(path.join(dataDir, name)).length > 5);
    await expect.poll(hasFiles, { timeout: 10_000, interval: 5 }).toBe(true);
    program.killNewest();
    expect((await half).reason).toBe('ended without a word');
    expect(existsSync(path.join(dataDir, 'cluster'))).toBe(false);
    const next = await program.launch({ dataDir, runAs });
    expect(await query(next.host, 'select 1 as n')).toEqual([{ n: 1 }]);
    await next.stop();
    const last = await program.launch({ dataDir, runAs });
    expect(remainder()).toEqual([]);
    await last.stop();
  });

  test('a path too long for a socket gets a private temporary one, made again when the system cleared it away', async () => {
    const dataDir = path.join(newDataDir(runAs), 'a-long-name-'.repeat(10));
    const first = await program.launch({ dataDir, runAs });
    expect(first.host.length).toBeLessThan(93);
    expect(readFileSync(path.join(dataDir, 'socket-folder'), 'utf8')).toBe(first.host);
    expect(statSync(first.host)).toMatchObject({ uid: uidOf(first.pid) });
    expect(statSync(first.host).mode & 0o777).toBe(0o700);
    await query(first.host, 'create table kept as select 1 as n');
    await first.stop();
    const again = await program.launch({ dataDir, runAs });
    expect(again.host).toBe(first.host);
    await again.stop();
    rmSync(first.host, { recursive: true });
    const log = path.join(dataDir, 'server.log');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    chmodSync(log, 0o644);
    const second = await program.launch({ dataDir, runAs });
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(await query(second.host, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
    rmSync(second.host, { recursive: true });
  });

  test('a postmaster.pid whose number now belongs to another program holds nothing up', async () => {
    const dataDir = await usedDataDir(runAs);
    const pidFile = path.join(dataDir, 'cluster/postmaster.pid');
    const sleeper = await program.launch({ dataDir: await usedDataDir(runAs), runAs });
    writeFileSync(
      pidFile,
      `${sleeper.child.pid}\n${path.dirname(pidFile)}\n1\n5432\n${path.dirname(pidFile)}\n\n  1 1\nready\n`,
    );
    const next = await program.launch({ dataDir, runAs });
    expect(next).toMatchObject({ adopted: false });
    await next.stop();
    await sleeper.stop();
  });

  test('data of another major version is refused, and left as it is', async () => {
    const dataDir = await usedDataDir(runAs);
    const versionFile = path.join(dataDir, 'cluster/PG_VERSION');
    writeFileSync(versionFile, '15\n');
    expect((await program.launch({ dataDir, runAs })).reason).toBe('VERSION_MISMATCH');
    writeFileSync(versionFile, '18\n');
    const next = await program.launch({ dataDir, runAs });
    expect(next.reason).toBeUndefined();
    await next.stop();
  });
});

describe('the binaries', () => {
  test.runIf(isRoot)(
    'as root are copied once into one versioned folder; nothing else outside the data folder is written',
    async () => {
      const before = readdirSync(program.native, { recursive: true }).length;
      const outside = ['home', 'tmp', 'cwd'].map((name) => path.join(program.folder, `outside-${name}`));
      for (const folder of outside) mkdirSync(folder, { mode: 0o777 });
      const [home = '', tmp = '', cwd = ''] = outside;
      const dataDir = newDataDir();
      const server = await program.launch({ dataDir, cwd, environment: { HOME: home, TMPDIR: tmp } });
      await query(server.host, 'create extension pg_trgm; create table big as select generate_series(1, 200000) as n');
      await query(server.host, 'set work_mem = 64; select n from big order by -n');
      expect(readdirSync(path.join(program.folder, 'binaries'))).toEqual(['postgresql-18-test']);
      expect(server.binDir).toBe(path.join(program.folder, 'binaries/postgresql-18-test/bin'));
      await server.stop();
      for (const folder of outside) expect(readdirSync(folder)).toEqual([]);
      expect(readdirSync(program.native, { recursive: true })).toHaveLength(before);
      expect(program.linksPresent()).toBe(0);
      expect(readdirSync(path.dirname(dataDir))).toEqual(['postgres']);
    },
  );

  test.runIf(isRoot)('of a copy killed halfway are copied again', async () => {
    const binariesRoot = path.join(program.folder, 'binaries-killed');
    mkdirSync(path.join(binariesRoot, 'postgresql-18-test.999999.part/bin'), { recursive: true });
    const server = await program.launch({ dataDir: await usedDataDir(), binariesRoot });
    expect(server.reason).toBeUndefined();
    expect(readdirSync(binariesRoot)).toEqual(['postgresql-18-test']);
    await server.stop();
  });

  const ordinary = accounts.at(-1)?.runAs;
  test('installed with --ignore-scripts by an ordinary user get their library links in place', async () => {
    const native = path.join(program.folder, 'own', 'native');
    program.copyNative(native, ordinary);
    expect(program.linksPresent(native)).toBe(0);
    const server = await program.launch({
      dataDir: await usedDataDir(ordinary),
      runAs: ordinary,
      binarySources: { packaged: { native, version: '18-test' } },
    });
    expect(server.binDir).toBe(path.join(native, 'bin'));
    expect(program.linksPresent(native)).toBe(program.links().length);
    await server.stop();
  });

  test.runIf(isRoot)('in a package that an ordinary user cannot write are copied into the data folder', async () => {
    const dataDir = await usedDataDir(ordinary);
    const server = await program.launch({ dataDir, runAs: ordinary });
    expect(server.binDir).toBe(path.join(dataDir, 'postgresql-18-test/bin'));
    await server.stop();
  });

  test('absent ask for DATABASE_URL', async () => {
    const launched = await program.launch({ dataDir: newDataDir(), binarySources: {}, environment: { PATH: '' } });
    expect(launched.reason).toBe('NO_BINARIES');
  });

  test.runIf(isRoot)('data that belongs to another account is refused to an ordinary user', async () => {
    const dataDir = path.join(program.folder, `open-${++number}`, 'postgres');
    mkdirSync(path.dirname(dataDir), { mode: 0o755 });
    await (await program.launch({ dataDir, runAs: undefined })).stop();
    expect((await program.launch({ dataDir, runAs: { uid: 65_533, gid: 65_533 } })).reason).toBe('NOT_OWNER');
  });
});
