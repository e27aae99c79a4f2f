import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

/** Meaning of a colour, everywhere the same: ok settled, due today or waiting, over late or broken, lock held or inactive, accent ours. */
export type Tone = 'ok' | 'due' | 'over' | 'lock' | 'accent';

export const toneSoft: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  due: 'bg-due-soft text-due',
  over: 'bg-over-soft text-over',
  lock: 'bg-lock-soft text-lock',
  accent: 'bg-accent-soft text-accent-text',
};

/** A state in colour, word and icon together. */
export function Chip(props: { tone: Tone; icon?: IconName; children: ReactNode; className?: string }) {
  const { tone, icon, children, className } = props;
  return (
    <span
      data-chip
      className={cx(
        // On one line while there is room for it in what it stands in: with large letters a state may be wider than the screen.
        'inline-flex w-fit max-w-full shrink-0 items-center gap-1 rounded-sm px-2 py-0.5 text-xs font-semibold break-words',
        toneSoft[tone],
        className,
      )}
    >
      {icon && <Icon name={icon} size={13} strokeWidth={2.2} />}
      {children}
    </span>
  );
}

/** A round filter, which keys bring wholly into sight: a browser leaves it half outside. With large letters its words take a second line before they run out of the screen. `aria-pressed` says whether it is on. Without `pressed` it does something each time and is never on. @param count shown after the word. */
export function FilterChip(
  props: { pressed?: boolean; count?: number; children: ReactNode } & Omit<ComponentProps<'button'>, 'children'>,
) {
  const { pressed, count, children, className, ...rest } = props;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ inline: 'nearest', block: 'nearest' })}
      className={cx(
        'inline-flex min-h-10 max-w-full shrink-0 items-center gap-1.5 rounded-full border px-3.5 text-sm',
        // 48 px of touch: the row around adds 4 px above and below.
        'relative before:absolute before:-inset-y-1 before:inset-x-0',
        pressed ? 'border-ink bg-ink font-semibold text-bg' : 'border-edge bg-card',
        className,
      )}
      {...rest}
    >
      {children}
      {count !== undefined && <span className={pressed ? '' : 'text-ink-2'}>{count}</span>}
    </button>
  );
}

/** One line of filter chips that scrolls sideways out to the screen's edge. */
export const ChipRow = (props: { label: string; children: ReactNode }) => (
  <div
    role="group"
    aria-label={props.label}
    className="no-scrollbar -mx-4 flex scroll-px-4 gap-2 overflow-x-auto px-4 py-1"
  >
    {props.children}
  </div>
);
