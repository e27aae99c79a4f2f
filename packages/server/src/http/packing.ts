import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Who has a file, and so what packing it well is worth: everybody, whoever sees one of the kept looks, or whoever sees one for which no place was left. */
export type Audience = 'everybody' | 'kept' | 'beyond';

export interface Packable {
  body: Buffer;
  audience: Audience;
  packed: Map<Encoding, Packed>;
}

interface Packed {
  bytes: Promise<Buffer>;
  isHasty: boolean;
}

export type Compress = (body: Buffer, encoding: Encoding, level: number) => Promise<Buffer>;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const compress: Compress = (body, encoding, level) =>
  encoding === 'br'
    ? compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : compressGzip(body, { level });

/** Levels of each encoding: of what is packed while somebody waits, and the rest of the way for what everybody gets. */
const LEVELS = { br: { haste: 5, well: 9, best: 11 }, gzip: { haste: 6, well: 9, best: 9 } } as const;
/** What was packed in haste is packed well when it is asked for again, one such file in this time: a few hundredths of a processor, whatever is asked for. */
const WELL_EVERY_MS = 1000;

/**
 * Packs a file at its first request, and keeps it. Level 9 of brotli takes a 300 KB bundle 60 ms, once. What is the same for everybody is packed again at level 11
 * behind that, which takes ten times as long and sends 6 % less from then on: a tenth of a second of a first visit on a slow line. Looks beyond those that are kept
 * push one another out, and then every request packs: in haste, a page to 3 % more bytes in less than a tenth of the time.
 */
export function createPacking({
  compressAt = compress,
  nowMs = () => performance.now(),
}: { compressAt?: Compress; nowMs?: () => number } = {}): (file: Packable, encoding: Encoding) => Promise<Buffer> {
  let nextWellAtMs = -Infinity;
  const mayPackWell = (): boolean => {
    if (nowMs() < nextWellAtMs) return false;
    nextWellAtMs = nowMs() + WELL_EVERY_MS;
    return true;
  };
  /** Takes the place of what is there when it is made. */
  const packAgain = async ({ body, packed }: Packable, encoding: Encoding, level: number): Promise<void> => {
    const bytes = await compressAt(body, encoding, level);
    packed.set(encoding, { bytes: Promise.resolve(bytes), isHasty: false });
  };
  return (file, encoding) => {
    const levels = LEVELS[encoding];
    const there = file.packed.get(encoding);
    if (there?.isHasty && mayPackWell()) {
      there.isHasty = false;
      void packAgain(file, encoding, levels.well);
    }
    if (there) return there.bytes;
    const isHasty = file.audience === 'beyond';
    const bytes = compressAt(file.body, encoding, isHasty ? levels.haste : levels.well);
    file.packed.set(encoding, { bytes, isHasty });
    if (file.audience === 'everybody' && levels.best > levels.well)
      void bytes.then(() => packAgain(file, encoding, levels.best));
    return bytes;
  };
}
