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
/** A `query` taken from something: by its name, in brackets, taken apart, or taken apart as what a function is given of a transaction. */
const TAKEN =
  /(?<!\.\.)\.\s*query\b|\[\s*['"`]query['"`]\s*\]|\{[^{}]*\bquery\b[^{}]*\}\s*(?::[^=;()]*)?=(?![=>])|\{[^{}]*\bquery\b[^{}]*\}\s*:\s*[^{};()]*\b(?:Tx|Client|Pool|PoolClient|Database)\b/g;
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

const STRINGS = new RegExp(QUOTED, 'g');
/** A declaring function by its name alone, wherever it stands. */
const MENTIONED = /\b(?:statement|globalStatement|crossingStatement|statementFamily)\b/g;
const OWN_IMPORT = /\bimport\s*\{[^}]*\}\s*from\s*['"`][^'"`\n]*\/statement\.ts['"`]/g;
/** Where a store declares: at the left margin, so that the statement is there when the file is loaded, its name a text. */
const NAMED = /^(?:export )?const \w+ = \w*tatement(?:Family)?(?:<[^()]*>)?\(\{\s*name: '([^']+)'/gm;

/** @returns the names that stand as plain text where a statement is declared: others nobody can hold against the file */
const namesIn = ({ text }: Source): string[] => [...codeOf(text).matchAll(NAMED)].map(([, name]) => name!);

/** How often a store speaks of a declaring function otherwise than to declare a constant under a plain name: in a function, by an alias, under a name that is put together. */
function hiddenIn(source: Source): number {
  const code = codeOf(source.text).replaceAll(OWN_IMPORT, '').replaceAll(STRINGS, "''");
  return (code.match(MENTIONED)?.length ?? 0) - namesIn(source).length;
}

/** Names that are not their slice's, declarations that hide theirs, and names that are not declared once, in the file where they stand as a text. */
export function nameFaults(sources: readonly Source[], declared: readonly string[]): string[] {
  const written = sources.flatMap((source) => namesIn(source).map((name) => ({ file: source.file, name })));
  const known = new Set(written.map(({ name }) => name));
  const made = new Set(declared.map((name) => name.replace(/#\d+$/, '')));
  return [
    ...written
      .filter(({ file, name }) => !name.startsWith(`${file.split('/')[0]!}.`))
      .map(({ file, name }) => `${file}: ${name}`),
    ...sources
      .filter((source) => isStore(source.file) && hiddenIn(source) !== 0)
      .map(({ file }) => `${file} declares a statement out of sight`),
    ...written.filter(({ name }) => !made.has(name)).map(({ file, name }) => `${file}: nobody declares ${name}`),
    ...written
      .filter(({ name }, index) => written.findIndex((other) => other.name === name) !== index)
      .map(({ file, name }) => `${file}: ${name} stands elsewhere too`),
    ...[...made].filter((name) => !known.has(name)).map((name) => `${name} stands in no store as a plain name`),
  ];
}

const SPOKEN_OF = /\b(?:from|join|into|update|table|only|lock)\s+"?([a-z_]+)/gi;

/** Tables of slices that a file asks for by name: the platform, which knows no business, has none. */
export function sliceTablesIn({ text }: Source, owners: ReadonlyMap<string, string>): string[] {
  const texts = [...codeOf(text).matchAll(STRINGS)].flatMap(([one]) => [...one.matchAll(SPOKEN_OF)]);
  return texts.flatMap(([, word]) => (owners.has(word!) && owners.get(word!) !== 'platform' ? [word!] : []));
}
