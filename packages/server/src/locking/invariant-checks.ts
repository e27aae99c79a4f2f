import { HOUSE } from './invariant-house-sql.ts';
import { LOCKS } from './invariant-locks-sql.ts';
import { MONEY } from './invariant-money-sql.ts';
import type { Invariant, InvariantCheck } from './invariant-words-sql.ts';

/** Every invariant. */
export const CHECKS: Record<Invariant, InvariantCheck> = { ...MONEY, ...LOCKS, ...HOUSE };
