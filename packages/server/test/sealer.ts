import { createSealer } from '#server/platform/crypto.ts';

/** Seals what tests store; its key is theirs alone. */
export const testSealer = createSealer({ current: 1, keys: new Map([[1, Buffer.alloc(32, 9)]]) });
