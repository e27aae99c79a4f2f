import {
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { CacheSnapshot, WindowVirtualizerHandle } from 'virtua';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useWhole } from '#web/ui/use-whole.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { useKept } from '#web/widgets/kept-note.tsx';
import { usePlace } from './place.ts';
import type { Pages } from './use-pages.ts';

/** Load the next page when this many rows are left below the screen. */
const AHEAD = 12;
/** Height of the rows beside those in sight that are drawn too. */
const BESIDE_PX = 800;
/** About a row. */
const STEP_PX = 80;

/** Rows below those in sight come one after the other: drawn at once they would hold up the first press. */
function useBeside(): number {
  const isWhole = useWhole();
  const [px, setPx] = useState(isWhole ? BESIDE_PX : 0);
  const isGrowing = isWhole && px < BESIDE_PX;
  useEffect(() => {
    if (!isGrowing) return;
    const timer = setTimeout(() => startTransition(() => setPx((before) => before + STEP_PX)));
    return () => clearTimeout(timer);
  }, [isGrowing, px]);
  return px;
}

/**
 * The answer to another question begins with its first row, wherever one had come to in that of before: right below search and filters, which stay where they
 * stand in sight.
 * @returns for the part that the rows stand in
 */
function useFirstRow(key: string | undefined): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useLayoutEffect(() => {
    const isOther = shown.current !== key;
    shown.current = key;
    const above = part.current?.previousElementSibling;
    if (!isOther || !part.current || !above) return;
    const hiddenPx = above.getBoundingClientRect().bottom - part.current.getBoundingClientRect().top;
    if (hiddenPx > 0) window.scrollBy(0, -hiddenPx);
  }, [key]);
  return part;
}

/** What a virtual list is given, so that it grows as it is scrolled and opens where it was left. */
export interface Virtual {
  ref: Ref<WindowVirtualizerHandle>;
  bufferSize: number;
  cache: CacheSnapshot | undefined;
  onScroll: () => void;
}

/**
 * A hundred thousand rows cost what twenty cost: only those near the screen exist.
 * @param end what stands below the last row
 * @param children draws the rows; as a table where there is room for its columns
 */
export function PagedRows<Row>(props: {
  pages: Pages<Row>;
  end: (total: number) => string;
  children: (virtual: Virtual, loaded: { rows: Row[]; total: number }, isTable: boolean) => ReactNode;
}) {
  const { pages, end, children } = props;
  const { loaded, isStale, more, restored, keepPlace } = pages;
  const isTable = useAtLeast('tablet');
  const list = usePlace(pages, isTable, keepPlace);
  const beside = useBeside();
  useKept(loaded?.keptAtMs);
  const part = useFirstRow(loaded?.key);
  if (!loaded) return null;
  const checkEnd = () => {
    const handle = list.current;
    if (!handle) return;
    if (handle.findItemIndex(handle.scrollOffset + handle.viewportSize) >= loaded.rows.length - AHEAD) more();
  };
  const virtual = {
    ref: list,
    bufferSize: beside,
    cache: restored?.isTable === isTable ? restored.cache : undefined,
    onScroll: checkEnd,
  };
  // Rows grow above the end of the list: a browser that holds on to that end would run through all of it.
  return (
    <div
      ref={part}
      aria-busy={isStale}
      inert={isStale}
      className={cx('-mx-4 border-t border-line transition-opacity [overflow-anchor:none]', isStale && 'opacity-50')}
    >
      {children(virtual, loaded, isTable)}
      <ListEnd pages={pages} shown={loaded.rows.length} total={loaded.total} end={end(loaded.total)} />
    </div>
  );
}

/** Below the last row: loading, a failed page, more, or the end. */
function ListEnd(props: {
  pages: Pick<Pages<unknown>, 'error' | 'isLoading' | 'more' | 'retry'>;
  shown: number;
  total: number;
  end: string;
}) {
  const { shown, total, end } = props;
  const { t } = useTranslation();
  const { error, isLoading, more, retry } = props.pages;
  return (
    <div className="grid min-h-16 place-items-center p-3 text-sm text-ink-2">
      {isLoading && <Spinner label={t('common.loading')} />}
      {!isLoading && error && (
        <Button tone="plain" icon="refresh" onClick={retry}>
          {t('common.retry')}
        </Button>
      )}
      {!isLoading && !error && shown < total && (
        <Button tone="quiet" onClick={more}>
          {t('customers.more')}
        </Button>
      )}
      {shown >= total && end}
    </div>
  );
}
