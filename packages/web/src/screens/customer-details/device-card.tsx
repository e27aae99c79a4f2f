import { useTranslation } from 'react-i18next';
import type { DeviceView } from '@kist/contract/customers';
import { formatAgo, formatDateTime } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { mapsUrl } from '#web/native/share.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { Card, Facts } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { simFacts } from '#web/widgets/sim-facts.ts';

/** What the phone says of itself. */
export function DeviceCard({ device }: { device: DeviceView }) {
  const { t } = useTranslation();
  const { location } = device;
  const nowMs = useShopNowMs();
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <b>
          {device.brand} {device.model}
        </b>
        <ContactChip device={device} />
      </div>
      <Facts
        items={[
          {
            label: t('device.last_seen'),
            value: device.last_seen_at ? formatAgo(device.last_seen_at, nowMs) : t('device.never'),
          },
          ...(device.battery === null ? [] : [{ label: t('device.battery'), value: `${device.battery}%` }]),
          ...simFacts(device.sims, t),
          ...(device.imei1 ? [{ label: 'IMEI', value: device.imei1 }] : []),
          ...(device.agent_version ? [{ label: t('device.agent'), value: device.agent_version }] : []),
        ]}
      />
      {location && (
        <div className="grid gap-2">
          <p className="text-sm text-ink-2">
            {t('device.located', { at: formatDateTime(location.at), meters: Math.round(location.accuracy_m) })}
          </p>
          <ButtonAnchor href={mapsUrl(location.latitude, location.longitude)} tone="plain" icon="pin">
            {t('device.map')}
          </ButtonAnchor>
        </div>
      )}
    </Card>
  );
}

/** Whether the phone can be reached; of one that was set free for good, and has said so, nobody expects to hear. */
function ContactChip({ device }: { device: DeviceView }) {
  const { t } = useTranslation();
  if (device.released_at && device.reported_revision >= device.desired_revision)
    return (
      <Chip tone="ok" icon="unlock">
        {t('device.released')}
      </Chip>
    );
  return (
    <Chip tone={device.is_online ? 'ok' : 'lock'} icon={device.is_online ? 'signal' : 'offline'}>
      {device.is_online ? t('device.online') : t('device.offline')}
    </Chip>
  );
}
