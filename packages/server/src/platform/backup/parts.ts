import { createHash } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';

/** One table's rows of one organisation, a table's that has none, or one sealed picture. */
export type PartHead =
  | { kind: 'table'; table: string; org_id: number | null; columns: string[] }
  | { kind: 'file'; key: string };

/** What was written of a part. */
export interface PartSum {
  name: string;
  bytes: number;
  sha256: string;
  /** Of a table. */
  rows?: number;
}
export interface Manifest {
  parts: PartSum[];
}

/** A part while it is written: its bytes, and afterwards how many rows they were. */
export interface Part {
  head: PartHead;
  data: AsyncIterable<Uint8Array>;
  rows?: () => number;
}

export const nameOf = (head: PartHead): string =>
  head.kind === 'file' ? `file ${head.key}` : `table ${head.table}${head.org_id === null ? '' : ` of ${head.org_id}`}`;

const FRAME = { about: 1, part: 2, data: 3, manifest: 4 } as const;
/** A row is longer than this once in a lifetime; whoever reads must bound what it takes. */
const MOST_BYTES = 64 * 1024 * 1024;
const GATHERED_BYTES = 64 * 1024;

function frame(type: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(type);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}
const told = (type: number, value: unknown): Buffer => frame(type, Buffer.from(JSON.stringify(value)));

/** Rows come one by one: as many as make a piece worth sealing. */
async function* gathered(data: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of data) {
    waiting.push(bytes);
    length += bytes.length;
    if (length < GATHERED_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/**
 * Everything as one stream: what the backup is of, each part, and at the end the manifest with the sum of every part.
 * @param onManifest told before it is written
 */
export async function* framed(
  about: unknown,
  parts: AsyncIterable<Part>,
  onManifest: (manifest: Manifest) => void,
): AsyncGenerator<Buffer> {
  yield told(FRAME.about, about);
  const manifest: Manifest = { parts: [] };
  for await (const { head, data, rows } of parts) {
    yield told(FRAME.part, head);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of gathered(data)) {
      hash.update(piece);
      bytes += piece.length;
      yield frame(FRAME.data, piece);
    }
    manifest.parts.push({ name: nameOf(head), bytes, sha256: hash.digest('hex'), ...(rows && { rows: rows() }) });
  }
  onManifest(manifest);
  yield told(FRAME.manifest, manifest);
}

export interface PartsReader {
  about(value: unknown): Promise<void>;
  /** Must read all of `data`. @returns how many rows it took */
  part(head: PartHead, data: AsyncIterable<Buffer>): Promise<number | undefined>;
}

/**
 * Reads what `framed` wrote and holds every part against the manifest.
 * @throws BackupError for a part that is missing, was added or is not what the manifest says
 */
export async function readParts(source: AsyncIterable<Uint8Array>, reader: PartsReader): Promise<Manifest> {
  const frames = new Frames(source);
  const sums: PartSum[] = [];
  await reader.about(asJson(await frames.next(), FRAME.about));
  for (;;) {
    const next = await frames.next();
    if (next.type === FRAME.manifest) {
      const manifest = asJson(next, FRAME.manifest) as Manifest;
      compare(manifest.parts, sums);
      return manifest;
    }
    const head = asJson(next, FRAME.part) as PartHead;
    const hash = createHash('sha256');
    let bytes = 0;
    const data = async function* () {
      for (let piece = await frames.data(); piece; piece = await frames.data()) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    };
    const rows = await reader.part(head, data());
    sums.push({ name: nameOf(head), bytes, sha256: hash.digest('hex'), ...(rows !== undefined && { rows }) });
  }
}

interface Frame {
  type: number;
  payload: Buffer;
}

class Frames {
  readonly #reader: ByteReader;
  #ahead: Frame | undefined;
  constructor(source: AsyncIterable<Uint8Array>) {
    this.#reader = new ByteReader(source);
  }

  async next(): Promise<Frame> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead) return ahead;
    const head = await this.#reader.take(5);
    const length = head?.length === 5 ? head.readUInt32BE(1) : MOST_BYTES + 1;
    if (head === undefined || length > MOST_BYTES)
      throw new BackupError('The backup is not whole: its list is missing.');
    const payload = length === 0 ? Buffer.alloc(0) : await this.#reader.take(length);
    if (payload?.length !== length) throw new BackupError('The backup is not whole: a part of it is missing.');
    return { type: head.readUInt8(), payload };
  }

  /** @returns undefined where the part ends */
  async data(): Promise<Buffer | undefined> {
    const next = await this.next();
    if (next.type === FRAME.data) return next.payload;
    this.#ahead = next;
    return undefined;
  }
}

function asJson({ type, payload }: Frame, wanted: number): unknown {
  if (type !== wanted) throw new BackupError('The backup is of a format that this version does not know.');
  return JSON.parse(payload.toString());
}

function compare(written: readonly PartSum[], read: readonly PartSum[]): void {
  for (const [index, sum] of written.entries()) {
    const found = read[index];
    if (found?.name !== sum.name) throw new BackupError(`The backup lacks its part ${sum.name}.`);
    const isSame = found.bytes === sum.bytes && found.sha256 === sum.sha256 && (found.rows ?? sum.rows) === sum.rows;
    if (!isSame) throw new BackupError(`The backup's part ${sum.name} is not what was written.`);
  }
  if (read.length > written.length) throw new BackupError('The backup has parts that its list does not name.');
}
