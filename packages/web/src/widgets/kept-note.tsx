import { createContext, use, useCallback, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAgo } from '#web/i18n/formats.ts';
import { shopTimeOf, useShopNowMs } from '#web/state/shop-clock.ts';
import { Icon } from '#web/ui/icon.tsx';

type Say = (id: string, atMs: number | undefined) => void;
const KeptContext = createContext<Say | undefined>(undefined);

/** Draws one note above its children, however many of the answers among them were kept on this phone: as old as the oldest. */
export function KeptOnce({ children }: { children: ReactNode }) {
  const [kept, setKept] = useState<ReadonlyMap<string, number>>(new Map());
  const say = useCallback<Say>(
    (id, atMs) =>
      setKept((before) => {
        if (before.get(id) === atMs) return before;
        const after = new Map(before);
        if (atMs === undefined) after.delete(id);
        else after.set(id, atMs);
        return after;
      }),
    [],
  );
  return (
    <KeptContext value={say}>
      {kept.size > 0 && <KeptNote atMs={Math.min(...kept.values())} />}
      {children}
    </KeptContext>
  );
}

/** What is shown here was kept on this phone, then (ms of its clock); undefined: it is the server's of now. The page says it once. */
export function useKept(atMs: number | undefined): void {
  const say = use(KeptContext);
  const id = useId();
  useLayoutEffect(() => {
    say?.(id, atMs);
    return () => say?.(id, undefined);
  }, [say, id, atMs]);
}

/** What stands below is of then: there is no way to the server now. */
function KeptNote({ atMs }: { atMs: number }) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const ago = formatAgo(new Date(shopTimeOf(atMs)).toISOString(), nowMs);
  return (
    <p data-kept className="flex items-center gap-2 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
      <Icon name="offline" size={16} />
      {t('states.kept', { ago })}
    </p>
  );
}
