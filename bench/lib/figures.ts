import { seeded } from './random.ts';

/** One figure of the table: a ratio from one interleaved run, or a plain measure against its limit. */
export interface Figure {
  name: string;
  /** What was divided by what, in words. */
  of: string;
  value: number;
  unit: string;
  /** `atLeast` or `atMost` this; neither: shown only. */
  atLeast?: number;
  atMost?: number;
  /** How far apart the ends of the rounds' ratios lie (`spreadOf`), or the ends of what a ratio of tails may be (`ratioOfTails`), ÷ the value. */
  spread?: number;
  rounds?: number;
  /** The sides of a ratio, or whatever the number alone does not say. */
  detail: string;
}

export interface Bench {
  name: string;
  /** Why it cannot be measured here; undefined when it can. */
  unavailable?(): Promise<string | undefined>;
  run(): Promise<Figure[]>;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
}

export const isMet = ({ value, atLeast, atMost }: Figure): boolean =>
  Number.isFinite(value) && (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);

/**
 * Measures both sides in turn, so that whatever else the machine does falls on both, and divides round by round.
 * @returns the median of the rounds' ratios with their spread, and the medians of both sides
 */
export async function ratioOf(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<{ value: number; spread: number; rounds: number; ours: number; theirs: number }> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const mine = await ours(round);
      pairs.push([mine, await theirs(round)]);
    } else {
      const other = await theirs(round);
      pairs.push([await ours(round), other]);
    }
  }
  const ratios = pairs.map(([mine, other]) => mine / other);
  const value = median(ratios);
  return {
    value,
    spread: spreadOf(ratios) / value,
    rounds,
    ours: median(pairs.map(([mine]) => mine)),
    theirs: median(pairs.map(([, other]) => other)),
  };
}

/**
 * Of few rounds the whole range; of nine and more, the two rounds between which the true median lies with 95 % (ranks of the binomial): one round beside which
 * the machine did something else would otherwise say more with every further round, not less.
 */
export function spreadOf(ratios: readonly number[]): number {
  const sorted = ratios.toSorted((a, b) => a - b);
  const out = sorted.length < 9 ? 0 : ranksLeftOut(sorted.length);
  return sorted[sorted.length - 1 - out]! - sorted[out]!;
}

/** @returns how many of so many rounds on each side have, all together, no more than 2.5 % to hold the median beyond them */
function ranksLeftOut(count: number): number {
  let ways = 1;
  let beyond = 1;
  let out = 0;
  for (; beyond + (ways * (count - out)) / (out + 1) <= 0.025 * 2 ** count; out += 1) {
    ways *= (count - out) / (out + 1);
    beyond += ways;
  }
  return out;
}

const DRAWS = 1000;
/**
 * How the slow tails of two sides compare that were asked in turn. One slow answer more or less moves a tail, so its spread is told by drawing the rounds
 * again, with repetition: 95 of 100 draws lie between its ends (bootstrap).
 * @param share 0.95 for p95
 */
export function ratioOfTails(
  ours: readonly number[],
  theirs: readonly number[],
  share: number,
): { value: number; spread: number; rounds: number } {
  const tails = (rounds: readonly number[]): number => {
    const of = (times: readonly number[]) =>
      quantile(
        rounds.map((round) => times[round]!),
        share,
      );
    return of(ours) / of(theirs);
  };
  const rounds = ours.map((_, round) => round);
  const value = tails(rounds);
  const random = seeded(rounds.length);
  const drawn = Array.from({ length: DRAWS }, () => tails(rounds.map(() => Math.floor(random() * rounds.length))));
  return { value, spread: (quantile(drawn, 0.975) - quantile(drawn, 0.025)) / value, rounds: rounds.length };
}
