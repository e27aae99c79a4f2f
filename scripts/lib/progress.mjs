/**
 * What a start is doing, for whoever watches it. A terminal shows one line that is rewritten in place; a log gets one plain
 * line for each step, and none for its figures.
 * @param {Pick<NodeJS.WriteStream, 'isTTY' | 'write'>} [out]
 */
export function createProgress(out = process.stdout) {
  const startedAt = performance.now();
  let step = '';
  let shown = '';
  return {
    /**
     * @param {string} name the step, e.g. `Building the app`
     * @param {string} [figure] how far it is, e.g. `43 %`
     */
    show(name, figure = '') {
      const seconds = `${Math.floor((performance.now() - startedAt) / 1000)} s`;
      const line = `${name}…${figure && ` ${figure}`}  (${seconds})`;
      if (out.isTTY && line !== shown) out.write(`\r\u001B[K  ${line}`);
      else if (!out.isTTY && name !== step) out.write(`${name}…\n`);
      step = name;
      shown = line;
    },
    /** Takes the line away: what comes next stands in its place. */
    end() {
      if (out.isTTY && shown) out.write('\r\u001B[K');
      shown = '';
      step = '';
    },
  };
}

/** @typedef {ReturnType<typeof createProgress>} Progress */
