import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#web/i18n/formats.ts';
import { useOutboxEntries } from '#web/offline/app-outbox.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { shopTimeOf } from '#web/state/shop-clock.ts';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { OutboxSheet } from './outbox-sheet.tsx';

const BARE = {
  none: 'shell.online',
  network: 'shell.offline',
  portal: 'errors.PARSING_ERROR',
  server: 'shell.server_away',
} as const;
const SINCE = { none: 'shell.synced', network: 'shell.offline_since', server: 'shell.server_away_since' } as const;

/** One line on top of every screen: online, last sync, what waits. Opens what waits. */
export function SyncStrip() {
  const { t } = useTranslation();
  const { isOnline, away, lastSyncMs } = useSyncState();
  const entries = useOutboxEntries();
  const [open, setOpen] = useState(false);
  const failed = entries.filter((entry) => entry.state === 'failed').length;
  const queued = entries.length - failed;
  const time = lastSyncMs === null ? null : formatTime(shopTimeOf(lastSyncMs));
  const line = time === null || away === 'portal' ? t(BARE[away ?? 'none']) : t(SINCE[away ?? 'none'], { time });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={cx(
          'relative flex min-h-7 w-full items-center justify-center gap-2 px-4 text-xs before:absolute before:inset-x-0 before:-bottom-1 before:h-8',
          failed > 0 ? 'bg-over-soft text-over' : isOnline && queued === 0 ? 'text-ink-2' : 'bg-due-soft text-due',
        )}
      >
        {isOnline ? (
          <span aria-hidden className="size-2 rounded-full bg-ok" />
        ) : (
          <Icon name="offline" size={14} strokeWidth={2.2} />
        )}
        <span>{line}</span>
        {queued > 0 && <span className="font-semibold">· {t('shell.queued', { count: queued })}</span>}
        {failed > 0 && <span className="font-semibold">· {t('shell.failed', { count: failed })}</span>}
      </button>
      <span role="status" className="sr-only">
        {away && t(BARE[away])}
        {failed > 0 ? t('shell.failed', { count: failed }) : ''}
      </span>
      <OutboxSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}
