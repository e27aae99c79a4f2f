import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { useDialog } from './use-dialog.ts';

/** Side drawer on <dialog>; `head` beside the close button, `foot` at the bottom. */
export function Drawer(props: {
  open: boolean;
  onClose: () => void;
  label: string;
  head: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}) {
  const { open, onClose, label, head, foot, children } = props;
  const { t } = useTranslation();
  const dialog = useDialog(open, onClose);
  return (
    <dialog
      {...dialog}
      aria-label={label}
      className="m-0 ml-auto h-dvh max-h-none w-[min(20rem,86vw)] border-l border-line bg-card p-0 backdrop:bg-scrim open:flex open:animate-[rise_.18s]"
    >
      {open && (
        <div className="flex min-h-0 w-full flex-col">
          <div className="flex items-center gap-3 border-b border-line py-2 pr-1 pl-4">
            <div className="min-w-0 flex-1">{head}</div>
            <IconButton icon="close" label={t('common.close')} onClick={onClose} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto py-2">{children}</div>
          {foot && <div className="border-t border-line px-4 py-3 text-xs text-ink-2 pb-safe">{foot}</div>}
        </div>
      )}
    </dialog>
  );
}
