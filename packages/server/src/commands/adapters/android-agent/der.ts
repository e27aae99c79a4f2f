/** One value of DER (ITU-T X.690): its class (0 universal, 2 of its context), its number and what it holds. */
export interface Der {
  kind: number;
  tag: number;
  body: Buffer;
}

const LONG_TAG = 0x1f;
const MORE = 0x80;
/** No certificate is larger than three bytes of length say. */
const LENGTH_BYTES = 3;

/** @returns all values that stand one after the other here. @throws RangeError where they are not DER */
export function readAll(bytes: Buffer): Der[] {
  const values: Der[] = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) values.push(readOne(reader));
  return values;
}

/** @throws RangeError when there is not exactly one */
export function readSingle(bytes: Buffer): Der {
  const [value, ...rest] = readAll(bytes);
  if (!value || rest.length > 0) throw new RangeError('not one value of DER');
  return value;
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

function readOne(reader: Reader): Der {
  const first = next(reader);
  const tag = (first & LONG_TAG) === LONG_TAG ? longTag(reader) : first & LONG_TAG;
  const length = lengthOf(reader);
  const end = reader.at + length;
  if (end > reader.bytes.length) throw new RangeError('DER says that there is more than there is');
  const body = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return { kind: first >> 6, tag, body };
}

/** Numbers from 31 on, seven bits a byte; those of Android's have two bytes. */
function longTag(reader: Reader): number {
  let tag = 0;
  for (let bytes = 0; bytes < LENGTH_BYTES; bytes += 1) {
    const byte = next(reader);
    tag = tag * MORE + (byte & (MORE - 1));
    if (byte < MORE) return tag;
  }
  throw new RangeError('a tag of DER without an end');
}

function lengthOf(reader: Reader): number {
  const first = next(reader);
  if (first < MORE) return first;
  const count = first - MORE;
  // None: of unknown length, which is BER.
  if (count === 0 || count > LENGTH_BYTES) throw new RangeError('no length of DER');
  let length = 0;
  for (let byte = 0; byte < count; byte += 1) length = length * 256 + next(reader);
  return length;
}

function next(reader: Reader): number {
  const byte = reader.bytes[reader.at];
  if (byte === undefined) throw new RangeError('DER ends in the middle');
  reader.at += 1;
  return byte;
}
