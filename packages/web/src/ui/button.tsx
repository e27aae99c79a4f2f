import type { ComponentProps, ReactNode } from 'react';
import type { To } from 'react-router';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';
import { Link } from './link.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonTone = 'accent' | 'plain' | 'danger' | 'soft' | 'quiet';

const TONES: Record<ButtonTone, string> = {
  accent: 'bg-accent text-accent-fg border-[var(--accent-edge,transparent)]',
  plain: 'bg-card text-ink border-edge',
  danger: 'bg-over text-over-fg border-transparent',
  soft: 'bg-accent-soft text-accent-text border-transparent',
  quiet: 'text-accent-text border-transparent px-3',
};

const shape = (tone: ButtonTone, block?: boolean, className?: string) =>
  cx(
    'inline-flex max-w-full min-h-12 items-center justify-center gap-2 rounded-lg border px-4 py-2 text-center font-semibold transition-[transform,opacity] duration-100 select-none active:scale-[.98] disabled:opacity-50 aria-disabled:opacity-50',
    TONES[tone],
    block && 'w-full',
    className,
  );

interface Look {
  tone?: ButtonTone;
  icon?: IconName;
  /** Full width. */
  block?: boolean;
  children: ReactNode;
}

/**
 * @param busy shows a spinner, keeps the width and the focus, and swallows presses; the label stays readable for screen readers.
 */
export function Button(props: Look & { busy?: boolean } & Omit<ComponentProps<'button'>, 'children'>) {
  const { tone = 'accent', icon, block, busy, children, className, onClick, type = 'button', ...rest } = props;
  return (
    <button
      type={type}
      className={shape(tone, block, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <Spinner size={20} /> : icon && <Icon name={icon} size={20} />}
      {children}
    </button>
  );
}

/** A link that looks like a button: it goes somewhere. */
export function ButtonLink(props: Look & { to: To; replace?: boolean; className?: string }) {
  const { tone = 'accent', icon, block, to, replace, children, className } = props;
  return (
    <Link to={to} replace={replace} className={shape(tone, block, className)}>
      {icon && <Icon name={icon} size={20} />}
      {children}
    </Link>
  );
}

/** A link out of the app: `tel:`, `https://wa.me/…`, maps. */
export function ButtonAnchor(props: Look & { href: string; onClick?: () => void; className?: string }) {
  const { tone = 'plain', icon, block, href, onClick, children, className } = props;
  const outside = href.startsWith('http') ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <a href={href} onClick={onClick} className={shape(tone, block, className)} {...outside}>
      {icon && <Icon name={icon} size={20} />}
      {children}
    </a>
  );
}

/** 48 px square that calls or goes out of the app. */
export function IconAnchor({ icon, label, href }: { icon: IconName; label: string; href: string }) {
  const outside = href.startsWith('http') ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <a
      href={href}
      aria-label={label}
      className="grid size-12 shrink-0 place-items-center rounded-md text-ink-2 active:bg-raise"
      {...outside}
    >
      <Icon name={icon} />
    </a>
  );
}

/** 48 px square with an icon; `label` is its name for everyone who cannot see it. */
export function IconButton(props: { icon: IconName; label: string; badge?: number } & ComponentProps<'button'>) {
  const { icon, label, badge, className, type = 'button', ...rest } = props;
  const shown = badge ? (badge > 99 ? '99+' : String(badge)) : null;
  return (
    <button
      type={type}
      aria-label={shown ? `${label} ${shown}` : label}
      className={cx(
        'relative grid size-12 shrink-0 place-items-center rounded-md text-ink-2 active:bg-raise disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      <Icon name={icon} />
      {shown ? (
        <span
          aria-hidden
          className="absolute top-1.5 right-1.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-over px-1 text-xs font-semibold text-over-fg"
        >
          {shown}
        </span>
      ) : null}
    </button>
  );
}
