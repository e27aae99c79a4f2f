import { useTranslation } from 'react-i18next';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { LockView } from '@kist/contract/customers';
import { formatAge } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { Chip, type Tone } from '#web/ui/chip.tsx';

const STATUS_TONES: Record<number, Tone> = {
  [CUSTOMER_STATUS.inactive]: 'lock',
  [CUSTOMER_STATUS.install]: 'ok',
  [CUSTOMER_STATUS.deactivate]: 'lock',
  [CUSTOMER_STATUS.uninstall]: 'over',
  [CUSTOMER_STATUS.apple_removed]: 'over',
  [CUSTOMER_STATUS.emis_completed]: 'ok',
  [CUSTOMER_STATUS.emis_maturing]: 'due',
};

/** Customer status by its code; the labels are the specification's. */
export function StatusChip(props: { status: number }) {
  const { t } = useTranslation();
  return <Chip tone={STATUS_TONES[props.status] ?? 'lock'}>{t(`status.s${props.status}`)}</Chip>;
}

/**
 * What the phone last confirmed; a change that is asked for but not confirmed shows as under way, with its age. Never an optimistic 'Locked'.
 * @param nowMs for tests.
 */
export function LockChip(props: { lock: LockView; nowMs?: number }) {
  const { t } = useTranslation();
  const shopMs = useShopNowMs();
  const { lock, nowMs = shopMs } = props;
  if (lock.pending) {
    const age = formatAge(nowMs - new Date(lock.pending.since).getTime());
    return (
      <Chip tone="due" icon="clock">
        {t(`lock.pending_${lock.pending.to}`, { age })}
      </Chip>
    );
  }
  return lock.lock_status === 1 ? (
    <Chip tone="lock" icon="lock">
      {t('lock.locked')}
    </Chip>
  ) : (
    <Chip tone="ok" icon="unlock">
      {t('lock.unlocked')}
    </Chip>
  );
}
