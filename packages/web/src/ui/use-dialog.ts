import { useEffect, useRef, type MouseEvent, type RefObject } from 'react';

/**
 * A native <dialog> that follows `open`: focus is trapped and returned, Escape and Android's back close it, the page behind is inert.
 * @returns what the element takes; a press on the backdrop is an extra for mouse and thumb, Escape and the close button do the same.
 */
export function useDialog(
  open: boolean,
  onClose: () => void,
): {
  ref: RefObject<HTMLDialogElement | null>;
  onClose: () => void;
  onClick: (event: MouseEvent<HTMLDialogElement>) => void;
} {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  const onClick = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose();
  };
  return { ref, onClose, onClick };
}
