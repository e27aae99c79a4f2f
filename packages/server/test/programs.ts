import path from 'node:path';

/** Where the built programs lie, given by `npm test`: they start in a quarter of the time that the sources take. A test by itself runs the sources. */
const built = process.env['KIST_TEST_PROGRAMS'];
const sources = path.join(import.meta.dirname, '..', 'src');

/** A program of the server, to be started by Node. @param name 'kist' is the command line */
export const programOf = (name: 'server' | 'kist'): string =>
  built === undefined ? path.join(sources, name === 'kist' ? 'cli.ts' : 'main.ts') : path.join(built, `${name}.js`);
