import type { ReactNode } from 'react';
import type { To } from 'react-router';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';
import { toneSoft, type Tone } from './chip.tsx';
import { Link } from './link.tsx';

interface RowLook {
  /** Left: an <Avatar>, a <RowIcon> or nothing. */
  lead?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** Right column; two lines stack. */
  trail?: ReactNode;
  className?: string;
}

const inside = ({ lead, title, detail, trail }: RowLook) => (
  <>
    {lead}
    <span className="min-w-[min(100%,5rem)] flex-1 text-left">
      <span className="block font-semibold">{title}</span>
      {detail && <span className="block text-sm text-ink-2">{detail}</span>}
    </span>
    {trail && (
      <span className="ml-auto grid max-w-full shrink-0 justify-items-end gap-0.5 text-right text-sm text-ink-2">
        {trail}
      </span>
    )}
  </>
);
/** With large letters what stands at the right goes below: beside it the words would have a letter a line. */
const look = (className?: string) =>
  cx('flex flex-wrap min-h-14 w-full items-center gap-3 px-3.5 py-2.5 compact:min-h-12 compact:py-1', className);

/** A row that opens something, does something, or only says something. */
export function ListRow(props: RowLook & { to?: To; state?: unknown; isHere?: boolean; onPress?: () => void }) {
  const { to, state, isHere, onPress, className, ...row } = props;
  if (to !== undefined)
    return (
      <Link
        to={to}
        state={state}
        aria-current={isHere ? 'page' : undefined}
        className={look(cx('active:bg-raise', className))}
      >
        {inside(row)}
      </Link>
    );
  if (onPress)
    return (
      <button type="button" onClick={onPress} className={look(cx('active:bg-raise', className))}>
        {inside(row)}
      </button>
    );
  return <div className={look(className)}>{inside(row)}</div>;
}

/** The coloured square before a row. */
export const RowIcon = (props: { icon: IconName; tone: Tone }) => (
  <span className={cx('grid size-9 shrink-0 place-items-center rounded-[10px]', toneSoft[props.tone])}>
    <Icon name={props.icon} size={19} />
  </span>
);

/** Rows in one card with hairlines between. */
export const RowGroup = (props: { children: ReactNode; label?: string }) => (
  <div
    data-rows
    role={props.label ? 'group' : undefined}
    aria-label={props.label}
    className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-card"
  >
    {props.children}
  </div>
);
