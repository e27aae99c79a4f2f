import { runDay } from '@kist/server/measured';
import { type Act, type Acts, type Known, actsIn, reference } from './acts.ts';
import { type Told, allAtOnce, carryOut } from './hands.ts';
import { type House, passDays } from './house.ts';
import { type Tally, judge } from './judge.ts';
import { knownOf } from './known.ts';
import type { Luck } from './random.ts';
import { type Sold, type Waiting, type World, grant, letWait, nextImei } from './world.ts';

/** So many at once. */
export const WAYS = 50;
const CUT_SHARE = 0.05;
const CUT_WITHIN_MS = 25;
const STRANGER_SHARE = 0.06;

/** What a race is run with. `beside`: what the product does by itself, and people past the app, at the same moment. */
interface Course {
  house: House;
  world: World;
  acts: Acts;
  sold: Sold;
  other: Sold;
  luck: Luck;
  charges: Known['charges'];
  waivers: string[];
  /** Phones with a code that is good. */
  waiting: Waiting[];
  beside: (() => Promise<unknown>)[];
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const twice = (act: Act): Act[] => [act, { ...act }];

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const day = ({ house, world }: Pick<Course, 'house' | 'world'>) =>
  runDay({ ...house.services, log: quiet }, world.orgId);

/** The day, three times at once, besides whatever the server's own timers do. */
const days = (course: Course) => times(3, () => () => day(course));

/** What a course sends first, one after the other, and then at once. */
interface Sent {
  before?: Act[];
  acts: Act[];
}
const isDone = ({ act, outcome }: Told, kind: Act['effect']['kind']): boolean =>
  outcome === 'done' && act.effect.kind === kind;
const idOf = ({ effect }: Act): string => ('paymentId' in effect ? effect.paymentId : '');

/** Each is of everything that can meet on one thing. */
const COURSES: Record<string, (course: Course) => Sent> = {
  'one payment, told fifty times': ({ acts, sold, luck }) => {
    const first = acts.pay(sold, { paise: sold.emiPaise, back: 0 });
    return { acts: times(WAYS, (n) => (n % 3 === 0 ? { ...first } : { ...first, key: luck.key() })) };
  },
  'one reference on many payments': ({ acts, sold, other, luck }) => {
    const said = reference(luck);
    const spelled = (n: number) => (n % 5 ? said : ` ${said.slice(0, 6)} ${said.slice(6)}`);
    return { acts: times(WAYS, (n) => acts.pay(n % 2 ? sold : other, { reference: spelled(n), paise: 100_00 + n })) };
  },
  'payments and what takes them back': ({ acts, sold, luck }) => {
    const before = times(14, () => acts.pay(sold, { paise: luck.between(1, sold.emiPaise / 4) }));
    const made = times(18, () => acts.pay(sold, { paise: luck.between(1, sold.emiPaise / 4) }));
    const taken = [...before, ...made.slice(0, 4)].flatMap((act) => twice(acts.reverse(idOf(act))));
    return { before, acts: [...made, ...taken] };
  },
  'claims, yes and no': ({ acts, sold, luck }) => {
    const claims = times(10, (n) => {
      const given = { reference: reference(luck), paise: 200_00 + n };
      return { given, claim: acts.claim(sold, given) };
    });
    const answered = claims.flatMap(({ given, claim }) => {
      const id = idOf(claim);
      return [acts.answer(id, true), acts.answer(id, false), acts.pay(sold, given), acts.reverse(id)];
    });
    const late = claims.slice(6).map(({ claim }) => claim);
    return { before: claims.slice(0, 6).map(({ claim }) => claim), acts: [...late, ...answered] };
  },
  'penal charges, waivers, the day, and money of an earlier day': (course) => {
    const { acts, sold, charges, waivers, luck } = course;
    course.beside.push(...days(course));
    const own = charges.filter(({ agreementId }) => agreementId === sold.agreementId);
    return {
      before: charges.slice(-4).map((charge, n) => acts.waive(charge, n % 2 ? 1_00 : undefined)),
      acts: [
        ...times(8, () => acts.charge(sold)),
        ...own
          .slice(0, 5)
          .flatMap((charge) => [acts.waive(charge, 10_00), acts.waive(charge, 10_00), acts.waive(charge)]),
        ...waivers.slice(0, 4).flatMap((id) => [acts.decide(id, true), acts.decide(id, false)]),
        ...own.slice(0, 4).map(({ id }) => acts.pay(sold, { chargeId: id, paise: luck.between(1, 60_00), back: 0 })),
        ...times(8, () => acts.pay(sold, { paise: luck.between(1, sold.emiPaise), back: luck.pick([0, 5, 15, 30]) })),
        ...times(6, () => acts.order(sold)),
      ],
    };
  },
  'the last keys': (course) => {
    const { acts, world, house, luck, waiting } = course;
    const grants = times(
      4,
      () => () => grant(house, world, world.retailer, luck.pick(['paid', 'granted']), 3, 'in the race'),
    );
    course.beside.push(...days(course), ...grants);
    const one = nextImei();
    const phones = waiting.flatMap((phone, n) => [
      ...twice(acts.enrol(phone)),
      acts.remove(phone.customerId),
      ...(n % 2 ? [acts.code(phone.customerId)] : []),
    ]);
    return { acts: [...times(36, (n) => acts.sell(n % 6 === 0 ? one : undefined)), ...phones] };
  },
  'everything with everything': (course) => {
    const { acts, sold, other } = course;
    course.beside.push(...days(course));
    const before = times(12, (n) => (n % 3 ? acts.pay(sold) : acts.claim(sold)));
    return { before, acts: [...twice(acts.cancel(other)), ...times(WAYS, (n) => acts.any(n % 5 ? sold : other))] };
  },
  'new terms, another phone and another shop, while money comes and goes': ({ acts, sold, other, world, luck }) => {
    const { retailer, mini } = world;
    const before = times(8, () => acts.pay(sold, { paise: luck.between(1, sold.emiPaise / 4) }));
    const part = (of: Sold) => acts.pay(of, { paise: luck.between(1, of.emiPaise / 4) });
    const one = nextImei();
    return {
      before: [...before, acts.transfer(other, retailer, mini), acts.transfer(other, mini, retailer)],
      acts: [
        ...times(8, (n) => acts.revise(n % 4 ? sold : other)),
        ...times(6, (n) => acts.exchange(n % 3 ? sold : other, n % 3 ? undefined : one)),
        ...times(8, (n) => (n % 2 ? acts.transfer(sold, retailer, mini) : acts.transfer(sold, mini, retailer))),
        ...times(4, (n) => (n % 2 ? acts.transfer(other, retailer, mini) : acts.transfer(other, mini, retailer))),
        ...times(12, (n) => part(n % 3 ? sold : other)),
        ...before.flatMap((act) => twice(acts.reverse(idOf(act)))),
        ...times(4, () => acts.charge(sold)),
      ],
    };
  },
  'more payments than is owed': ({ acts, sold }) => ({
    acts: times(WAYS, (n) => acts.pay(sold, { paise: sold.emiPaise, back: n % 4, accepts: n % 3 === 0 })),
  }),
  // The one is cancelled while money comes in, the other was before.
  'money of an agreement that is over': ({ acts, sold, other, luck }) => {
    const before = times(12, () => acts.pay(other, { paise: luck.between(1, other.emiPaise) }));
    const made = times(16, () => acts.pay(sold, { paise: luck.between(1, sold.emiPaise / 4) }));
    const ids = before.map(idOf);
    const back = [
      ...ids.slice(0, 9).flatMap((id) => twice(acts.refund(id))),
      ...ids.slice(5).flatMap((id) => twice(acts.reverse(id))),
    ];
    const cancelled = [acts.cancel(sold), ...twice(acts.cancel(sold))];
    return { before: [acts.cancel(other), ...before], acts: [...cancelled, ...made, ...back] };
  },
};
export const COURSE_NAMES = Object.keys(COURSES);

/** Some are cut off by the network, and some come from another shop. */
function trouble(acts: readonly Act[], stranger: World, luck: Luck): Act[] {
  return acts.slice(0, WAYS + 10).map((act) => {
    const chance = luck.next();
    if (chance < CUT_SHARE && !act.enrolling) return { ...act, cutAfterMs: luck.next() * CUT_WITHIN_MS };
    const isTheirs =
      chance < CUT_SHARE + STRANGER_SHARE &&
      act.method === 'POST' &&
      !act.enrolling &&
      !['sell', 'claim'].includes(act.effect.kind);
    return isTheirs ? { ...act, by: stranger.retailer, isStranger: true as const, key: luck.key() } : act;
  });
}

/** Runs one course on one world and judges what came of it. @returns all that was told in this world so far */
export async function race(
  house: House,
  {
    name,
    world,
    stranger,
    luck,
    tally,
    past,
  }: { name: string; world: World; stranger: World; luck: Luck; tally: Tally; past: Told[] },
): Promise<Told[]> {
  // One day is over, with charges to pay and to waive; the next ones are for the runs of the race.
  await day({ house, world });
  await passDays(house, luck.between(1, 6));
  const known = await knownOf(house, world);
  const [sold, other] = luck.shuffled(world.sold) as [Sold, Sold];
  const waiting = name === 'the last keys' ? await letWait(house, world, luck) : [];
  const course: Course = {
    house,
    world,
    acts: actsIn(world, known, luck),
    sold,
    other,
    luck,
    waiting,
    beside: [],
    ...known,
  };
  const { before = [], acts } = COURSES[name]!(course);
  const told = [...past];
  for (const act of before) told.push(await carryOut(house, act));
  const sent = trouble(luck.shuffled(acts), stranger, luck);
  const [raced, ...beside] = await Promise.all([
    allAtOnce(house, sent),
    ...course.beside.map((work) => work().catch((error: unknown) => error)),
  ]);
  for (const failed of beside)
    if (failed instanceof Error) tally.broken.add(`${name}: beside the race: ${failed.message}`);
  told.push(...raced);
  for (const kind of ['revise', 'exchange', 'transfer'] as const)
    if (sent.some(({ effect }) => effect.kind === kind) && !told.some((one) => isDone(one, kind)))
      tally.broken.add(`${name}: no ${kind} was ever done`);
  await house.owner((client) => judge(client, world, told, name, tally));
  return told;
}
