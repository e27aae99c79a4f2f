import './inside-icons.ts';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { cx } from './cx.ts';
import { freerTop } from './free-place.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';
import { openDialogs } from './open-dialogs.ts';
import { toast, type Toast, type ToastTone } from './toast.ts';

const LOOKS: Record<ToastTone, { icon: IconName; colour: string }> = {
  ok: { icon: 'check', colour: 'text-ok' },
  error: { icon: 'warning', colour: 'text-over' },
  warning: { icon: 'warning', colour: 'text-due' },
  info: { icon: 'info', colour: 'text-accent-text' },
};

/**
 * The live region is always in the page, so that readers announce what appears in it; one more is in the dialog on top, under which the page is inert
 * and out of sight. One on a page.
 * @param atTop where the lower end of the page holds the main button.
 * @param on the screen, or the step of a form, that it lies on: on the next one, where a message stays, other things are needed
 */
export function ToastRegion(props: { atTop?: boolean; on?: string }) {
  const dialog = useSyncExternalStore(openDialogs.subscribe, openDialogs.top);
  const shown = useSyncExternalStore(toast.subscribe, dialog ? toast.answer : toast.current);
  useEffect(() => {
    if (shown?.lastsMs == null) return;
    const timer = setTimeout(() => toast.close(shown.id), shown.lastsMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <>
      <Region atTop={props.atTop} on={props.on} shown={dialog ? null : shown} />
      {dialog && createPortal(<Region atTop shown={shown} />, dialog)}
    </>
  );
}

/** The screen it is told on may still be coming. */
const LOOK_AGAIN_MS = 200;

/**
 * Above the main button of a screen that has one down there: a message must not take its place under a thumb. Where what is needed lies there it goes where less of it
 * does, once on each screen; it does not wander while it is read.
 */
function useTop(shown: Toast | null, atTop: boolean | undefined, on: string | undefined) {
  const region = useRef<HTMLDivElement>(null);
  const [freer, setFreer] = useState<{ place: string; topPx: number }>();
  const place = `${shown?.id} ${on}`;
  useLayoutEffect(() => {
    const message = region.current?.firstElementChild;
    if (!shown || atTop || !message) return;
    const look = () => {
      const topPx = freerTop(message);
      if (topPx !== undefined) setFreer((before) => (before?.place === place ? before : { place, topPx }));
    };
    look();
    const timer = setTimeout(look, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [shown, atTop, place]);
  return { region, topPx: freer?.place === place ? freer.topPx : undefined };
}

function Region({ atTop, on, shown }: { atTop: boolean | undefined; on?: string | undefined; shown: Toast | null }) {
  const { region, topPx } = useTop(shown, atTop, on);
  return (
    <div
      ref={region}
      role="status"
      data-toast={shown && !atTop && topPx === undefined ? 'low' : undefined}
      style={topPx === undefined ? undefined : { top: topPx }}
      className={cx(
        'pointer-events-none fixed inset-x-0 z-30 flex justify-center px-4',
        // On a tablet beside the rail; on a desk in the corner, out of the way of what is read and pressed.
        atTop ? 'top-2' : 'md:left-20 lg:left-56 lg:justify-end lg:px-6',
        !atTop &&
          topPx === undefined &&
          'bottom-24 md:bottom-6 [body:has([data-footer])_&]:bottom-44 md:[body:has([data-footer])_&]:bottom-28',
      )}
    >
      {shown && <Message key={shown.id} shown={shown} />}
    </div>
  );
}

function Message({ shown }: { shown: Toast }) {
  const { t } = useTranslation();
  return (
    // With large letters the buttons go below the words, which would have a word a line beside them.
    <div className="pointer-events-auto flex min-h-12 w-full max-w-104 animate-rise flex-wrap items-center justify-end gap-3 rounded-lg border border-line bg-card py-1 pr-1 pl-4 shadow-[0_8px_32px_#0003]">
      <Icon name={LOOKS[shown.tone].icon} size={20} className={LOOKS[shown.tone].colour} />
      <span className="min-w-[min(100%,5rem)] flex-1 py-2">{shown.text}</span>
      {shown.action && (
        <button
          type="button"
          className="min-h-12 rounded-md px-3 font-semibold text-accent-text active:bg-raise"
          onClick={shown.action.run}
        >
          {shown.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('common.close')}
        className={cx('grid size-12 place-items-center rounded-md text-ink-2 active:bg-raise', shown.action && 'w-9')}
        onClick={() => toast.close(shown.id)}
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  );
}
