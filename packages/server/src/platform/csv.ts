/** A record of a file, with the line of the file that it begins on (a quoted field may run over several). */
export interface CsvRecord {
  line: number;
  fields: readonly string[];
}

/** A file that is no CSV: where it stops being one. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Comma-separated values as RFC 4180 has them: fields in quotes may hold commas, quotes (doubled) and line ends; records end with CRLF or LF, and a file may
 * begin with a byte order mark. Lines with nothing on them are passed over.
 * @throws CsvError for a quote that is never closed, or that stands where a field has no quotes
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  while (at < source.length) {
    const begun = line;
    const fields: string[] = [];
    for (let isOpen = true; isOpen;) {
      const field = source[at] === '"' ? quoted(source, at, line) : plain(source, at, line);
      fields.push(field.value);
      at = field.end;
      line += field.lines;
      isOpen = source[at] === ',';
      if (isOpen) at += 1;
    }
    if (at < source.length) {
      at += source.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
    }
    if (fields.length > 1 || fields[0] !== '') records.push({ line: begun, fields });
  }
  return records;
}

/** One field: its value, where it ends and how many line ends it holds. */
interface Field {
  value: string;
  end: number;
  lines: number;
}

const isEnd = (source: string, at: number): boolean =>
  at >= source.length || source[at] === ',' || source[at] === '\n' || source.startsWith('\r\n', at);

function plain(source: string, from: number, line: number): Field {
  let end = from;
  while (!isEnd(source, end)) {
    if (source[end] === '"') throw new CsvError(line, 'a quote inside a field without quotes');
    end += 1;
  }
  return { value: source.slice(from, end), end, lines: 0 };
}

function quoted(source: string, from: number, line: number): Field {
  let value = '';
  let at = from + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) throw new CsvError(line, 'a quote that is never closed');
    value += source.slice(at, quote);
    at = quote + 1;
    if (source[at] !== '"') break;
    value += '"';
    at += 1;
  }
  if (!isEnd(source, at)) throw new CsvError(line, 'something behind a closing quote');
  return { value, end: at, lines: value.split('\n').length - 1 };
}
