import type { ComponentProps, CSSProperties, KeyboardEvent, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';

/*
 * The parts of a table of thousands of rows, of which only those near the screen exist. Such a table cannot find out by itself how wide its columns are:
 * each row is a grid of the same columns.
 */

interface Part {
  style: CSSProperties;
  children: ReactNode;
  ref?: Ref<never>;
}

export const ListTableBody = (props: Part) => <tbody className="block" {...props} />;

/** @param columns the classes of the grid. @returns a row as the virtual list wants it; what is chosen in it, or has the focus, colours all of it. */
export const listTableRow =
  (columns: string) =>
  ({ index, ...row }: Part & { index: number }) =>
    (
      // The head is the first row.
      <tr
        aria-rowindex={index + 2}
        className={cx(
          'h-15 compact:h-12 px-4 shadow-[inset_0_-1px_var(--line)] hover:bg-raise has-focus-visible:bg-raise has-aria-[current=true]:bg-accent-soft',
          columns,
        )}
        {...row}
      />
    );

/** Around head and rows. @param total how many rows there are, loaded or not. */
export function ListTable(props: { label: string; total: number; children: ReactNode }) {
  const { label, total, children } = props;
  return (
    // The keys are an extra for its links, which Tab reaches as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <table aria-label={label} aria-rowcount={total + 1} className="block w-full" onKeyDown={moveInRows}>
      {children}
    </table>
  );
}

/** Stays in sight below what sticks above it. @param top where that ends. */
export const ListTableHead = (props: { columns: string; top: string; children: ReactNode }) => (
  <thead className={cx('sticky z-1 block', props.top)}>
    <tr className={cx('h-9 border-b border-line bg-bg px-4 text-sm text-ink-2', props.columns)}>{props.children}</tr>
  </thead>
);

export const ListTableTitle = ({ className, ...head }: ComponentProps<'th'>) => (
  <th scope="col" className={cx('truncate text-left font-semibold', className)} {...head} />
);

/** Of the link in a row: all of the row is its target, and it stops below what sticks at the top. It is marked `data-row`. */
export const rowLink =
  'block scroll-mt-36 scroll-mb-16 truncate font-semibold lg:scroll-mt-20 after:absolute after:inset-0';

/** Up and down, to the first and the last that are loaded. */
function moveInRows(event: KeyboardEvent<HTMLTableElement>): void {
  const at = (event.target as HTMLElement).closest('tr');
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const place = rows.findIndex((row) => at?.contains(row));
  if (place < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const step = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  rows[step]?.focus();
}
