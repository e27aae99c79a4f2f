const TEXT_OID = 25;
/** Dimensions, whether there are nulls, the element's type, the dimension's length and its lower bound: 32 bits each. */
const HEADER = 20;
/** A character of UTF-16 takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * The binary form of `text[]` (array_recv in PostgreSQL's arrayfuncs.c): each value as it is behind its length, nothing escaped. Hand-made because the figure
 * "bulk lock of 100,000" (docs/benchmarks.md) needs it: pg sends an array as text, and escaping and reading that is what the bulk order would mostly do.
 */
export class TextArray {
  #bytes = Buffer.allocUnsafe(4096);
  #end = HEADER;
  #count = 0;
  #hasNull = 0;

  add(value: string | null): void {
    this.#count += 1;
    if (value === null) {
      this.#hasNull = 1;
      this.#reserve(4);
      this.#end = this.#bytes.writeInt32BE(-1, this.#end);
      return;
    }
    this.#reserve(4 + value.length * BYTES_PER_UNIT);
    const length = this.#bytes.write(value, this.#end + 4);
    this.#bytes.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  end(): Buffer {
    const header = this.#count === 0 ? [0, 0, TEXT_OID] : [1, this.#hasNull, TEXT_OID, this.#count, 1];
    for (const [index, field] of header.entries()) this.#bytes.writeInt32BE(field, index * 4);
    return this.#bytes.subarray(0, this.#count === 0 ? 12 : this.#end);
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#end + more));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/** A `text[]` parameter of these values. */
export function textArray(values: readonly (string | null)[]): Buffer {
  const array = new TextArray();
  for (const value of values) array.add(value);
  return array.end();
}
