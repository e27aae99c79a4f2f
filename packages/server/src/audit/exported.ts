import { createHash } from 'node:crypto';
import type { ExportRecord } from './export.ts';

/** What stands between the parts of what is hashed, as in `audit_hash` and `audit_root_of` of the database. */
const SEPARATOR = '\u001F';
/** A file with a million faults is as wrong as one with a hundred. */
const MOST_FAULTS = 100;

/** What reading a file of an audit found. */
export interface ExportedAudit {
  org_id: number | null;
  roots: number;
  lines: number;
  histories: number;
  /** Sentences. */
  faults: string[];
}

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const order = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

type LineRecord = Extract<ExportRecord, { record: 'line' }>;
type HeadRecord = Extract<ExportRecord, { record: 'head' }>;
type RootRecord = Extract<ExportRecord, { record: 'root' }>;

/**
 * Holds a file of `exported` against itself, with no database: every line follows from the one before, every root from its heads and the root before, and
 * every head that a root knows is a line of the file. Whoever rewrote all of it is found by roots that were kept elsewhere.
 * @param kept roots by their day
 */
export async function verifyExported(
  lines: AsyncIterable<string>,
  kept: ReadonlyMap<string, string> = new Map(),
): Promise<ExportedAudit> {
  const check = new Check(kept);
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    check.take(asRecord(text, number));
  }
  return check.result();
}

/** @throws SyntaxError which names the line */
function asRecord(text: string, number: number): ExportRecord {
  try {
    return JSON.parse(text) as ExportRecord;
  } catch {
    throw new SyntaxError(`line ${number} is no JSON`);
  }
}

class Check {
  readonly #kept: ReadonlyMap<string, string>;
  readonly #unknown: Set<string>;
  readonly #faults: string[] = [];
  /** Heads of roots whose line was not seen yet, by history and number. */
  readonly #rooted = new Map<string, string>();
  #orgId: number | null = null;
  #heads: HeadRecord[] = [];
  #root = '';
  #last: LineRecord | undefined;
  #counts = { roots: 0, lines: 0, histories: 0 };
  #isEnded = false;

  constructor(kept: ReadonlyMap<string, string>) {
    this.#kept = kept;
    this.#unknown = new Set(kept.keys());
  }

  take(record: ExportRecord): void {
    if (this.#isEnded) this.#wrong('Something was added behind the end of the file.');
    if (record.record === 'audit') this.#orgId = record.org_id;
    else if (record.record === 'head') this.#heads.push(record);
    else if (record.record === 'root') this.#takeRoot(record);
    else if (record.record === 'line') this.#takeLine(record);
    else if (record.record === 'end') this.#end(record);
    else this.#wrong('A record of the file is of no kind that this version knows.');
  }

  #wrong(sentence: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(sentence);
  }

  #takeRoot({ day, heads, prev_root, root }: RootRecord): void {
    this.#counts.roots += 1;
    const own = this.#heads.splice(0);
    const isOwn = own.every((head) => head.day === day) && own.length === heads;
    if (prev_root !== this.#root) this.#wrong(`The root of ${day} does not follow on the root before it.`);
    if (!isOwn || rootOf(this.#orgId, day, prev_root, own) !== root)
      this.#wrong(`The root of ${day} does not follow from what it was made of.`);
    const elsewhere = this.#kept.get(day);
    this.#unknown.delete(day);
    if (elsewhere !== undefined && elsewhere !== root) this.#wrong(`The root of ${day} is another than you kept.`);
    for (const { kind, id, seq, hash } of own) this.#rooted.set([kind, id, seq].join(SEPARATOR), hash);
    this.#root = root;
  }

  #takeLine(line: LineRecord): void {
    this.#counts.lines += 1;
    const before = this.#last;
    const isSame = before?.kind === line.kind && before.id === line.id;
    if (!isSame) this.#counts.histories += 1;
    const wanted = isSame ? before.seq + 1 : 1;
    const name = `${line.kind} ${line.id}`;
    if (line.seq !== wanted)
      this.#wrong(
        `MISSING ${name}: ${line.seq > wanted ? `line ${wanted} is gone` : `line ${line.seq} stands twice`}.`,
      );
    else if (hashOf(this.#orgId, line, isSame ? before.hash : '') !== line.hash)
      this.#wrong(`CHANGED ${name}: line ${line.seq} does not fit.`);
    const key = [line.kind, line.id, line.seq].join(SEPARATOR);
    const rooted = this.#rooted.get(key);
    if (rooted !== undefined && rooted !== line.hash)
      this.#wrong(`CHANGED ${name}: line ${line.seq} is another than a root knew.`);
    this.#rooted.delete(key);
    this.#last = line;
  }

  #end({ roots, lines }: Extract<ExportRecord, { record: 'end' }>): void {
    this.#isEnded = true;
    if (roots !== this.#counts.roots || lines !== this.#counts.lines)
      this.#wrong(
        `The file says ${roots} roots and ${lines} lines, and has ${this.#counts.roots} and ${this.#counts.lines}.`,
      );
  }

  result(): ExportedAudit {
    for (const key of this.#rooted.keys()) {
      const [kind, id, seq] = key.split(SEPARATOR);
      this.#wrong(`MISSING ${kind} ${id}: line ${seq}, which a root knew.`);
    }
    for (const day of this.#unknown) this.#wrong(`MISSING root of ${day}, which you kept.`);
    if (this.#orgId === null || !this.#isEnded)
      this.#wrong('The file is not whole: its first or its last line is missing.');
    return { org_id: this.#orgId, ...this.#counts, faults: this.#faults };
  }
}

/** What `audit_hash` of the database makes of the same line. */
function hashOf(
  orgId: number | null,
  { kind, id, seq, at, actor_json, action, data_json }: LineRecord,
  prev: string,
): string {
  const text = [orgId, kind, id, seq, at, actor_json, action, data_json].join(SEPARATOR);
  return sha256(Buffer.from(prev, 'hex'), text).toString('hex');
}

/** What `audit_root_of` of the database makes of the same heads: those whose ids' MD5 begins alike first, then all of these. */
function rootOf(orgId: number | null, day: string, prev: string, heads: readonly HeadRecord[]): string {
  const parts = new Map<string, HeadRecord[]>();
  for (const head of heads) {
    const part = createHash('md5').update(head.id).digest('hex').slice(0, 2);
    const known = parts.get(part);
    if (known) known.push(head);
    else parts.set(part, [head]);
  }
  const digests = [...parts]
    .toSorted(([left], [right]) => order(left, right))
    .map(([, of]) =>
      sha256(
        ...of
          .toSorted((left, right) => order(left.kind, right.kind) || order(left.id, right.id))
          .flatMap(({ kind, id, seq, hash }) => [[kind, id, seq, ''].join(SEPARATOR), Buffer.from(hash, 'hex')]),
      ),
    );
  return sha256(Buffer.from(prev, 'hex'), [orgId, day, heads.length].join(SEPARATOR), ...digests).toString('hex');
}
