import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { postmasterPid } from '#bench/lib/database.ts';
import { startServer } from '#bench/lib/server.ts';
import { killPostgres } from '#sim/kill/killer.ts';
import { type Act, actsIn } from './acts.ts';
import { fleetActs } from './fleet.ts';
import { type Gate, close } from './gates.ts';
import { type Told, allAtOnce } from './hands.ts';
import { type House, passDays } from './house.ts';
import { type Tally, judge } from './judge.ts';
import { knownOf } from './known.ts';
import { POINTS, type Point } from './points.ts';
import type { Luck } from './random.ts';
import { type Sold, type World, letWait } from './world.ts';

/** What is killed: the server, the one PostgreSQL process that carries the transaction, all of PostgreSQL under a living server, or everything. */
export type Victim = 'server' | 'backend' | 'postgres' | 'both';
/** In this mixture. */
const VICTIMS: readonly Victim[] = [
  'server',
  'server',
  'server',
  'server',
  'server',
  'server',
  'backend',
  'postgres',
  'postgres',
  'both',
];
/** Sent besides those who are to reach the point. */
const MIXED = 60;
const REACHED_WITHIN_MS = 3000;
/** The daily run of all organisations comes to its turn. */
const DAY_WITHIN_MS = 12_000;
/** So long others go on while one waits at the point. */
const GOES_ON_MS = 25;
const AWAY_WITHIN_MS = 30_000;

/** Where a kill is to fall, and on what. */
export interface Aim {
  point: Point;
  victim: Victim;
}

/** What became of one kill. `isReached`: it fell at its point; else at whatever moment it was. */
export interface Killed {
  point: string;
  victim: Victim;
  isReached: boolean;
}

export interface Hunt {
  house: House;
  world: World;
  fleet: World;
  luck: Luck;
  tally: Tally;
  /** Of all worlds of the house. */
  past: Told[];
}

/** Lets the point be reached while other things go on, kills there, starts again what was killed, and judges when every outbox has its answer. */
export async function killAt({ point, victim: meant }: Aim, hunt: Hunt): Promise<{ killed: Killed; told: Told[] }> {
  const { house, world, fleet, luck, tally, past } = hunt;
  const { reaching, mixed } = await sceneOf(point, hunt);
  if (point.by === 'day') await readyTheDay(house);
  const gate = await close(house, point.stop);
  if (point.by === 'day') house.server = await startServer(house.options);
  const telling = allAtOnce(house, point.by === 'day' ? [] : [...reaching, ...mixed]);
  const pid = await gate.waits(point.by === 'day' ? DAY_WITHIN_MS : REACHED_WITHIN_MS);
  const besides = allAtOnce(house, point.by === 'day' ? mixed : []);
  if (point.stop !== 'committed') await sleep(luck.next() * GOES_ON_MS);
  // Nobody in particular waits there: no one process to kill.
  const victim = meant === 'backend' && !pid ? 'server' : meant;
  await kill(house, victim, pid, gate);
  const told = [...past, ...(await telling), ...(await besides)];
  const when = `kill of ${victim} at “${point.name}”`;
  await whenThere(house, async (client) => {
    for (const one of [world, fleet]) await judge(client, one, told, when, tally);
  });
  return { killed: { point: point.name, victim, isReached: pid !== undefined }, told };
}

async function sceneOf({ by, needsPhones }: Point, { house, world, fleet, luck }: Hunt) {
  const known = await whenThere(house, () => knownOf(house, world));
  const acts = actsIn(world, known, luck);
  const [sold, other] = luck.shuffled(world.sold) as [Sold, Sold];
  const waiting = needsPhones ? await letWait(house, world, luck, 1) : [];
  const ofFleet = fleetActs(fleet, known, luck);
  const reaching = by === 'day' ? [] : by({ acts, world, known, luck, sold, other, waiting, ofFleet });
  const mixed: Act[] = Array.from({ length: MIXED }, () => acts.any(luck.pick(world.sold)));
  return { reaching, mixed: luck.shuffled([...mixed, ...ofFleet.filter((act) => !reaching.includes(act))]) };
}

/** The server is away over midnight, and its next start has a day to live. */
async function readyTheDay(house: House): Promise<void> {
  await house.server.kill();
  await passDays(house, 1);
  await house.owner((client) => client.query(`delete from timer_runs where name like 'daily-run%'`));
}

async function kill(house: House, victim: Victim, pid: number | undefined, gate: Gate): Promise<void> {
  if (victim === 'backend' && pid !== undefined) process.kill(pid, 'SIGKILL');
  if (victim === 'postgres' || victim === 'both') {
    const before = postmasterPid(house.dataDir);
    killPostgres(house.dataDir);
    await gone(before);
  }
  if (victim === 'server' || victim === 'both') await house.server.kill();
  await gate.open();
  if (victim === 'server' || victim === 'both') house.server = await startServer(house.options);
}

async function gone(pid: number | undefined): Promise<void> {
  for (let tries = 0; pid !== undefined && tries < 1000; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(2);
  }
}

/** As soon as PostgreSQL takes connections again. */
async function whenThere<T>(house: House, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await house.owner(work);
    } catch (error) {
      const isAway = /ECONNREFUSED|ENOENT|57P0|starting up|terminated|recovery/.test(
        `${String(error)} ${String((error as { code?: string }).code)}`,
      );
      if (!isAway || performance.now() - since > AWAY_WITHIN_MS) throw error;
      await sleep(50);
    }
  }
}

/** Points in an order of the seed, each as often as the others, and what is killed there. */
export function* aimsOf(luck: Luck): Generator<Aim> {
  for (;;) for (const point of luck.shuffled(POINTS)) yield { point, victim: luck.pick(VICTIMS) };
}
