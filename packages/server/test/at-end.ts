const closing: (() => unknown)[] = [];

/**
 * Does this when the test file is over, what came last first. An `afterAll` that is called while tests or their hooks run is never run: whatever may be
 * made there says it here.
 */
export const atEnd = (close: () => unknown): void => void closing.push(close);

/** Called after each file, past a part that fails. @throws what the first of those failed with */
export async function closeAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
