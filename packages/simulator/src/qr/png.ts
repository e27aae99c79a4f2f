import { inflateSync } from 'node:zlib';
import type { Picture } from './read-picture.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_PIXELS = 16_000_000;
/** Samples of a pixel by colour type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/**
 * Reads a PNG as browsers write it: 8 bits a sample, no palette, not interlaced. What is transparent is white.
 * @throws Error in words for anything else
 */
export function readPng(file: Buffer): Picture {
  if (file.length < 33 || !file.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG picture.');
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [depth, type, , , interlace] = file.subarray(24, 29);
  const channels = CHANNELS[type ?? -1];
  if (depth !== 8 || !channels || interlace !== 0) throw new Error('This kind of PNG is not read here.');
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw new Error('The picture is too large.');
  const stride = width * channels;
  const raw = inflateSync(Buffer.concat(dataChunks(file)), { maxOutputLength: (stride + 1) * height });
  if (raw.length !== (stride + 1) * height) throw new Error('The picture is cut off.');
  const samples = unfilter(raw, height, stride, channels);
  const grey = new Uint8Array(width * height);
  for (let pixel = 0; pixel < grey.length; pixel += 1) grey[pixel] = brightness(samples, pixel * channels, channels);
  return { width, height, grey };
}

function dataChunks(file: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 8;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') chunks.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return chunks;
}

/** PNG, section 9: each row says how it was predicted. */
function unfilter(raw: Buffer, height: number, stride: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? out[y * stride + x - channels]! : 0;
      const up = y > 0 ? out[(y - 1) * stride + x]! : 0;
      const corner = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels]! : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      if (predicted === undefined) throw new Error('The picture is damaged.');
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function brightness(samples: Uint8Array, at: number, channels: number): number {
  const isColour = channels >= 3;
  const value = isColour ? (samples[at]! * 299 + samples[at + 1]! * 587 + samples[at + 2]! * 114) / 1000 : samples[at]!;
  const alpha = channels === 2 || channels === 4 ? samples[at + channels - 1]! / 255 : 1;
  return Math.round(255 - (255 - value) * alpha);
}
