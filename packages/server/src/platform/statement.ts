import type { Pool, QueryResult, QueryResultRow } from 'pg';
import type { ColumnType, RowOf } from './column-types.ts';
import type { Tx } from './database.ts';

type Columns = Record<string, ColumnType<unknown>>;

/**
 * Which organisation a statement speaks for. `one`: `$1` is the transaction's organisation, bound as a parameter beside row-level security;
 * `none`: only tables without organisations; `each`: kist_device's, which cross organisations and join on each row's own `org_id`.
 */
export type Reach = 'one' | 'none' | 'each';

/** A statement as it is declared; the check in `test/statements.test.ts` holds it against the migrated schema. */
export interface Declared {
  readonly name: string;
  readonly reach: Reach;
  readonly takes: Columns;
  readonly gives: Columns;
  /** With places of the driver: $1, $2, … */
  readonly sql: string;
}

/** Whatever sends one statement: a transaction, or a pool for statements that commit at once. */
type Sender = Pick<Tx, 'orgId' | 'query'> | Pool;

/** One statement of a store. */
export interface Statement<Takes extends Columns, Gives extends Columns, By = Tx> extends Declared {
  /** Every row. */
  all(by: By, values: RowOf<Takes>): Promise<RowOf<Gives>[]>;
  /** The first row, if there is one. */
  first(by: By, values: RowOf<Takes>): Promise<RowOf<Gives> | undefined>;
  /** The row of a statement that always answers one. @throws Error when it did not */
  one(by: By, values: RowOf<Takes>): Promise<RowOf<Gives>>;
  /** @returns how many rows it wrote or found */
  run(by: By, values: RowOf<Takes>): Promise<number>;
}

interface Text<Takes extends Columns, Gives extends Columns> {
  /** `<slice>.<what_it_does>`: the name it is prepared under on each connection. */
  name: string;
  /** Its parameters, spelled `$name` in the text, where each gets its type; of columns, the columns' own names. */
  takes?: Takes;
  /** The columns of its answer, all of them. */
  gives?: Gives;
  text: string;
  /** Planned anew at each call: where the best plan hangs on the values. Else it is prepared once a connection, 1.5 times as fast. */
  isPlannedEachTime?: boolean;
}

const declarations: Declared[] = [];

/** Every statement of the modules loaded so far. @internal for the check of the statements */
export const declaredStatements = (): readonly Declared[] => declarations;

/** A statement on one organisation's rows: `$1` is that organisation. @throws Error at run time outside an organisation's transaction */
export const statement = <Takes extends Columns = {}, Gives extends Columns = {}>(
  text: Text<Takes, Gives>,
): Statement<Takes, Gives> => declare(text, 'one');

/** A statement on tables without organisations (the clock, the directory, counters). */
export const globalStatement = <Takes extends Columns = {}, Gives extends Columns = {}>(
  text: Text<Takes, Gives>,
): Statement<Takes, Gives, Sender> => declare(text, 'none');

/** A statement of kist_device on rows of many organisations, each joined by its own `org_id`. */
export const crossingStatement = <Takes extends Columns = {}, Gives extends Columns = {}>(
  text: Text<Takes, Gives>,
): Statement<Takes, Gives, Sender> => declare(text, 'each');

function declare<Takes extends Columns, Gives extends Columns, By extends Sender>(
  { name, takes, gives, text, isPlannedEachTime }: Text<Takes, Gives>,
  reach: Reach,
): Statement<Takes, Gives, By> {
  const parameters = Object.entries(takes ?? {});
  const sql = placed(name, text, parameters, reach === 'one' ? 2 : 1);
  const declared: Declared = { name, reach, takes: takes ?? {}, gives: gives ?? {}, sql };
  declarations.push(declared);
  const send = async (by: By, values: RowOf<Takes>): Promise<QueryResult<RowOf<Gives> & QueryResultRow>> => {
    const bound = parameters.map(([parameter, { send: toDriver }]) => {
      const value = values[parameter];
      return toDriver && value !== null && value !== undefined ? toDriver(value) : value;
    });
    return ask(by, {
      name: isPlannedEachTime ? undefined : name,
      sql,
      values: reach === 'one' ? [orgOf(by, name), ...bound] : bound,
    });
  };
  return {
    ...declared,
    all: async (by, values) => (await send(by, values)).rows,
    first: async (by, values) => (await send(by, values)).rows[0],
    one: async (by, values) => {
      const [row] = (await send(by, values)).rows;
      if (row === undefined) throw new Error(`${name} answered no row`);
      return row;
    },
    run: async (by, values) => (await send(by, values)).rowCount ?? 0,
  };
}

/** Binds a value and says its place in the text. */
export type Bind = <T>(column: ColumnType<T>, value: T) => string;

/** A statement whose conditions hang on what is asked: a list with filters. */
export interface Family<Input, Gives extends Columns> {
  all(tx: Tx, input: Input): Promise<RowOf<Gives>[]>;
  first(tx: Tx, input: Input): Promise<RowOf<Gives> | undefined>;
}

/**
 * Statements on one organisation's rows that are put together from parts, planned anew at each call. Every value is bound: no text of a caller reaches
 * the statement.
 * @param family.samples inputs that between them use every part: the check prepares the statement of each
 */
export function statementFamily<Input, Gives extends Columns>(family: {
  name: string;
  gives: Gives;
  samples: readonly Input[];
  /** The text, with `$1` as the organisation and the places that `bind` gives. */
  build(input: Input, bind: Bind): string;
}): Family<Input, Gives> {
  const made = (input: Input) => {
    const takes: Columns = {};
    const values: unknown[] = [];
    const sql = family.build(input, (column, value) => {
      values.push(column.send && value !== null ? column.send(value) : value);
      takes[`p${values.length + 1}`] = column;
      return `$${values.length + 1}::${column.sql}`;
    });
    return { sql, values, takes };
  };
  for (const [index, sample] of family.samples.entries()) {
    const { sql, takes } = made(sample);
    declarations.push({ name: `${family.name}#${index + 1}`, reach: 'one', takes, gives: family.gives, sql });
  }
  const send = async (tx: Tx, input: Input): Promise<(RowOf<Gives> & QueryResultRow)[]> => {
    const { sql, values } = made(input);
    return (await tx.query<RowOf<Gives> & QueryResultRow>(sql, [orgOf(tx, family.name), ...values])).rows;
  };
  return { all: send, first: async (tx, input) => (await send(tx, input))[0] };
}

const PLACE = /\$([a-z_][a-z0-9_]*)/g;

/**
 * Each place with its type, so that PostgreSQL need not guess it from where it stands.
 * @throws Error naming what is asked for and not given, or given and not asked for
 */
function placed(
  name: string,
  text: string,
  parameters: readonly (readonly [string, ColumnType<unknown>])[],
  first: number,
): string {
  const used = new Set<string>();
  const sql = text.replaceAll(PLACE, (_place, parameter: string) => {
    const index = parameters.findIndex(([known]) => known === parameter);
    if (index === -1) throw new Error(`${name} uses $${parameter}, which it does not take`);
    used.add(parameter);
    return `$${index + first}::${parameters[index]![1].sql}`;
  });
  for (const [parameter] of parameters)
    if (!used.has(parameter)) throw new Error(`${name} takes ${parameter} and does not use it`);
  return sql;
}

function orgOf(by: Sender, name: string): number {
  const orgId = 'orgId' in by ? by.orgId : undefined;
  if (orgId === undefined) throw new Error(`${name} needs a transaction of an organisation`);
  return orgId;
}

function ask<Row extends QueryResultRow>(
  by: Sender,
  { name, sql, values }: { name: string | undefined; sql: string; values: unknown[] },
): Promise<QueryResult<Row>> {
  return 'orgId' in by ? by.query<Row>(sql, values, name) : by.query<Row>({ name, text: sql, values });
}
