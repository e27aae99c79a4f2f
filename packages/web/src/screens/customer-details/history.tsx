import { useTranslation } from 'react-i18next';
import type { CommandView } from '@kist/contract/devices';
import { useRead } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

const TONES: Record<CommandView['state'], Tone> = {
  CREATED: 'due',
  QUEUED: 'due',
  SENT: 'due',
  DELIVERED: 'due',
  APPLIED: 'ok',
  VERIFIED: 'ok',
  REFUSED: 'over',
  EXPIRED: 'lock',
  SUPERSEDED: 'lock',
  CANCELLED: 'lock',
  FAILED: 'over',
};

/** What was ordered, by whom, and what became of it: Requested → Delivered → done, or why not. */
export function History({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation();
  const { latest } = useRead('getDevice', { params: { device_id: deviceId } }, { pollMs: 15_000 });
  if (!latest) return <RowsSkeleton label={t('states.loading')} rows={3} />;
  if (latest.commands.length === 0) return null;
  return (
    <>
      <SectionTitle>{t('device.history')}</SectionTitle>
      <RowGroup>
        {latest.commands.slice(0, 8).map((command) => (
          <ListRow
            key={command.command_id}
            title={t(`command.${command.type}`, { defaultValue: command.type })}
            detail={[formatDateTime(command.created_at), command.requested_by ?? t('device.by_itself')].join(' · ')}
            trail={<Chip tone={TONES[command.state]}>{t(`command_state.${command.state}`)}</Chip>}
          />
        ))}
      </RowGroup>
    </>
  );
}
