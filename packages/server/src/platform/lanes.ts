/**
 * Two: while one waits for the database to write, the other has its next statement written; a third would only take the processor from the requests beside.
 */
const LANES = 2;

/**
 * Works on the parts of something large, a few side by side: each when a lane is free, in the order they are given. No two may touch the same rows, for they would wait
 * for each other. One that fails ends it: what is under way is finished, the rest is not begun.
 * @param parts asked for the next part when a lane is free, never twice at once
 * @throws whatever the first part that failed threw
 */
export async function inLanes<Part>(
  parts: AsyncIterable<Part>,
  work: (part: Part) => Promise<void>,
  lanes = LANES,
): Promise<void> {
  const open = parts[Symbol.asyncIterator]();
  let asking: Promise<unknown> = Promise.resolve();
  let hasFailed = false;
  const next = (): Promise<IteratorResult<Part>> => {
    const turn = asking.then(() => open.next());
    asking = turn.catch(() => undefined);
    return turn;
  };
  const lane = async (): Promise<void> => {
    try {
      for (let part = await next(); !part.done && !hasFailed; part = await next()) await work(part.value);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * What a look finds, in parts: looks again behind the last id until it finds fewer than it may.
 * @param look the next ids behind one, in their order; undefined: from the beginning
 */
export async function* inParts(
  look: (after: string | undefined, limit: number) => Promise<readonly string[]>,
  { found, part }: { found: number; part: number },
): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined; ;) {
    const ids = await look(after, found);
    for (let at = 0; at < ids.length; at += part) yield ids.slice(at, at + part);
    if (ids.length < found) return;
    after = ids.at(-1);
  }
}
