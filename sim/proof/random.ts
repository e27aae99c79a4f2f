import { seeded } from '#bench/lib/random.ts';

/** Every choice of a run comes from its seed. */
export interface Luck {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(of: readonly T[]): T;
  shuffled<T>(of: readonly T[]): T[];
  /** A UUID of version 7 of a moment of this run; they do not rise, as phones' clocks do not agree. */
  id(): string;
  key(): string;
}

/** The moment that a run's ids begin with, and how far they lie apart at most. */
const IDS_FROM_MS = 1_790_000_000_000;
const IDS_WITHIN_MS = 50_000_000;

export function luckOf(seed: number): Luck {
  const next = seeded(seed);
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  const uuid = (head: string, version: number) =>
    `${head.slice(0, 8)}-${head.slice(8, 12)}-${version}${hex(3)}-8${hex(3)}-${hex(12)}`;
  const between = (least: number, most: number) => least + Math.floor(next() * (Math.floor(most) - least + 1));
  return {
    next,
    between,
    pick: (of) => of[Math.floor(next() * of.length)]!,
    shuffled: (of) => {
      const rest = [...of];
      return Array.from({ length: rest.length }, () => rest.splice(Math.floor(next() * rest.length), 1)[0]!);
    },
    id: () => uuid((IDS_FROM_MS + between(0, IDS_WITHIN_MS)).toString(16).padStart(12, '0'), 7),
    key: () => uuid(hex(12), 4),
  };
}
