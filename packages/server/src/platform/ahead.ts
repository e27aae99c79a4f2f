// Reading very many rows while another connection writes what was decided about the ones before: the figure "bulk lock of 100,000" (docs/benchmarks.md)
// needs it. Nothing else does; a list of a few thousand is read and then worked on.

/**
 * The same items, asked for before they are wanted. Nothing is under way any more when the caller breaks off.
 * @param depth how many beyond the one that is being worked on
 */
export async function* ahead<T>(source: AsyncGenerator<T>, depth: number): AsyncGenerator<T> {
  const coming: Promise<IteratorResult<T>>[] = [];
  try {
    for (;;) {
      while (coming.length <= depth) {
        const next = source.next();
        next.catch(() => undefined);
        coming.push(next);
      }
      const { value, done } = await coming.shift()!;
      if (done) return;
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

const FIRST_SPAN = 1000;
/** Found by their indexes. 16,000 would be joined by reading whole tables: twice as dear for each, and the first of them too late. */
const LARGEST_SPAN = 4000;

/** A span's first row comes when all of it has been joined, so the first is short; each next one is joined while the one before it is written. */
export function growingSpans(ids: readonly string[]): string[][] {
  const spans: string[][] = [];
  for (let at = 0, length = FIRST_SPAN; at < ids.length; at += length, length = Math.min(2 * length, LARGEST_SPAN))
    spans.push(ids.slice(at, at + length));
  return spans;
}
