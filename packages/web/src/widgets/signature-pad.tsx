import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import Pad from 'signature_pad';
import { ImageError } from '#web/native/image-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import type { Drawing } from './drawing.ts';
import { INK, PAPER } from './signature-image.ts';
import { useProblem } from './use-problem.ts';

interface Paper {
  /** Whose signature it is. */
  title: string;
  drawing: Drawing;
  isEmpty: boolean;
  onChange: (isEmpty: boolean) => void;
  /** The paper was put down; what was pressed to open it has the focus again. */
  onDone?: (() => void) | undefined;
}

/** What was signed, in its place on the page; pressed, the paper takes the whole screen, so that nothing scrolls under the finger and the whole box is in sight. */
export function SignaturePad(props: Paper) {
  const { drawing, isEmpty } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [stays, setStays] = useState(false);
  const isUpright = useUpright();
  // The screen turns first: a dialog that is open before would lie under it.
  const open = () =>
    void lieDown().then((isLying) => {
      setStays(!isLying);
      setOpen(true);
    });
  const close = () => {
    setOpen(false);
    // After the dialog gave the focus back, and the screen is as high again as it was.
    void standUp().then(() => setTimeout(() => props.onDone?.()));
  };
  return (
    <>
      <button
        type="button"
        aria-label={`${isEmpty ? t('signature.pad_empty') : t('signature.pad_signed')}: ${t('signature.open')}`}
        onClick={open}
        className="relative block h-40 w-full overflow-hidden rounded-xl border border-edge bg-white sm:h-56"
      >
        {!isOpen && <Canvas drawing={drawing} isLocked className="pointer-events-none block h-full w-full" />}
        {isEmpty && <Hint text={t('signature.open')} />}
      </button>
      <FullScreen {...props} isOpen={isOpen} isTurned={stays && isUpright} onClose={close} />
    </>
  );
}

/** A quarter of a turn to the right, with its buttons: the left edge is the upper one of the screen, where a notch may be. */
const TURNED: CSSProperties = {
  width: '100dvh',
  height: '100vw',
  transform: 'rotate(90deg) translateY(-100vw)',
  transformOrigin: '0 0',
  padding: '12px max(12px, env(safe-area-inset-bottom)) 12px max(12px, env(safe-area-inset-top))',
};

function FullScreen(props: Paper & { isOpen: boolean; isTurned: boolean; onClose: () => void }) {
  const { title, drawing, isEmpty, onChange, isOpen, isTurned, onClose } = props;
  const { t } = useTranslation();
  const { ref, onClose: closed } = useDialog(isOpen, onClose);
  const clear = () => {
    drawing.clear();
    onChange(true);
  };
  return (
    <dialog
      ref={ref}
      onClose={closed}
      aria-label={title}
      style={isTurned ? TURNED : undefined}
      className="m-0 h-dvh max-h-none w-screen max-w-none border-0 bg-bg p-3 pb-safe text-ink grid-cols-[minmax(0,1fr)] open:grid open:grid-rows-[minmax(0,1fr)_auto] open:gap-3"
    >
      {isOpen && (
        <>
          <div className="relative m-auto aspect-2/1 max-h-full w-full max-w-[200dvh] overflow-hidden rounded-xl border border-edge bg-white">
            <Canvas
              drawing={drawing}
              onChange={onChange}
              isTurned={isTurned}
              label={isEmpty ? t('signature.pad_empty') : t('signature.pad_signed')}
              className="block h-full w-full touch-none"
            />
            <span
              aria-hidden
              className="pointer-events-none absolute inset-x-6 bottom-[20%] border-b border-[#1c1b1940]"
            />
            {isEmpty && <Hint text={t('signature.here')} />}
          </div>
          <div className="flex flex-wrap gap-2 *:flex-1">
            <Button tone="plain" icon="trash" disabled={isEmpty} onClick={clear}>
              {t('common.clear')}
            </Button>
            <Button icon="check" onClick={onClose}>
              {t('signature.done')}
            </Button>
          </div>
        </>
      )}
    </dialog>
  );
}

const Hint = ({ text }: { text: string }) => (
  <span
    aria-hidden
    className="pointer-events-none absolute inset-x-0 bottom-3 flex items-center justify-center gap-1.5 text-sm text-[#5d5a54]"
  >
    <Icon name="sign" size={16} />
    {text}
  </span>
);

/** @param isLocked shows the strokes and takes none. */
function Canvas(props: {
  drawing: Drawing;
  onChange?: (isEmpty: boolean) => void;
  isTurned?: boolean;
  isLocked?: boolean;
  label?: string;
  className: string;
}) {
  const { drawing, onChange, isTurned = false, isLocked, label, className } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const now = useRef({ onChange, isTurned });
  useEffect(() => {
    now.current = { onChange, isTurned };
  });
  const problem = useProblem();
  useEffect(() => {
    if (!canvas.current) return undefined;
    try {
      // Who asks the pad itself hears nothing of a browser that draws on no canvas.
      if (!canvas.current.getContext('2d')) throw new ImageError('errors.image_canvas');
      const pad = new Pad(canvas.current, { penColor: INK, backgroundColor: PAPER, minWidth: 1, maxWidth: 2.8 });
      const tell = (nowEmpty: boolean) => now.current.onChange?.(nowEmpty);
      return drawing.attach(canvas.current, pad, tell, () => now.current.isTurned);
    } catch (error) {
      // The name can be typed, or the paper signed elsewhere: the screen stays.
      problem(error);
      return undefined;
    }
  }, [drawing, problem]);
  return (
    <canvas
      ref={canvas}
      role={isLocked ? undefined : 'img'}
      aria-hidden={isLocked}
      aria-label={label}
      className={className}
    />
  );
}

type Lockable = ScreenOrientation & { lock?: (to: 'landscape') => Promise<void> };

/** A phone that is held so is too narrow for a name. */
const UPRIGHT = '(pointer: coarse) and (orientation: portrait) and (max-width: 40rem)';
const isHeldUpright = (): boolean => window.matchMedia?.(UPRIGHT).matches === true;
function follow(hear: () => void): () => void {
  const upright: MediaQueryList | undefined = window.matchMedia?.(UPRIGHT);
  upright?.addEventListener('change', hear);
  return () => upright?.removeEventListener('change', hear);
}
const useUpright = (): boolean => useSyncExternalStore(follow, isHeldUpright);

/** Where the browser may turn the screen of a phone that is held upright, it does. @returns false: it may not */
async function lieDown(): Promise<boolean> {
  if (!isHeldUpright()) return true;
  const orientation = window.screen.orientation as Lockable | undefined;
  if (!orientation?.lock) return false;
  try {
    await document.documentElement.requestFullscreen();
    await orientation.lock('landscape');
    return true;
  } catch {
    // Not offered on this phone: the paper turns instead.
    return false;
  }
}

async function standUp(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined);
}
