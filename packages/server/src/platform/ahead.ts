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
