/** The contract's row, by examples: its rule names what may be, not what may not. The other rooms stand in scripts/law/law.mjs. */
export const contractLaw = {
  folder: 'packages/contract/src',
  refused: ['node:fs', 'react', 'fastify', '@kist/server/main', '@kist/web/main', '#server/main.ts'],
  allowed: ['zod', 'zod/mini', './money.ts', './agent/wire.ts', '#contract/money'],
};

/** Refused in every room. */
export const refusedEverywhere = [
  '../sibling/thing.ts',
  '..',
  './deep/../thing.ts',
  '.',
  './index.ts',
  './parts/index.ts',
];
