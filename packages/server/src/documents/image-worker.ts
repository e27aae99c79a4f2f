import { parentPort, workerData } from 'node:worker_threads';
import { LIMITS } from '@kist/contract/limits';
import { readJpeg, writeJpeg } from './jpeg.ts';
import { UnusableImage } from '#server/platform/picture.ts';
import { onWhite, shrink } from '#server/platform/pixels.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import { imageMime, type ImageMime } from './rules.ts';

/** What a picture becomes, by what it is for: the ink of a signature stays exact, a photo small. */
export interface ImageJob {
  bytes: Uint8Array;
  to: ImageMime;
}
export type ImageAnswer = { bytes: Uint8Array } | { refused: 'unreadable' | 'size' };

/** Takes a picture apart to its pixels and makes a new file of them: whatever else was in the old one is gone. */
async function remake({ bytes, to }: ImageJob): Promise<ImageAnswer> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = imageMime(given) === 'image/png' ? readPng : readJpeg;
  const pixels = shrink(await read(given, LIMITS.imagePixels), LIMITS.imageEdgePx);
  return { bytes: to === 'image/png' ? writePng(pixels) : await writeJpeg(onWhite(pixels), LIMITS.imageQuality) };
}

// One picture a thread: what a file did to its memory ends with it.
const answer = await remake(workerData as ImageJob).catch((error: unknown): ImageAnswer => {
  if (error instanceof UnusableImage) return { refused: error.reason };
  throw error;
});
parentPort?.postMessage(answer);
