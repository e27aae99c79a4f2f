import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx.ts';
import { IconButton } from './button.tsx';
import { useDialog } from './use-dialog.ts';

/**
 * Bottom drawer on the native <dialog>.
 * @param heightPx fixed height (the specification's code drawer is 200); default: as tall as its content, at most 85 % of the screen.
 */
export function Sheet(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  hideTitle?: boolean;
  heightPx?: number;
  children: ReactNode;
  footer?: ReactNode;
}) {
  const { open, onClose, title, hideTitle, heightPx, children, footer } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const dialog = useDialog(open, onClose);
  return (
    <dialog
      {...dialog}
      aria-labelledby={titleId}
      className="m-0 mx-auto mt-auto max-h-[85dvh] w-full max-w-160 rounded-t-2xl border border-b-0 border-line bg-card p-0 shadow-[0_-12px_40px_#0000002e] backdrop:bg-scrim open:flex open:animate-rise sm:mb-auto sm:rounded-2xl sm:border-b"
      style={heightPx ? { height: heightPx } : undefined}
    >
      {open && (
        <div className="flex min-h-0 w-full flex-col">
          <div className={cx('flex min-h-14 items-center pr-1 pl-4', hideTitle && 'justify-end')}>
            <h2 id={titleId} className={hideTitle ? 'sr-only' : 'min-w-0 flex-1 text-lg font-bold'}>
              {title}
            </h2>
            <IconButton icon="close" label={t('common.close')} onClick={onClose} />
          </div>
          <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-4 pb-4">{children}</div>
          {footer && <div className="flex gap-2 border-t border-line px-4 pt-3 pb-safe *:flex-1">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
