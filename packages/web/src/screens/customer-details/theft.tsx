import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import type { TheftPurpose } from '@kist/contract/codes';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from '#web/widgets/late.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

/** The words are the page's own. */
const TheftForm = late(
  async () => (await import('#web/widgets/theft-form.tsx')).TheftForm,
  () => Promise.resolve(),
);

/** What the customer says of the phone, and the way to say it at the counter: by the OTP that goes to the customer, never by the shop's word. */
export function Theft({ profile: { customer, device, lost_reports: reports } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [asked, setAsked] = useState<TheftPurpose | null>(null);
  // What was typed outlives a sheet that was closed by a slip of the thumb.
  const [notes, setNotes] = useState<Partial<Record<TheftPurpose, string>>>({});
  if (!isStaff || !device?.enrolled_at || device.released_at) return null;
  const isStolen = reports.some(({ kind }) => kind === 'theft');
  const close = () => setAsked(null);
  return (
    <>
      {reports.map(({ kind, at, by }) => (
        <Card key={kind + by} className="grid gap-2" aria-label={t('theft.report')}>
          <Chip tone="over" icon="shield">
            {t(`theft.said_${kind}`)}
          </Chip>
          <p className="text-sm text-ink-2">{t('lost.since', { at: formatDateTime(at) })}</p>
          {kind === 'theft' && can.useFeatures && (
            <Button tone="plain" onClick={() => setAsked('THEFT_LIFT')}>
              {t('theft.lift')}
            </Button>
          )}
        </Card>
      ))}
      {!isStolen && can.useFeatures && (
        <Button tone="quiet" icon="shield" onClick={() => setAsked('THEFT_REPORT')}>
          {t('theft.start')}
        </Button>
      )}
      <Sheet open={asked !== null} onClose={close} title={t(asked === 'THEFT_LIFT' ? 'theft.lift' : 'theft.start')}>
        {asked && (
          <TheftForm
            key={asked}
            customer={customer}
            purpose={asked}
            words={notes[asked] ?? ''}
            onWords={(words) => setNotes({ ...notes, [asked]: words })}
            onDone={() => {
              setNotes({});
              close();
            }}
          />
        )}
      </Sheet>
    </>
  );
}
