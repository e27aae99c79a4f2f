import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '#web/api/browser-facts.ts';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatAgo, formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { SectionTitle } from '#web/ui/card.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

type Passkey = CallReply<'myPasskeys'>[number];

/** Devices that sign in by fingerprint; nothing where there is none. */
export function Passkeys() {
  const { t } = useTranslation();
  const problem = useProblem();
  const { data } = useRead('myPasskeys', {});
  const [remove, { isBusy }] = useWrite('removePasskey', ['myPasskeys']);
  const [asked, setAsked] = useState<Passkey | null>(null);
  if (!data || data.length === 0) return null;
  const nameOf = (one: Passkey) => deviceName(one.device) || one.platform || t('sessions.unknown');
  const end = async () => {
    if (!asked) return;
    const { error } = await remove({ body: { passkey_id: asked.passkey_id } });
    setAsked(null);
    if (error) problem(error);
    else toast.ok(t('passkey.removed'));
  };
  return (
    <>
      <SectionTitle>{t('passkey.devices')}</SectionTitle>
      <RowGroup label={t('passkey.devices')}>
        {data.map((one) => (
          <Row key={one.passkey_id} passkey={one} name={nameOf(one)} onRemove={() => setAsked(one)} />
        ))}
      </RowGroup>
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? t('passkey.remove_ask', { device: nameOf(asked) }) : ''}
        confirmLabel={t('passkey.remove')}
        danger
        busy={isBusy}
        onConfirm={() => void end()}
      />
    </>
  );
}

function Row({ passkey, name, onRemove }: { passkey: Passkey; name: string; onRemove: () => void }) {
  const { t } = useTranslation();
  const detail = (
    <>
      {passkey.browser}
      <span className="block">{t('sessions.last_seen', { when: formatAgo(passkey.last_used_at) })}</span>
      <span className="block">{t('sessions.since', { at: formatDateTime(passkey.created_at) })}</span>
    </>
  );
  return (
    <div>
      <ListRow lead={<RowIcon icon="fingerprint" tone="ok" />} title={name} detail={detail} />
      <div className="px-3.5 pb-3">
        <Button tone="plain" block icon="trash" onClick={onRemove}>
          {t('passkey.remove')}
        </Button>
      </div>
    </div>
  );
}
