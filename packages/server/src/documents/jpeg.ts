import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js';
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js';
import { checkArea, UnusableImage, type Pixels } from '#server/platform/picture.ts';

/** Marker bytes after 0xff (ITU-T T.81, table B.1). */
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const FRAMES = { first: 0xc0, last: 0xcf, notFrames: [0xc4, 0xc8, 0xcc] };
/** Baseline, extended and progressive; lossless, hierarchical and arithmetic ones are no photos. */
const KNOWN_FRAMES = [0xc0, 0xc1, 0xc2];
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
/** Photos have about ten; each costs a pass over the whole picture, and a file of scans alone would cost thousands. */
const MOST_SCANS = 100;

const refuse = (): never => {
  throw new UnusableImage('unreadable');
};

/**
 * Walks the markers without unpacking anything.
 * @returns where the picture ends: what follows (an archive, a second picture) is not read.
 * @throws UnusableImage for CMYK (four components), 12 bits, a file cut off, or too many pixels.
 */
export function checkJpeg(bytes: Buffer, mostPixels: number): number {
  let frames = 0;
  let scans = 0;
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== START) refuse();
  for (let at = 2; at + 4 <= bytes.length + 2;) {
    if (bytes[at] !== 0xff) refuse();
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return frames === 1 && scans > 0 ? at + 2 : refuse();
    if (marker === START || marker < 0xc0 || isRestart(marker) || at + 4 > bytes.length) refuse();
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (next < at + 4 || next > bytes.length) refuse();
    if (marker >= FRAMES.first && marker <= FRAMES.last && !FRAMES.notFrames.includes(marker)) {
      checkFrame(marker, bytes.subarray(at + 4, next), mostPixels);
      frames += 1;
    }
    if (marker === SCAN) scans += 1;
    if (frames > 1 || scans > MOST_SCANS || (scans > 0 && frames === 0)) refuse();
    at = marker === SCAN ? endOfScan(bytes, next) : next;
  }
  return refuse();
}

function checkFrame(marker: number, frame: Buffer, mostPixels: number): void {
  if (frame.length < 6 || !KNOWN_FRAMES.includes(marker) || frame[0] !== 8) refuse();
  if (frame[5] !== 1 && frame[5] !== 3) refuse();
  checkArea(frame.readUInt16BE(3), frame.readUInt16BE(1), mostPixels);
}

/** In packed data 0xff stands before 0x00 or a restart; before anything else it is the next marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const after = bytes[at + 1];
    if (after !== undefined && after !== 0 && after !== 0xff && !isRestart(after)) return at;
  }
  return refuse();
}

/** The codecs are WebAssembly: whatever a file does to them stays in their own memory. */
const wasm = (name: string) => ({
  wasmBinary: readFileSync(createRequire(import.meta.url).resolve(`@jsquash/jpeg/codec/${name}`)),
});

/** What the codecs know of a browser. */
class ImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/** @returns the picture, turned upright as its EXIF says. @throws UnusableImage */
export async function readJpeg(bytes: Buffer, mostPixels: number): Promise<Pixels> {
  const end = checkJpeg(bytes, mostPixels);
  Object.assign(globalThis, { ImageData });
  await initDecoder(wasm('dec/mozjpeg_dec.wasm') as never);
  const own = Uint8Array.from(bytes.subarray(0, end)).buffer;
  const { width, height, data } = (await decode(own, { preserveOrientation: true }).catch(refuse)) as ImageData;
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** @param quality 0…1. Baseline: half the time of a progressive one for 2 % more bytes. */
export async function writeJpeg({ width, height, data }: Pixels, quality: number): Promise<Buffer> {
  await initEncoder(wasm('enc/mozjpeg_enc.wasm') as never);
  const image = new ImageData(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height);
  const options = { quality: Math.round(quality * 100), baseline: true, progressive: false };
  return Buffer.from(await encode(image as never, options));
}
