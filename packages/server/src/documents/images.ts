import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { KistError } from '@kist/contract/errors';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { ImageAnswer, ImageJob } from './image-worker.ts';
import { imageMime, type ImageMime, tooManyPixels } from './rules.ts';

export interface Images {
  /**
   * Makes a new file of a picture's pixels, in a thread of its own, at most 1200 × 1200.
   * @param owner whose shop brings it, its mini-retailers' with it: threads are shared out in turns, one picture of each owner after the other
   * @throws KistError FILE_TYPE_UNSUPPORTED, FILE_UNREADABLE or TOO_MANY_PIXELS (of the field `file`), UNAVAILABLE while too many are under way
   */
  remake(owner: string, bytes: Buffer, to: ImageMime): Promise<Buffer>;
}

export interface ImagesOptions {
  /** Threads at once; each may take 400 MB for the largest picture that is taken apart (25 million pixels, progressive). */
  atOnce?: number;
  /** Pictures under way or waiting, of all owners and of one. Whoever has none is let in all the same, up to twice as many: nobody takes every place. */
  places?: number;
  placesOfOne?: number;
  /** A photo of 12 million pixels takes 0.6 s of one core. */
  timeoutMs?: number;
}

/** Of a thread's own heap; pixels lie outside it and are bounded by their number. */
const HEAP_MB = 128;
/** Beside the bundled server, else beside this file. */
const program =
  process.env['KIST_BUNDLE'] === undefined
    ? new URL('./image-worker.ts', import.meta.url)
    : new URL('./image-worker.js', process.env['KIST_BUNDLE']);

const REFUSALS = {
  type: ['FILE_TYPE_UNSUPPORTED', 'field.file_type'],
  unreadable: ['FILE_UNREADABLE', 'field.file_unreadable'],
} as const;
const refusal = (reason: keyof typeof REFUSALS | 'size', cause?: unknown): KistError => {
  if (reason === 'size') return tooManyPixels(cause);
  const [code, key] = REFUSALS[reason];
  return new KistError(code, { fields: [{ path: 'file', key }], cause });
};

export function createImages({
  atOnce = 2,
  places = 24,
  placesOfOne = 4,
  timeoutMs = 20_000,
}: ImagesOptions = {}): Images {
  const inTurn = createFairTurns(atOnce);
  const taken = new Map<string, number>();
  let all = 0;
  const take = (owner: string, by: 1 | -1) => {
    all += by;
    const own = (taken.get(owner) ?? 0) + by;
    if (own === 0) taken.delete(owner);
    else taken.set(owner, own);
  };
  return {
    async remake(owner, bytes, to) {
      if (!imageMime(bytes)) throw refusal('type');
      const own = taken.get(owner) ?? 0;
      if (own >= placesOfOne || all >= (own === 0 ? places * 2 : places))
        throw new KistError('UNAVAILABLE', { retryAfterS: 2 });
      take(owner, 1);
      try {
        return await inTurn(owner, () => inThread({ bytes, to }, timeoutMs));
      } finally {
        take(owner, -1);
      }
    },
  };
}

/** @throws KistError also for what broke the thread: its bytes were made to do so, or are too many for it. */
async function inThread(job: ImageJob, timeoutMs: number): Promise<Buffer> {
  const thread = new Worker(program, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  try {
    const ended = once(thread, 'exit').then(() => [undefined]);
    const answered = once(thread, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    const [answer] = (await Promise.race([answered, ended])) as [ImageAnswer | undefined];
    if (answer === undefined) throw refusal('size');
    if ('refused' in answer) throw refusal(answer.refused);
    return Buffer.from(answer.bytes);
  } catch (error) {
    throw error instanceof KistError ? error : refusal(isTooMuch(error) ? 'size' : 'unreadable', error);
  } finally {
    await thread.terminate();
  }
}

const isTooMuch = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY');
