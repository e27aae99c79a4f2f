import { createContext, use, useCallback, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '#web/i18n/formats.ts';
import { shopTimeOf, useShopNowMs } from '#web/state/shop-clock.ts';
import { Icon } from '#web/ui/icon.tsx';

interface Kept {
  atMs: number;
  isSearched: boolean;
}
type Say = (id: string, kept: Kept | undefined) => void;
const KeptContext = createContext<Say | undefined>(undefined);

/** Draws one note above its children, however many of the answers among them were kept on this phone: as old as the oldest. */
export function KeptOnce({ children }: { children: ReactNode }) {
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map());
  const say = useCallback<Say>(
    (id, one) =>
      setKept((before) => {
        if (one === undefined && !before.has(id)) return before;
        const after = new Map(before);
        if (one === undefined) after.delete(id);
        else after.set(id, one);
        return after;
      }),
    [],
  );
  const all = [...kept.values()];
  return (
    <KeptContext value={say}>
      {all.length > 0 && (
        <KeptNote
          atMs={Math.min(...all.map(({ atMs }) => atMs))}
          isSearched={all.some(({ isSearched }) => isSearched)}
        />
      )}
      {children}
    </KeptContext>
  );
}

/**
 * What is shown here was kept on this phone, then (ms of its clock); undefined: it is the server's of now. The page says it once.
 * @param isSearched it was looked for there: what this phone never showed is not among it.
 */
export function useKept(atMs: number | undefined, isSearched = false): void {
  const say = use(KeptContext);
  const id = useId();
  useLayoutEffect(() => {
    say?.(id, atMs === undefined ? undefined : { atMs, isSearched });
    return () => say?.(id, undefined);
  }, [say, id, atMs, isSearched]);
}

/** What stands below is of then: there is no way to the server now. */
function KeptNote({ atMs, isSearched }: Kept) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const ago = formatAgo(new Date(shopTimeOf(atMs)).toISOString(), nowMs);
  return (
    <p data-kept className="flex items-center gap-2 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
      <Icon name="offline" size={16} />
      {t(isSearched ? 'states.searched_here' : 'states.kept', { ago })}
    </p>
  );
}
