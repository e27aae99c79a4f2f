import { useTranslation } from 'react-i18next';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { shopTimeOf } from '#web/state/shop-clock.ts';
import { useOutboxEntries } from '#web/offline/app-outbox.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';

/** What waits on this phone to be sent about a customer's money. */
export const useQueuedOf = (customerId: string): readonly OutboxEntry[] =>
  useOutboxEntries().filter(({ about, picture }) => about === customerId && picture === undefined);

/** @returns paise that wait for each instalment; a payment of several stands at each of them without a sum, one of a late fee at none. */
export function queuedByInstalment(entries: readonly OutboxEntry[]): ReadonlyMap<string, number | null> {
  const paise = new Map<string, number | null>();
  for (const { input } of entries) {
    const body = (input.body ?? {}) as {
      instalment_id?: string;
      instalment_ids?: string[];
      charge_id?: string;
      amount?: number;
    };
    const { instalment_id: id, charge_id: charge, amount } = body;
    if (id && !charge && amount !== undefined) paise.set(id, (paise.get(id) ?? 0) + amount);
    for (const one of body.instalment_ids ?? []) paise.set(one, null);
  }
  return paise;
}

/** Taken here and not with the server yet: the figures beside it do not count it. */
export function QueuedPayments({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const entries = useQueuedOf(customerId);
  if (entries.length === 0) return null;
  return (
    <Card aria-label={t('shell.outbox')} className="grid gap-2">
      {entries.map((entry) => (
        <div key={entry.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span>
            <b className="block">{entry.label}</b>
            <span className="text-sm text-ink-2">
              {formatDateTime(new Date(shopTimeOf(Date.parse(entry.madeAt))).toISOString())}
            </span>
          </span>
          <QueuedChip entry={entry} />
        </div>
      ))}
    </Card>
  );
}

function QueuedChip({ entry }: { entry: OutboxEntry }) {
  const { t } = useTranslation();
  return entry.state === 'failed' ? (
    <Chip tone="over" icon="warning">
      {t('shell.outbox_failed')}
    </Chip>
  ) : (
    <Chip tone="due" icon="clock">
      {t('shell.not_sent')}
    </Chip>
  );
}

/** On the instalment that it is for. */
export function QueuedOnInstalment({ paise }: { paise: number | null }) {
  const { t } = useTranslation();
  return (
    <Chip tone="due" icon="clock">
      {[paise !== null && formatMoney(paise), t('shell.not_sent')].filter(Boolean).join(' · ')}
    </Chip>
  );
}
