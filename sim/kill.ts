import { generateKeyPairSync, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Connection, appHeaders, connect, dataOf } from '#bench/lib/client.ts';
import { asOwner } from '#bench/lib/database.ts';
import { type Fleet, plant, tokenOf } from '#bench/lib/plant.ts';
import { seeded } from '#bench/lib/random.ts';
import { type RunningServer, type ServerOptions, freePort, startServer } from '#bench/lib/server.ts';
import { ensureBuilt } from '#scripts/lib/build.mjs';
import { bootsWithoutPromise, countLosses } from './kill/control.ts';
import { openGateway } from './kill/gateway.ts';
import { killAround } from './kill/killer.ts';
import { planOrders } from './kill/orders.ts';
import { type Tally, checkPromises } from './kill/promises.ts';
import { type Acknowledged, type Shops, askAgain, openShops } from './kill/shops.ts';

/**
 * node sim/kill.ts [seed] [--share]: shops take 2,000 payments and lock every phone on the real server while it and its PostgreSQL are killed again and
 * again; each shop asks under the same key until it has an answer. Then every answer is held against the database. `--share` is the part that `npm test`
 * runs: as many kills for each order, of fewer phones. Closes with `held N, broken N`.
 */
const WHOLE = { kills: 60, phones: 281 };
const SHARE = { kills: 24, phones: 112 };
const HANDS = 12;
const ASKED_AGAIN = 200;
const SHOWN = 20;
const SHOWN_LENGTH = 400;

const { values, positionals } = parseArgs({
  options: { share: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = values.share ? SHARE : WHOLE;
const seed = Number(positionals[0] ?? process.env['KIST_SEED'] ?? randomInt(2 ** 31));
const random = seeded(seed);
const startedAt = performance.now();
const say = (text: string) =>
  process.stdout.write(`[${((performance.now() - startedAt) / 1000).toFixed(0).padStart(3)} s] ${text}\n`);
say(`kill test, seed ${seed} (again: node sim/kill.ts ${seed}${values.share ? ' --share' : ''})`);

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const fleet: Fleet = {
  orgId: 50,
  phones: size.phones,
  retailers: 8,
  level: 2,
  hasBooks: true,
  spki: publicKey.export({ type: 'spki', format: 'der' }),
};
await ensureBuilt(['server']);
const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-kill-'));
const tally: Tally = { held: 0, broken: [] };
const gateway = await openGateway();
const options: ServerOptions = {
  dataDir,
  port: await freePort(),
  mode: 'production',
  env: { KIST_LOG_LEVEL: 'error', KIST_SMS_URL: gateway.url, KIST_SMS_SECRET: 'a gateway of this test' },
};
let server: RunningServer | undefined;
try {
  server = await startServer(options);
  await asOwner(dataDir, (client) => plant(client, fleet));
  const connection = connect(options.port);
  const plans = planOrders(fleet, random);
  const count = plans.flat().length;
  const payments = plans.flat().filter(({ kind }) => kind === 'payment').length;
  say(`${payments} payments and ${count - payments} locks on ${fleet.phones} phones, ${size.kills} kills to come`);

  const shops = openShops(plans, connection, HANDS);
  const progress = () => (shops.acknowledged.length + shops.surprises.length) / count;
  const done = await killAround(server, { kills: size.kills, random, server: options, progress });
  server = done.server;
  await shops.done;
  const { kills } = done;
  say(
    `${kills.server} kills of the server, ${kills.postgres} of PostgreSQL, ${kills.both} of both; ${count} orders took ${shops.tries} tries`,
  );

  await judge(shops, connection);
  connection.close();
  tallyOf(await bootsWithoutPromise(options, server), 1);
  say('synchronous_commit off: the server refuses to start');
} finally {
  await server?.stop();
  gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
await proveTeeth();

for (const broken of tally.broken.slice(0, SHOWN)) say(`BROKEN ${broken.slice(0, SHOWN_LENGTH)}`);
say(`done in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.stdout.write(`held ${tally.held}, broken ${tally.broken.length}\n`);
process.exitCode = tally.broken.length === 0 ? 0 : 1;

function tallyOf(broken: readonly string[], checks: number): void {
  tally.broken.push(...broken);
  tally.held += Math.max(0, checks - broken.length);
}

async function judge(shops: Shops, connection: Connection): Promise<void> {
  tallyOf(shops.surprises, 1);
  const sample = pick(shops.acknowledged, ASKED_AGAIN);
  tallyOf(await askAgain(sample, connection), sample.length);
  await asOwner(dataDir, (client) => checkPromises(client, fleet.orgId, shops.acknowledged, tally));
  const url = '/api/stats/trial-balance';
  const books = dataOf<{ is_balanced: boolean; differences: string[] }>(
    await connection.send({ method: 'GET', path: url, headers: appHeaders(url, tokenOf(fleet.orgId, 1)) }),
  );
  tallyOf(books.is_balanced ? [] : books.differences, 1);
  const unlocks = shops.acknowledged.filter(({ answer }) => answer['unlock']).length;
  const refused = shops.acknowledged.filter(({ status }) => status !== 200).length;
  say(
    `${shops.acknowledged.length} acknowledged (${unlocks} freed a phone, ${refused} refused); ${sample.length} asked again, ${gateway.taken.size} messages sent; the books balance: ${books.is_balanced}`,
  );
}

/** The counting must be able to fail: the same kill with commits that are not waited for loses rows, with waited-for ones it does not. */
async function proveTeeth(): Promise<void> {
  const off = await countLosses('off');
  say(`control, synchronous_commit off: ${off.lost} of ${off.acknowledged} acknowledged rows lost`);
  tallyOf(off.lost > 0 ? [] : ['the control lost nothing: this test proves nothing'], 1);
  const on = await countLosses('on');
  say(`control, synchronous_commit on: ${on.lost} of ${on.acknowledged} acknowledged rows lost`);
  tallyOf(on.lost === 0 ? [] : [`PostgreSQL lost ${on.lost} acknowledged rows`], 1);
}

function pick(acknowledged: readonly Acknowledged[], count: number): Acknowledged[] {
  const rest = [...acknowledged];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0]!,
  );
}
