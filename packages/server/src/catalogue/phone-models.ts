import { lineNameSchema, tacSchema } from '@kist/contract/fields';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { type CsvRecord, parseCsv } from '#server/platform/csv.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './models-store.ts';

/** What became of a table of TACs. */
interface ModelsReport {
  rows: number;
  created: number;
  changed: number;
  unchanged: number;
  refused: { line: number; says: string }[];
}

const COLUMNS = ['tac', 'brand', 'model'] as const;
const CHUNK = 5000;

/** What the operator's table calls phones whose IMEI begins so; undefined where it does not name them. */
export const phoneModel = (tx: Tx, { tac }: { tac: string }) => store.modelOfTac.first(tx, { tac });

/**
 * Takes a table in: the rows that can be used; the others are named with their line. A second time it changes nothing. Columns: tac, brand, model, in any
 * order; others are passed over.
 * @throws CsvError when the text is no CSV
 */
export async function importModels(
  tx: Tx,
  actor: AuditActor,
  text: string,
  { isDry }: { isDry: boolean },
): Promise<ModelsReport> {
  const { models, refused, rows } = modelsIn(text);
  const report: ModelsReport = { rows, created: 0, changed: 0, unchanged: 0, refused };
  for (let at = 0; at < models.length; at += CHUNK) {
    const some = models.slice(at, at + CHUNK);
    const known = new Map(
      (await store.modelsOfTacs.all(tx, { tacs: some.map(({ tac }) => tac) })).map((row) => [row.tac, row]),
    );
    const fresh = some.filter(({ tac, brand, model }) => {
      const before = known.get(tac);
      const isSame = before?.brand === brand && before.model === model;
      report[isSame ? 'unchanged' : before ? 'changed' : 'created'] += 1;
      return !isSame;
    });
    if (!isDry && fresh.length > 0) await store.upsertModels.run(tx, columnsOf(fresh));
  }
  const { created, changed } = report;
  if (!isDry && created + changed > 0)
    await audit.append(tx, {
      kind: 'organisation',
      id: String(tx.orgId),
      actor,
      action: 'phone_models_imported',
      data: { created, changed, refused: refused.length },
    });
  return report;
}

interface Model {
  tac: string;
  brand: string;
  model: string;
}
const columnsOf = (models: readonly Model[]) => ({
  tacs: models.map(({ tac }) => tac),
  brands: models.map(({ brand }) => brand),
  models: models.map(({ model }) => model),
});

/** Every row that can be used, each TAC once, and what is wrong with the others. */
function modelsIn(text: string): { models: Model[]; refused: ModelsReport['refused']; rows: number } {
  const [header, ...records] = parseCsv(text);
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    return {
      models: [],
      refused: missing.map((name) => ({ line: 1, says: `the column ${name} is missing` })),
      rows: 0,
    };
  const models = new Map<string, Model & { line: number }>();
  const refused: ModelsReport['refused'] = [];
  for (const record of records) {
    const read = modelOf(record, names);
    const before = typeof read === 'string' ? undefined : models.get(read.tac);
    if (typeof read === 'string') refused.push({ line: record.line, says: read });
    else if (before && (before.brand !== read.brand || before.model !== read.model))
      refused.push({ line: record.line, says: `TAC ${read.tac} has another name on line ${before.line}` });
    else if (!before) models.set(read.tac, { ...read, line: record.line });
  }
  return { models: [...models.values()], refused, rows: records.length };
}

/** @returns a sentence where the row cannot be used */
function modelOf({ fields }: CsvRecord, names: readonly string[]): Model | string {
  const said = (name: (typeof COLUMNS)[number]) => fields[names.indexOf(name)]?.trim() ?? '';
  const tac = tacSchema.safeParse(said('tac'));
  if (!tac.success) return 'a TAC is the first eight digits of an IMEI';
  const [brand, model] = [lineNameSchema().safeParse(said('brand')), lineNameSchema().safeParse(said('model'))];
  if (!brand.success || !model.success)
    return `${brand.success ? 'the model' : 'the brand'} is empty, too long, or cannot be shown`;
  return { tac: tac.data, brand: brand.data, model: model.data };
}
