import { useTranslation } from 'react-i18next';
import { formatAgo, formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { shopTimeOf } from '#web/state/shop-clock.ts';
import { useOutboxEntries } from '#web/offline/app-outbox.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';

/** What waits on this phone to be sent about a customer's money. */
export const useQueuedOf = (customerId: string): readonly OutboxEntry[] =>
  useOutboxEntries().filter(({ about, picture }) => about === customerId && picture === undefined);

/** What the call of an entry takes money for. */
interface Paying {
  payment_id?: string;
  instalment_id?: string;
  instalment_ids?: string[];
  charge_id?: string;
  amount?: number;
}
export const payingOf = ({ input }: OutboxEntry): Paying => (input.body ?? {}) as Paying;

/** It goes on by itself; one that was refused waits for a person. */
export const isUnderWay = ({ state }: OutboxEntry): boolean => state !== 'failed';

/** @returns paise that wait for each instalment; a payment of several stands at each of them without a sum, one of a late fee at none. */
export function queuedByInstalment(entries: readonly OutboxEntry[]): ReadonlyMap<string, number | null> {
  const paise = new Map<string, number | null>();
  for (const entry of entries) {
    const { instalment_id: id, instalment_ids: ids = [], charge_id: charge, amount } = payingOf(entry);
    if (id && !charge && amount !== undefined) paise.set(id, (paise.get(id) ?? 0) + amount);
    for (const one of ids) paise.set(one, null);
  }
  return paise;
}

/** Taken here and not with the server yet: the figures beside it do not count it. */
export function QueuedPayments({ customerId }: { customerId: string }) {
  return <QueuedList entries={useQueuedOf(customerId)} />;
}

/** Each with its sum, its age and that it waits; nothing where nothing does. */
export function QueuedList({ entries }: { entries: readonly OutboxEntry[] }) {
  const { t } = useTranslation();
  if (entries.length === 0) return null;
  const timesOf = ({ madeAt }: OutboxEntry) => {
    const at = new Date(shopTimeOf(Date.parse(madeAt))).toISOString();
    return `${formatDateTime(at)} · ${formatAgo(at)}`;
  };
  return (
    <Card aria-label={t('shell.outbox')} className="grid gap-2">
      {entries.map((entry) => (
        <div key={entry.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span>
            <b className="block">{entry.label}</b>
            <span className="text-sm text-ink-2">{timesOf(entry)}</span>
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
      {[withSum(paise), t('shell.not_sent')].filter(Boolean).join(' · ')}
    </Chip>
  );
}

/** Beside what a customer has to pay: how much of it was taken and is not with the server yet, or was refused by it. */
export function QueuedMarks({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const entries = useQueuedOf(customerId);
  const refused = entries.filter((entry) => !isUnderWay(entry));
  const waiting = entries.filter(isUnderWay);
  return (
    <>
      {waiting.length > 0 && <QueuedOnInstalment paise={sumOf(waiting)} />}
      {refused.length > 0 && (
        <Chip tone="over" icon="warning">
          {[withSum(sumOf(refused)), t('shell.outbox_failed')].filter(Boolean).join(' · ')}
        </Chip>
      )}
    </>
  );
}

const withSum = (paise: number | null) => paise !== null && formatMoney(paise);

/** null: an older app kept one of them without its sum. */
function sumOf(entries: readonly OutboxEntry[]): number | null {
  const sums = entries.map((entry) => entry.paise ?? payingOf(entry).amount);
  return sums.every((paise) => paise !== undefined) ? sums.reduce((all, paise) => all + paise, 0) : null;
}
