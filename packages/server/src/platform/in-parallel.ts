/**
 * Does something with each of many, so many at a time. Where one fails the others are done all the same.
 * @returns the results in the order of the items
 * @throws what the first failure threw, once all are over
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = items.entries();
  const results: Result[] = [];
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of queue)
      try {
        results[index] = await work(item);
      } catch (failure) {
        failures.push(failure);
      }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
