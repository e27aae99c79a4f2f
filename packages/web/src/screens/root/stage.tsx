import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation, useMatches, useNavigate, useSearchParams } from 'react-router';
import { listBehind } from '#web/paths.ts';
import { cx } from '#web/ui/cx.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { PaneContext } from '#web/widgets/pane.ts';

/** Of a route whose screen stands in a list, or is that list. */
interface Handle {
  list?: { Screen: ComponentType; isIt: boolean };
}

/** The screen; on a desk its list stays beside it. */
export function Stage() {
  const isDesk = useAtLeast('desk');
  const list = useMatches()
    .map(({ handle }) => (handle as Handle | undefined)?.list)
    .find((one) => one !== undefined);
  if (!isDesk || !list) return <Outlet />;
  return <SideBySide list={<list.Screen />} detail={list.isIt ? null : <Outlet />} />;
}

/**
 * The list scrolls with the page, so that it comes back to its very place; what was chosen from it stands still at the right and scrolls for itself.
 * Escape closes it, and the focus is where it was in the list.
 */
function SideBySide({ list, detail }: { list: ReactNode; detail: ReactNode }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const chosen = detail === null ? null : (search.get('customer_id') ?? pathname.split('/').at(-1) ?? null);
  useFocusBack(chosen);
  useShortcut('Escape', chosen === null ? undefined : () => void navigate(listBehind(String(search))));
  return (
    <main
      id="content"
      tabIndex={-1}
      className={cx('grid flex-1', chosen !== null && 'grid-cols-[minmax(0,1fr)_clamp(25rem,42%,56rem)]')}
    >
      <div className="flex min-w-0 flex-col">
        <Suspense>
          <PaneContext value={{ side: 'list', isBeside: chosen !== null }}>{list}</PaneContext>
        </Suspense>
      </div>
      {chosen !== null && (
        // Another customer's begins at its top.
        <div
          key={chosen}
          className="sticky top-[var(--top)] h-[calc(100dvh-var(--top))] overflow-y-auto overscroll-contain border-l border-line"
        >
          <div className="flex min-h-full flex-col [--top:0px]">
            <PaneContext value={{ side: 'detail', isBeside: false }}>{detail}</PaneContext>
          </div>
        </div>
      )}
    </main>
  );
}

/** Who closes a detail stands on its row again. */
function useFocusBack(chosen: string | null): void {
  const last = useRef(chosen);
  useEffect(() => {
    if (chosen === null && last.current !== null)
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(last.current)}"]`)?.focus({ preventScroll: true });
    last.current = chosen;
  }, [chosen]);
}
