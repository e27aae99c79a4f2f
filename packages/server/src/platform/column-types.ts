import { textArray } from './text-array.ts';

/** How a PostgreSQL type is read and bound here; `pg-types.ts` makes the values so. */
export interface ColumnType<T> {
  /** As `format_type` spells it. */
  readonly sql: string;
  readonly isNullable: boolean;
  /** The table allows null, and the statement leaves none. */
  readonly isKnown?: boolean;
  /** Turns a value into what the driver sends; absent: as it is. */
  readonly send?: (value: unknown) => unknown;
  /** Carries T for the compiler; never there at run time. */
  readonly kept?: T;
}

/** What a column of this type holds. */
export type Held<C> = C extends ColumnType<infer T> ? T : never;

/** A row of these columns. */
export type RowOf<C> = { [K in keyof C]: Held<C[K]> };

const type = <T>(sql: string, send?: (value: unknown) => unknown): ColumnType<T> => ({
  sql,
  isNullable: false,
  ...(send && { send }),
});

export const text = type<string>('text');
export const uuid = type<string>('uuid');
export const bool = type<boolean>('boolean');
export const int2 = type<number>('smallint');
export const int4 = type<number>('integer');
/** Within ±2^53−1, or reading it throws. */
export const int8 = type<number>('bigint');
export const float8 = type<number>('double precision');
/** A calendar date, `YYYY-MM-DD`. */
export const date = type<string>('date');
export const timestamptz = type<Date>('timestamp with time zone');
export const bytea = type<Buffer>('bytea');
/** A transaction's number, as text: compared by PostgreSQL only. */
export const xid8 = type<string>('xid8');
/** A statement that answers nothing of use, as a lock does. */
export const nothing = type<unknown>('void');

const asJson = (value: unknown): unknown => JSON.stringify(value);
/** Any value that JSON can write; nobody checks what is read against T but who wrote it. */
export const jsonb = <T = unknown>(): ColumnType<T> => type<T>('jsonb', asJson);

/** @returns the same column where null is a value too. */
export const nullable = <T>(column: ColumnType<T>): ColumnType<T | null> => ({ ...column, isNullable: true });

/** @returns the same column, in which the statement's own condition leaves no null. */
export const known = <T>(column: ColumnType<T>): ColumnType<T> => ({ ...column, isKnown: true });

/** @returns the same column, known to hold only some of its type's values: `as<Lot>()(text)`. A check constraint must say so too. */
export const as =
  <T>() =>
  <C>(column: ColumnType<T extends C ? C : never>): ColumnType<T> =>
    column as ColumnType<unknown> as ColumnType<T>;

/** An array of such values, none of them null. */
export const listOf = <T>(column: ColumnType<T>): ColumnType<readonly T[]> => type<readonly T[]>(`${column.sql}[]`);

/** Texts by the thousand, in the form that PostgreSQL reads fastest. */
export const manyTexts = type<readonly string[]>('text[]', (values) => textArray(values as readonly string[]));
