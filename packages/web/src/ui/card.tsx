import type { ComponentProps, ReactNode } from 'react';
import type { To } from 'react-router';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

/** White paper with a hairline. */
export function Card(props: { children: ReactNode; className?: string } & ComponentProps<'section'>) {
  const { children, className, ...rest } = props;
  return (
    <section className={cx('rounded-xl border border-line bg-card p-3.5 compact:p-2.5', className)} {...rest}>
      {children}
    </section>
  );
}

/** The ledger page: the red running stitch beside money. One on a screen. */
export function LedgerCard(props: { children: ReactNode; className?: string } & ComponentProps<'section'>) {
  const { children, className, ...rest } = props;
  return (
    <section
      className={cx('stitch rounded-2xl border border-line bg-card p-4 pl-6 compact:py-2.5 compact:pl-4', className)}
      {...rest}
    >
      {children}
    </section>
  );
}

/** Title above a group, with an optional link to all of it. */
export function SectionTitle(props: { children: ReactNode; to?: To; linkLabel?: string }) {
  return (
    <div className="flex min-h-8 flex-wrap items-end justify-between gap-3 pt-1">
      <h2 className="text-base font-bold">{props.children}</h2>
      {props.to && (
        <Link
          to={props.to}
          className="-my-3 inline-flex min-h-12 items-center gap-1 text-sm font-semibold text-accent-text"
        >
          {props.linkLabel}
          <Icon name="next" size={16} />
        </Link>
      )}
    </div>
  );
}

/** Label above value pairs; long values wrap below their label. */
export function Facts(props: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-y-2">
      {props.items.map((item) => (
        <div key={item.label} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-sm text-ink-2">{item.label}</dt>
          <dd className="ml-auto text-right font-medium">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
