import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Sheet } from './sheet.tsx';

/** Asks before something that cannot be taken back. The safe answer comes first and has the focus. */
export function Confirm(props: {
  open: boolean;
  title: string;
  body?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { open, title, body, confirmLabel, cancelLabel, danger, busy, onConfirm, onClose } = props;
  const { t } = useTranslation();
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button tone="plain" onClick={onClose}>
            {cancelLabel ?? t('common.cancel')}
          </Button>
          <Button tone={danger ? 'danger' : 'accent'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {body && <div className="text-ink-2">{body}</div>}
    </Sheet>
  );
}
