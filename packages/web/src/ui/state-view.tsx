import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';
import { toneSoft, type Tone } from './chip.tsx';

export type StateKind = 'empty' | 'no_result' | 'offline' | 'error' | 'no_permission' | 'done';

const LOOKS: Record<StateKind, { icon: IconName; tone: Tone }> = {
  empty: { icon: 'doc', tone: 'accent' },
  no_result: { icon: 'search', tone: 'lock' },
  offline: { icon: 'offline', tone: 'due' },
  error: { icon: 'warning', tone: 'over' },
  no_permission: { icon: 'shield', tone: 'lock' },
  done: { icon: 'check', tone: 'ok' },
};

/** When there is nothing to show: what is the case, and in `children` the buttons for what to do next. */
export function StateView(props: {
  kind: StateKind;
  title: string;
  body?: ReactNode;
  icon?: IconName;
  children?: ReactNode;
}) {
  const { kind, title, body, icon, children } = props;
  return (
    <div className="mx-auto grid w-full max-w-80 justify-items-center gap-2 px-2 py-12 text-center">
      <span className={cx('mb-2 grid size-16 place-items-center rounded-2xl', toneSoft[LOOKS[kind].tone])}>
        <Icon name={icon ?? LOOKS[kind].icon} size={30} />
      </span>
      <h2 className="text-lg font-bold">{title}</h2>
      {body && <p className="text-ink-2">{body}</p>}
      {children && <div className="mt-4 grid w-full gap-2">{children}</div>}
    </div>
  );
}
