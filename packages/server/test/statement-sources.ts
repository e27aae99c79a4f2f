/** A source file of the server, its path below `src`. */
export interface Source {
  file: string;
  text: string;
}

/** Where statements are declared. */
export const isStore = (file: string): boolean => /(^|\/)(store|[a-z-]+-store|[a-z-]+-sql)\.ts$/.test(file);

const QUOTED = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\`(?:\\.|[^\`\\])*\``;
const QUOTED_OR_COMMENT = new RegExp(String.raw`(${QUOTED})|/\*[\s\S]*?\*/|//.*`, 'g');

/** @returns the text without its comments, which may stand in the middle of a call */
export const codeOf = (text: string): string =>
  text.replaceAll(QUOTED_OR_COMMENT, (_whole, quoted: string | undefined) => quoted ?? '');

/** What a call of HTTP brings along in its address: `http/` alone may take a `query` from these. */
const OF_HTTP = /\b(?:request|endpoint|call)\s*(?:\.\s*query\b|\[\s*'query'\s*\])/g;
/** A `query` taken from something: by its name, in brackets, or taken apart. */
const TAKEN = /(?<!\.\.)\.\s*query\b|\[\s*['"`]query['"`]\s*\]|\{[^{}]*\bquery\b[^{}]*\}\s*(?::[^=;()]*)?=(?![=>])/g;
/** The type of a call's query, by the endpoint's name. */
const TYPE_OF_CALL = /\(typeof \w+Endpoints\)\['\w+'\]\['query'\]/g;
const WORD = /\bquery\b/g;

/**
 * How often a file may ask the database past its declared statements. In a slice each `query` counts, however it is come by; in `http/`, whose calls
 * have one, each that is not taken from a call.
 */
export function asksIn({ file, text }: Source): number {
  const code = codeOf(text).replaceAll(TYPE_OF_CALL, '');
  return (file.startsWith('http/') ? code.replaceAll(OF_HTTP, '').match(TAKEN) : code.match(WORD))?.length ?? 0;
}

const DECLARES = /\b(?:statement|globalStatement|crossingStatement|statementFamily)\s*(?:<[^()]*>)?\(/;
const STATEMENT_FILE = /['"`][^'"`\n]*\/statement\.ts['"`]/g;
const IMPORTED = /\bimport(\s+type)?\s*(\{[^}]*\})\s*from\s*$/;

/** What a file does with the declaring functions that a reader of stores does not see; none when all is well. */
export function declaringFaults({ file, text }: Source): string[] {
  const code = codeOf(text);
  const faults: string[] = [];
  if (DECLARES.test(code) && !isStore(file)) faults.push(`${file} declares a statement and is no store`);
  for (const { index } of code.matchAll(STATEMENT_FILE)) {
    const [, type, names] = IMPORTED.exec(code.slice(0, index)) ?? [];
    if (names === undefined) faults.push(`${file} takes all of statement.ts`);
    else if (/\bas\b/.test(names)) faults.push(`${file} gives a declaring function another name`);
    else if (type === undefined && !isStore(file)) faults.push(`${file} imports statement.ts and is no store`);
  }
  return faults;
}

const NAMED = /tatement(?:Family)?\s*(?:<[^()]*>)?\(\{\s*name: '([^']+)'/g;

/** @returns the names that stand as plain text where a statement is declared: others nobody can hold against the file */
const namesIn = ({ text }: Source): string[] => [...codeOf(text).matchAll(NAMED)].map(([, name]) => name!);

/** Names that are not their slice's, and declared ones that stand in no file as a text. */
export function nameFaults(sources: readonly Source[], declared: readonly string[]): string[] {
  const written = sources.flatMap((source) => namesIn(source).map((name) => ({ file: source.file, name })));
  const known = new Set(written.map(({ name }) => name));
  return [
    ...written
      .filter(({ file, name }) => !name.startsWith(`${file.split('/')[0]!}.`))
      .map(({ file, name }) => `${file}: ${name}`),
    ...declared
      .map((name) => name.replace(/#\d+$/, ''))
      .filter((name) => !known.has(name))
      .map((name) => `${name} stands in no store as a plain name`),
  ];
}
