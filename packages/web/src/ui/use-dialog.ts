import { useEffect, useRef, type MouseEvent, type PointerEvent, type RefObject, type SyntheticEvent } from 'react';
import { closesOnBack } from './back-closes.ts';
import { followFocus } from './follow-focus.ts';
import { openDialogs } from './open-dialogs.ts';

/**
 * A native <dialog> that follows `open`: focus is trapped and returned, also where its opener is gone, Escape and going back close it, the page behind is inert.
 * @param onStepBack while it shows a later step, to the one before: where there is one, Escape and going back lead there and close nothing.
 * @returns what the element takes; a press on the backdrop is an extra for mouse and thumb, Escape and the close button do the same.
 */
export function useDialog(
  open: boolean,
  onClose: () => void,
  onStepBack?: () => void,
): {
  ref: RefObject<HTMLDialogElement | null>;
  onCancel: (event: SyntheticEvent<HTMLDialogElement>) => void;
  onClose: (event: SyntheticEvent<HTMLDialogElement>) => void;
  onPointerDown: (event: PointerEvent<HTMLDialogElement>) => void;
  onClick: (event: MouseEvent<HTMLDialogElement>) => void;
} {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!open && dialog.open) dialog.close();
    if (!open) return;
    const leave = followFocus(dialog);
    if (!dialog.open) dialog.showModal();
    openDialogs.add(dialog);
    const gone = closesOnBack(() => close.current());
    return () => {
      openDialogs.remove(dialog);
      gone();
      leave();
    };
  }, [open]);
  const onCancel = useStepBack(open, onStepBack);
  // React hands on what happened to a dialog in this one, which the browser does not: a scanner that closes takes no sheet with it.
  // One that was closed by who opened it says so too, later: that is nobody's wish to close it.
  const closed = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && open) onClose();
  };
  // Words that are marked with the mouse past the sheet's edge end in a click on what both places have in common, which is the dialog itself.
  const isPressedBeside = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLDialogElement>) => {
    isPressedBeside.current = event.target === event.currentTarget;
  };
  const onClick = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && isPressedBeside.current) onClose();
  };
  return { ref, onCancel, onClose: closed, onPointerDown, onClick };
}

/** Hears of going back while a later step stands there. @returns what hears of Escape, and of what a phone's own back key says to a dialog in its place. */
function useStepBack(open: boolean, onStepBack: (() => void) | undefined) {
  const stepBack = useRef(onStepBack);
  useEffect(() => {
    stepBack.current = onStepBack;
  });
  const isLater = open && onStepBack !== undefined;
  useEffect(() => (isLater ? closesOnBack(() => stepBack.current?.()) : undefined), [isLater]);
  return (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget || !onStepBack) return;
    event.preventDefault();
    onStepBack();
  };
}
