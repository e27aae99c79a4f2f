import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx.ts';
import { IconButton } from './button.tsx';
import { useDialog } from './use-dialog.ts';

const bottom =
  'mx-auto mt-auto max-h-[85dvh] w-full max-w-160 rounded-t-2xl border border-b-0 shadow-[0_-12px_40px_#0000002e] open:animate-rise sm:mb-auto sm:rounded-2xl sm:border-b';
/** With room for it: a dialog no wider than its lines are long, or a panel at the page's side. */
const ON_DESK = {
  dialog: 'md:max-w-120 md:shadow-[0_16px_48px_#0000003d]',
  panel:
    'lg:mr-0 lg:my-0 lg:h-dvh lg:max-h-none lg:max-w-104 lg:rounded-none lg:border-y-0 lg:border-r-0 lg:shadow-[-12px_0_40px_#0000002e]',
};

/**
 * Bottom drawer on the native <dialog>; in the middle of a wider window.
 * @param onStepBack while a later step of it stands there: going back leads to the one before, and closes the sheet only from the first.
 * @param isPanel of something to look through beside the page.
 * @param heightPx fixed height (the specification's code drawer is 200); default: as tall as its content, at most 85 % of the screen.
 */
export function Sheet(props: {
  open: boolean;
  onClose: () => void;
  onStepBack?: () => void;
  title: string;
  hideTitle?: boolean;
  heightPx?: number;
  isPanel?: boolean;
  children: ReactNode;
  footer?: ReactNode;
}) {
  const { open, onClose, onStepBack, title, hideTitle, heightPx, isPanel, children, footer } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const dialog = useDialog(open, onClose, onStepBack);
  return (
    <dialog
      {...dialog}
      aria-labelledby={titleId}
      className={cx(
        'm-0 border-line bg-card p-0 backdrop:bg-scrim open:flex',
        bottom,
        ON_DESK[isPanel ? 'panel' : 'dialog'],
      )}
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
          {footer && (
            <div className="flex flex-wrap gap-2 border-t border-line px-4 pt-3 pb-safe *:flex-1">{footer}</div>
          )}
        </div>
      )}
    </dialog>
  );
}
