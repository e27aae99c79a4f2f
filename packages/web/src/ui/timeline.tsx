import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

export interface TimelineItem {
  key: string;
  title: ReactNode;
  detail?: ReactNode;
  /** Right column: a date or an hour. */
  at?: string;
  state: 'done' | 'waiting' | 'failed' | 'ahead';
  /** What the state means in words, for readers that do not see the dot. */
  stateLabel: string;
}

const DOTS: Record<TimelineItem['state'], string> = {
  done: 'border-ok bg-ok text-card',
  waiting: 'border-due bg-card text-due',
  failed: 'border-over bg-over text-over-fg',
  ahead: 'border-edge bg-card text-edge',
};

/** Events from first to last: filled dots happened, rings are to come, crosses failed. */
export function Timeline(props: { items: readonly TimelineItem[]; label: string }) {
  return (
    <ol aria-label={props.label} className="grid text-sm">
      {props.items.map((item) => (
        <li
          key={item.key}
          className="relative flex gap-3 py-1.5 not-last:after:absolute not-last:after:top-6 not-last:after:-bottom-2 not-last:after:left-[7px] not-last:after:w-0.5 not-last:after:bg-line"
        >
          <span
            role="img"
            aria-label={item.stateLabel}
            className={cx('z-1 mt-px grid size-4 shrink-0 place-items-center rounded-full border-2', DOTS[item.state])}
          >
            {item.state === 'done' && <Icon name="check" size={10} strokeWidth={4} />}
            {item.state === 'failed' && <Icon name="close" size={10} strokeWidth={4} />}
          </span>
          <span className="min-w-0 flex-1">
            {item.title}
            {item.detail && <span className="block text-ink-2">{item.detail}</span>}
          </span>
          {item.at && <span className="shrink-0 text-ink-2">{item.at}</span>}
        </li>
      ))}
    </ol>
  );
}
