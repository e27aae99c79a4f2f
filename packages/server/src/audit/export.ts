import type { IsoDate } from '@kist/contract/dates';
import type { Database } from '#server/platform/database.ts';
import * as store from './export-store.ts';

const PAGE = 2_000;
const FORMAT = 1;
const BEFORE_ALL = '0001-01-01' as IsoDate;

/** A line of a file that tells an organisation's audit; hashes in hexadecimal. */
export type ExportRecord =
  | { record: 'audit'; format: number; org_id: number; made_at: string }
  /** What a root is made of stands before it. */
  | { record: 'head'; day: string; kind: string; id: string; seq: number; hash: string }
  | { record: 'root'; day: string; heads: number; prev_root: string; root: string }
  /** `actor_json` and `data_json` are the very texts that the hash covers. */
  | {
      record: 'line';
      kind: string;
      id: string;
      seq: number;
      at: string;
      action: string;
      actor_json: string;
      data_json: string;
      hash: string;
    }
  | { record: 'end'; roots: number; lines: number };

/**
 * Everything that proves an organisation's audit: its roots with what they are made of, then every line of every history. Page by page, however long it gets;
 * what is written meanwhile may be in it, and no root without its lines.
 */
export async function* exported(db: Pick<Database, 'read'>, orgId: number): AsyncGenerator<ExportRecord> {
  yield { record: 'audit', format: FORMAT, org_id: orgId, made_at: new Date().toISOString() };
  let roots = 0;
  for await (const record of rootRecords(db, orgId)) {
    if (record.record === 'root') roots += 1;
    yield record;
  }
  let lines = 0;
  for await (const record of lineRecords(db, orgId)) {
    lines += 1;
    yield record;
  }
  yield { record: 'end', roots, lines };
}

async function* rootRecords(db: Pick<Database, 'read'>, orgId: number): AsyncGenerator<ExportRecord> {
  let after = BEFORE_ALL;
  for (;;) {
    const page = await db.read(orgId, (tx) => store.rootsAfter.all(tx, { day: after, limit: PAGE }));
    for (const { day, heads, prev_root, root } of page) {
      yield* headRecords(db, orgId, day as IsoDate);
      yield { record: 'root', day, heads, prev_root: prev_root.toString('hex'), root: root.toString('hex') };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.day as IsoDate;
  }
}

async function* headRecords(db: Pick<Database, 'read'>, orgId: number, day: IsoDate): AsyncGenerator<ExportRecord> {
  let after = { kind: '', id: '' };
  for (;;) {
    const page = await db.read(orgId, (tx) => store.rootHeadsAfter.all(tx, { day, ...after, limit: PAGE }));
    for (const { subject_kind: kind, subject_id: id, seq, hash } of page)
      yield { record: 'head', day, kind, id, seq, hash: hash.toString('hex') };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { kind: last.subject_kind, id: last.subject_id };
  }
}

async function* lineRecords(db: Pick<Database, 'read'>, orgId: number): AsyncGenerator<ExportRecord> {
  let after = { kind: '', id: '', seq: 0 };
  for (;;) {
    const page = await db.read(orgId, (tx) => store.linesAfter.all(tx, { ...after, limit: PAGE }));
    for (const { subject_kind: kind, subject_id: id, actor, data, hash, ...line } of page)
      yield { record: 'line', kind, id, ...line, actor_json: actor, data_json: data, hash: hash.toString('hex') };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { kind: last.subject_kind, id: last.subject_id, seq: last.seq };
  }
}
