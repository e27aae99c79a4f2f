import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { outbox, useOutboxEntries } from '#web/offline/app-outbox.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { owedNow } from '#web/offline/owed-now.ts';
import { shopTimeOf } from '#web/state/shop-clock.ts';
import { mayKeepOnDisk } from '#web/state/storage.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { StateView } from '#web/ui/state-view.tsx';

const LOOKS: Record<OutboxEntry['state'], { tone: Tone; icon: IconName }> = {
  queued: { tone: 'due', icon: 'clock' },
  sending: { tone: 'accent', icon: 'refresh' },
  failed: { tone: 'over', icon: 'warning' },
};

/** What is saved here and not sent yet; a refused one says why and can be tried again or removed. */
export function OutboxSheet(props: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const entries = useOutboxEntries();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('shell.outbox')}>
      {entries.length === 0 ? (
        <StateView kind="done" title={t('shell.outbox_empty')} />
      ) : (
        <>
          {/* Of what was refused it would not be true. */}
          {entries.some(({ state }) => state !== 'failed') && (
            <p className="text-sm text-ink-2">{t('shell.outbox_hint')}</p>
          )}
          {!mayKeepOnDisk() && <p className="text-sm text-due">{t('shell.memory_only')}</p>}
          <RowGroup>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </RowGroup>
        </>
      )}
    </Sheet>
  );
}

function Entry({ entry }: { entry: OutboxEntry }) {
  const { t } = useTranslation();
  const { tone, icon } = LOOKS[entry.state];
  const { away } = useSyncState();
  // Noted by this phone's clock, told by the product's, as beside the EMIs.
  const madeAt = new Date(shopTimeOf(Date.parse(entry.madeAt))).toISOString();
  const isForServer = entry.state === 'queued' && (away === null || away === 'server');
  return (
    <div>
      <ListRow
        title={entry.label}
        detail={entry.error ? errorText(entry.error as ApiError, t) : formatDateTime(madeAt)}
        trail={
          <Chip tone={tone} icon={icon}>
            {t(isForServer ? 'shell.outbox_waiting' : `shell.outbox_${entry.state}`)}
          </Chip>
        }
      />
      {entry.state === 'failed' && <Refused entry={entry} />}
    </div>
  );
}

/** What can be done with what the server refused. To throw away a payment is asked about first: it is noted nowhere else. */
function Refused({ entry }: { entry: OutboxEntry }) {
  const { id, label } = entry;
  const { t } = useTranslation();
  const call = owedNow(entry);
  const [isAsking, setAsking] = useState(false);
  const discard = () => {
    setAsking(false);
    void outbox.discard(id);
  };
  return (
    <div className={call ? 'grid gap-2 px-3.5 pb-3' : 'flex gap-2 px-3.5 pb-3 *:flex-1'}>
      {/* Sent as it was it would be refused for ever. */}
      {call && (
        <Button icon="check" onClick={() => void outbox.retry(id, call)}>
          {t('shell.came')}
        </Button>
      )}
      <Button tone="plain" icon="trash" onClick={() => setAsking(true)}>
        {t('shell.discard')}
      </Button>
      {!call && (
        <Button icon="refresh" onClick={() => void outbox.retry(id)}>
          {t('common.retry')}
        </Button>
      )}
      <Confirm
        open={isAsking}
        title={t('shell.discard_ask')}
        body={
          <>
            <p className="font-semibold text-ink">{label}</p>
            <p>{t('shell.discard_body')}</p>
          </>
        }
        confirmLabel={t('shell.discard')}
        danger
        onConfirm={discard}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
