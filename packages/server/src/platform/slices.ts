import { setImmediate as giveWay } from 'node:timers/promises';

/** About a millisecond of work on the heaviest lists there are. */
const SLICE = 20;
let last: Promise<unknown> = Promise.resolve();

/**
 * As `items.map(make)`, giving way to whatever else waits after every 20 items: 100,000 phones judged in one go would hold up every other request, and the
 * sending of the very statements that wait for them. Long lists are made one after the other: side by side all would be ready late.
 */
export async function mapInSlices<T, U>(items: readonly T[], make: (item: T, index: number) => U): Promise<U[]> {
  if (items.length <= SLICE) return items.map(make);
  const mine = last.then(() => inSlices(items, make));
  last = mine.catch(() => undefined);
  return mine;
}

async function inSlices<T, U>(items: readonly T[], make: (item: T, index: number) => U): Promise<U[]> {
  const made: U[] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await giveWay();
    for (let index = at; index < Math.min(at + SLICE, items.length); index += 1) made.push(make(items[index]!, index));
  }
  return made;
}

/** `JSON.stringify` of a long list, in slices. */
export const jsonInSlices = async (rows: readonly object[]): Promise<string> =>
  `[${(await mapInSlices(rows, (row) => JSON.stringify(row))).join(',')}]`;
