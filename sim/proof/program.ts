import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { startServer } from '#bench/lib/server.ts';
import { pinnedNode } from '#scripts/lib/node.mjs';
import { inRoot } from '#scripts/lib/root.mjs';
import { type House, openHouse, passDays } from './house.ts';
import { actsIn } from './acts.ts';
import { knownOf } from './known.ts';
import { openFleet } from './fleet.ts';
import { type Happened, liveTogether } from './histories.ts';
import { prepareStops } from './gates.ts';
import { type Told, carryOut } from './hands.ts';
import type { Tally } from './judge.ts';
import { type Killed, killAt, aimsOf } from './kills.ts';
import { COURSE_NAMES, race } from './races.ts';
import { type Luck, luckOf } from './random.ts';
import { proveTeeth } from './teeth.ts';
import { SOLD_DAYS_AGO, type World, grant, openWorld, sell } from './world.ts';

/** So many kills fall on one world, and so many worlds live in one house, before both are new. */
const KILLS_OF_WORLD = 16;
const WORLDS_OF_HOUSE = 4;
const FIRST_WORLD = 61;
const FLEET = 90;

/** How often an answer was which, by what was asked. */
export type Answers = Record<'done' | 'refused' | 'unknown', number>;

export interface Run {
  seed: number;
  /** What is proved, as it stood when the run began. */
  commit: string;
  tally: Tally;
  races: Record<string, Answers>;
  kills: Killed[];
  killAnswers: Answers;
  planted: number;
  unlocked: number;
  /** Phones' lives, and what happened in them. */
  lives: number;
  /** On the gate alone. */
  pureLives: number;
  happened: Happened;
  say: (text: string) => void;
}

const none = (): Answers => ({ done: 0, refused: 0, unknown: 0 });
function count(into: Answers, told: readonly Told[]): void {
  for (const { outcome } of told) into[outcome] += 1;
}
/** Each part of a run draws its own luck: a part alone is what it was in the whole. */
const partOf = (seed: number, part: number): Luck => luckOf((seed + part * 7919) % 2 ** 31);

/** Every course once, in a house of its own. */
export async function raceRound(run: Run, round: number): Promise<void> {
  const luck = partOf(run.seed, round);
  await inHouse(async (house) => {
    const world = await openWorld(house, FIRST_WORLD, luck);
    const stranger = await openWorld(house, FIRST_WORLD + 1, luck);
    await passDays(house, SOLD_DAYS_AGO);
    let told: Told[] = [];
    for (const name of COURSE_NAMES) {
      const before = told.length;
      told = await race(house, { name, world, stranger, luck, tally: run.tally, past: told });
      const answers = (run.races[name] ??= none());
      count(answers, told.slice(before));
      run.say(`round ${round}, ${name}: ${told.length - before} told, broken ${run.tally.broken.size}`);
    }
    await earnInterest(house, world, luck);
    run.planted += await house.owner((client) => proveTeeth(client, world.orgId, run.tally));
  });
}

/** Luck may have taken back every payment that interest was paid of, or that is owed back: one of each stands, so that what is planted upon it can be. */
async function earnInterest(house: House, world: World, luck: Luck): Promise<void> {
  await grant(house, world, world.retailer, 'paid', 2, 'to earn interest');
  const terms = { method: 'REDUCING', rate_bps: 2400 };
  const [sold, over] = [
    await sell(house, world, luck, world.retailer, { terms }),
    await sell(house, world, luck, world.retailer, { terms }),
  ];
  const acts = actsIn(world, await knownOf(house, world), luck);
  for (const act of [
    ...[sold, over].map((one) => acts.pay(one, { paise: one.emiPaise, back: 0 })),
    acts.cancel(over),
  ]) {
    const { outcome } = await carryOut(house, act);
    if (outcome !== 'done') throw new Error(`what earns interest and is owed back: ${act.effect.kind} was not done`);
  }
}

const MODEL = path.join('packages', 'server', 'src', 'locking', 'rules', 'ladder-simulation.sweep.test.ts');

/** So many lives on the gate alone, without database and network: months in a millisecond. */
export function pureHistories(run: Run, lives: number): void {
  const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const { status, stdout } = spawnSync(pinnedNode(), [vitest, 'run', '--project', 'server-slow', MODEL], {
    cwd: inRoot(),
    env: { ...process.env, KIST_LIVES: String(lives), NO_COLOR: '1' },
    encoding: 'utf8',
  });
  run.pureLives = lives;
  if (status === 0) run.tally.held += lives;
  else run.tally.broken.add(`histories of the gate: ${stdout.slice(-2000)}`);
  run.say(`${lives} histories of the gate alone, broken ${run.tally.broken.size}`);
}

/** So many phones live through ten weeks in one house. */
export async function histories(run: Run, lives: number): Promise<void> {
  await inHouse(async (house) => {
    const { tally } = run;
    run.happened = await liveTogether(house, { orgId: FIRST_WORLD, lives, luck: partOf(run.seed, 2000), tally });
    run.lives = lives;
    run.say(`${lives} histories: ${JSON.stringify(run.happened)}, broken ${tally.broken.size}`);
  });
}

/** Kills until there are `kills`, in houses of their own. */
export async function killRounds(run: Run, kills: number): Promise<void> {
  const aims = aimsOf(partOf(run.seed, 1000));
  for (let house = 0; run.kills.length < kills; house += 1)
    await inHouse((open) => killHouse(run, open, { kills, aims, part: 1001 + house }));
}

async function killHouse(
  run: Run,
  house: House,
  { kills, aims, part }: { kills: number; aims: ReturnType<typeof aimsOf>; part: number },
): Promise<void> {
  const luck = partOf(run.seed, part);
  await prepareStops(house);
  const worldsLeft = Math.min(WORLDS_OF_HOUSE, Math.ceil((kills - run.kills.length) / KILLS_OF_WORLD));
  const worlds = [];
  for (let n = 0; n < worldsLeft; n += 1) worlds.push(await openWorld(house, FIRST_WORLD + n, luck));
  await passDays(house, SOLD_DAYS_AGO);
  const fleet = await openFleet(house, FLEET);
  let past: Told[] = [];
  for (const world of worlds)
    for (let n = 0; n < KILLS_OF_WORLD && run.kills.length < kills; n += 1) {
      const { killed, told } = await killAt(aims.next().value!, {
        house,
        world,
        fleet,
        luck,
        tally: run.tally,
        past,
      });
      count(run.killAnswers, told.slice(past.length));
      past = told;
      run.kills.push(killed);
      run.say(
        `kill ${run.kills.length}: ${killed.victim} at “${killed.point}”${killed.isReached ? '' : ', not reached'}, ${told.length} told, broken ${run.tally.broken.size}`,
      );
    }
  await unlockWithNothingElse(run, house);
}

/** The server is dead; the command line frees every phone all the same, and leaves nothing that holds one. */
async function unlockWithNothingElse(run: Run, house: House): Promise<void> {
  const held = () =>
    house.owner(async (client) => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from device_desired w where w.org_id = $1 and (w.lock_level > 0 or exists (select from jsonb_each(w.document -> 'toggles') s where s.value = 'true')
           or exists (select from locks k where k.org_id = w.org_id and k.device_id = w.device_id and k.level > 0 and k.cause <> 'theft'))`,
        [FLEET],
      );
      return rows[0]!.n;
    });
  const before = await held();
  await house.server.kill();
  const { status, stderr } = spawnSync(
    pinnedNode(),
    [inRoot('dist', 'kist.js'), 'unlock-fleet', String(FLEET), '--yes'],
    {
      env: { PATH: process.env['PATH'], KIST_DATA_DIR: house.dataDir, KIST_MODE: 'demo' },
      encoding: 'utf8',
    },
  );
  house.server = await startServer(house.options);
  const after = await held();
  run.unlocked += before - after;
  if (status === 0 && before > 0 && after === 0) run.tally.held += 1;
  else
    run.tally.broken.add(
      `I12: ${before} phones were held, ${after} are after unlock-fleet (${status}): ${stderr.slice(0, 300)}`,
    );
  run.say(`unlock-fleet with the server dead: ${before} phones held, ${after} after`);
}

async function inHouse(work: (house: House) => Promise<void>): Promise<void> {
  const house = await openHouse();
  try {
    await work(house);
  } finally {
    await house.close();
  }
}

export function newRun(seed: number, say: Run['say']): Run {
  const broken = new Set<string>();
  return { ...emptyRun(seed), tally: { held: 0, broken }, say: tellingBroken(say, broken) };
}

/** @returns `say`, which after each sentence tells what was found broken since the last: a run of an hour may be ended for it at once */
function tellingBroken(say: Run['say'], broken: ReadonlySet<string>): Run['say'] {
  let told = 0;
  return (text) => {
    say(text);
    for (const what of [...broken].slice(told)) say(`  BROKEN ${what}`);
    told = broken.size;
  };
}

const emptyRun = (seed: number): Omit<Run, 'tally' | 'say'> => ({
  seed,
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: inRoot(), encoding: 'utf8' }).trim(),
  races: {},
  kills: [],
  killAnswers: none(),
  planted: 0,
  unlocked: 0,
  lives: 0,
  pureLives: 0,
  happened: {},
});
