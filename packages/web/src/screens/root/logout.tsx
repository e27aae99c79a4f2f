import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/api/api.ts';
import { outbox, useOutboxEntries } from '#web/offline/app-outbox.ts';
import { formsLostAtLogout } from '#web/offline/begun-forms.ts';
import { endSession } from '#web/state/session.ts';
import { mayKeepOnDisk, stored } from '#web/state/storage.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';

/** Asks before the session ends; what waits to be sent and a form that was begun are never dropped without a word. */
export function Logout(props: { open: boolean; onClose: () => void }) {
  const { open, onClose } = props;
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const count = useOutboxEntries().length;
  const form = useFormWords(open);
  const [isBusy, setBusy] = useState(false);
  const logout = async () => {
    setBusy(true);
    const token = stored('token');
    // Offline the token is dropped here all the same; the server's copy ages out or is ended from another device.
    await dispatch(api.endpoints.write.initiate({ name: 'logout', input: { body: {} } }));
    // On a slow line another may be signed in by then.
    if (![token, ''].includes(stored('token'))) return;
    endSession();
    toast.ok(t('auth.signed_out'));
  };
  if (count > 0) return <LogoutQueued open={open} onClose={onClose} count={count} form={form} onLogout={logout} />;
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('shell.logout_ask')}
      body={form}
      danger={form !== undefined}
      confirmLabel={t('shell.logout')}
      busy={isBusy}
      onConfirm={() => void logout()}
    />
  );
}

/** What becomes of a form that was begun; undefined when there is none. Looked for each time the sheet opens. */
function useFormWords(open: boolean): string | undefined {
  const { t } = useTranslation();
  const [loss, setLoss] = useState<'whole' | 'last step' | null>(null);
  useEffect(() => {
    if (open) formsLostAtLogout().then(setLoss, () => setLoss(null));
  }, [open]);
  if (loss === null) return undefined;
  return t(loss === 'whole' ? 'shell.logout_form' : 'shell.logout_form_kept');
}

/** Send it now, keep it sealed for the same user's next sign-in, or remove it: the person decides. */
function LogoutQueued(props: {
  open: boolean;
  onClose: () => void;
  count: number;
  form: string | undefined;
  onLogout: () => Promise<void>;
}) {
  const { open, onClose, count, form, onLogout } = props;
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const canKeep = mayKeepOnDisk();
  const during = async (run: () => Promise<void>) => {
    setBusy(true);
    await run();
    setBusy(false);
  };
  const send = async () => {
    if (await outbox.flush()) await onLogout();
    else toast.warning(t('shell.logout_unsent'));
  };
  const remove = async () => {
    for (const { id } of outbox.entries()) await outbox.discard(id);
    await onLogout();
  };
  if (isRemoving)
    return (
      <AskRemoval open={open} busy={isBusy} onBack={() => setRemoving(false)} onRemove={() => void during(remove)} />
    );
  return (
    <Sheet open={open} onClose={onClose} title={t('shell.logout_ask')}>
      <p className="text-ink-2">{canKeep ? t('shell.logout_queued', { count }) : t('shell.memory_only')}</p>
      {form && <p className="text-ink-2">{form}</p>}
      <Button icon="refresh" busy={isBusy} onClick={() => void during(send)}>
        {t('shell.logout_send')}
      </Button>
      {canKeep && (
        <Button tone="plain" icon="logout" disabled={isBusy} onClick={() => void during(onLogout)}>
          {t('shell.logout_keep')}
        </Button>
      )}
      <Button tone="plain" icon="trash" disabled={isBusy} className="text-over" onClick={() => setRemoving(true)}>
        {t('shell.logout_discard')}
      </Button>
      <Button tone="quiet" disabled={isBusy} onClick={onClose}>
        {t('common.cancel')}
      </Button>
    </Sheet>
  );
}

function AskRemoval(props: { open: boolean; busy: boolean; onBack: () => void; onRemove: () => void }) {
  const { open, busy, onBack, onRemove } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onBack} title={t('shell.logout_discard_ask')}>
      <p className="text-ink-2">{t('shell.logout_discard_body')}</p>
      <Button tone="plain" onClick={onBack}>
        {t('common.cancel')}
      </Button>
      <Button tone="danger" busy={busy} onClick={onRemove}>
        {t('shell.logout_discard')}
      </Button>
    </Sheet>
  );
}
