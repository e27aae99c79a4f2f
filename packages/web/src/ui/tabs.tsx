import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';

interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number;
}
interface Choice<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  at: Id;
  onChange: (id: Id) => void;
}

/** Tabs with the arrow keys of the ARIA pattern; the panel of the chosen one is `children`. */
export function Tabs<Id extends string>({ children, ...choice }: Choice<Id> & { children: ReactNode }) {
  const base = useId();
  return (
    <>
      <TabRow {...choice} base={base} />
      <div id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${choice.at}`}>
        {children}
      </div>
    </>
  );
}

/** @param props `base` begins the ids of the tabs and of their panel. */
function TabRow<Id extends string>(props: Choice<Id> & { base: string }) {
  const { label, tabs, at, onChange, base } = props;
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    const place = (tabs.findIndex((tab) => tab.id === at) + step + tabs.length) % tabs.length;
    const next = tabs[place];
    if (!next) return;
    onChange(next.id);
    (row.current?.children[place] as HTMLElement | undefined)?.focus();
  };
  return (
    <div ref={row} role="tablist" aria-label={label} className="flex flex-wrap rounded-lg bg-raise p-1 *:flex-1">
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={`${base}-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === at}
          aria-controls={`${base}-panel`}
          tabIndex={tab.id === at ? 0 : -1}
          onKeyDown={move}
          onClick={() => onChange(tab.id)}
          className={cx(
            'min-h-11 rounded-[10px] px-2 text-sm',
            tab.id === at ? 'bg-card font-semibold shadow-[0_1px_3px_#0000001f]' : 'text-ink-2',
          )}
        >
          {tab.label}
          {tab.count !== undefined && <span className="text-ink-2"> {tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
