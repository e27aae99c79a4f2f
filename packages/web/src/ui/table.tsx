import type { Key, ReactNode } from 'react';
import { cx } from './cx.ts';

export interface Column<Row> {
  key: string;
  /** What stands above; one that needs no word (buttons) is named for readers alone. */
  head: ReactNode;
  hideHead?: boolean;
  cell: (row: Row) => ReactNode;
  /** Money and counts: at the right, so that places stand below one another. */
  figure?: boolean;
  /** Below the last row. */
  sum?: ReactNode;
  className?: string;
}

const padding = 'px-2 py-2 first:pl-3.5 last:pr-3.5';
const look = (column: Pick<Column<never>, 'figure' | 'className'>) =>
  cx(padding, column.figure ? 'text-right whitespace-nowrap' : 'text-left', column.className);

/** The row of column heads. */
export const TableHead = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <thead>
    <tr className="border-b border-line text-sm text-ink-2">
      {columns.map(({ key, head, hideHead, ...column }) => (
        <th key={key} scope="col" className={cx(look(column), 'font-semibold')}>
          {hideHead ? <span className="sr-only">{head}</span> : head}
        </th>
      ))}
    </tr>
  </thead>
);

/** Rows below one another; the first cell of each names it. */
export function TableRows<Row>(props: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowLook?: (row: Row) => string;
}) {
  const { columns, rows, keyOf, rowLook } = props;
  return rows.map((row) => (
    <tr key={keyOf(row)} className={cx('border-b border-line last:border-b-0', rowLook?.(row))}>
      {columns.map((column, place) =>
        place === 0 ? (
          <th key={column.key} scope="row" className={cx(look(column), 'font-normal')}>
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.key} className={look(column)}>
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  ));
}

/** What the columns add up to. */
export const TableSums = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <tfoot>
    <tr className="border-t border-edge font-bold">
      {columns.map((column, place) =>
        place === 0 ? (
          <th key={column.key} scope="row" className={cx(look(column), 'font-bold')}>
            {column.sum}
          </th>
        ) : (
          <td key={column.key} className={look(column)}>
            {column.sum}
          </td>
        ),
      )}
    </tr>
  </tfoot>
);

/** White paper with the table on it. */
export const TableCard = (props: { label: string; children: ReactNode }) => (
  <div className="rounded-xl border border-line bg-card">
    <table className="w-full border-collapse text-sm xl:text-[0.875rem]">
      <caption className="sr-only">{props.label}</caption>
      {props.children}
    </table>
  </div>
);

/** A table for a screen with room for one; a phone has cards in its place. @param label what the table is of, for readers. */
export function Table<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowLook?: (row: Row) => string;
}) {
  const { label, columns, ...body } = props;
  return (
    <TableCard label={label}>
      <TableHead columns={columns} />
      <tbody>
        <TableRows columns={columns} {...body} />
      </tbody>
      {columns.some(({ sum }) => sum !== undefined) && <TableSums columns={columns} />}
    </TableCard>
  );
}
