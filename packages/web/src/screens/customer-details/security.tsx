import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile, SecuritySignal } from '@kist/contract/customers';
import { formatAgo, formatDateTime } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon.tsx';

type Lock = CustomerProfile['lock'];

/** What is so; where it is not as it should be, what there is to do about it. */
function wordsOf(t: TFunction, { signal, is_safe: isSafe, at }: SecuritySignal, lock: Lock): string {
  if (isSafe) return t(`security.${signal}`);
  if (signal === 'agent') return t(`lock.${lock?.strength ?? 'unproven'}`);
  if (signal === 'sim') return t('security.sim_do', { at: at ? formatDateTime(at) : '' });
  if (signal === 'orders') return t('security.orders_do');
  return t(at ? 'security.contact_do' : 'security.contact_never');
}

/** Of these nothing can be done: the app proves what it is when it is set up, and settings go to the phone by themselves. */
const BY_ITSELF: readonly SecuritySignal['signal'][] = ['agent', 'orders'];

/** What guards the phone, before all else: each thing with what to do about it. Only where the organisation's anti-hacking layout is in steps. */
export function Security({ signals, lock }: { signals: readonly SecuritySignal[]; lock: Lock }) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const unsafe = signals.filter((one) => !one.is_safe);
  const toDo = unsafe.filter(({ signal }) => !BY_ITSELF.includes(signal)).length;
  return (
    <Card className="grid gap-1" aria-label={t('security.title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="text-base font-bold">{t('security.title')}</h2>
        <Chip tone={unsafe.length === 0 ? 'ok' : 'due'}>
          {toDo === 0 ? t('security.safe') : t('security.look', { count: toDo })}
        </Chip>
      </div>
      <ol className="grid gap-x-5 @[40rem]:grid-cols-2">
        {signals.map((one) => {
          const seenAt = one.signal === 'contact' ? one.at : null;
          return (
            <li key={one.signal} className="flex min-h-12 items-center gap-3 border-t border-line py-2">
              <span
                className={`grid size-8 shrink-0 place-items-center rounded-full ${one.is_safe ? 'bg-ok-soft text-ok' : 'bg-due-soft text-due'}`}
              >
                <Icon name={one.is_safe ? 'check' : 'warning'} size={16} strokeWidth={2.2} />
              </span>
              <span className="min-w-0">
                <span className="block font-medium">{wordsOf(t, one, lock)}</span>
                {seenAt && (
                  <span className="block text-sm text-ink-2">
                    {t('device.last_seen')}: {formatAgo(seenAt, nowMs)}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
