/** Reads a stream by lengths, however its pieces are cut. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array[] = [];
  #there = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** @returns exactly `length` bytes; undefined where the stream ends before its next byte, fewer where it ends within */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#there < length) {
      const { value, done } = await this.#pieces.next();
      if (done) break;
      if (value.length === 0) continue;
      this.#rest.push(value);
      this.#there += value.length;
    }
    if (this.#there === 0 && length > 0) return undefined;
    const all = Buffer.concat(this.#rest);
    const taken = all.subarray(0, length);
    const left = all.subarray(length);
    this.#rest = left.length > 0 ? [left] : [];
    this.#there = left.length;
    return taken;
  }
}
