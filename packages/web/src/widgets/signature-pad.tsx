import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { Drawing } from './drawing.ts';

/** White paper to sign on with finger, pen or mouse; the page does not scroll under the finger. */
export function SignaturePad(props: { drawing: Drawing; isEmpty: boolean; onChange: (isEmpty: boolean) => void }) {
  const { drawing, isEmpty, onChange } = props;
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  useEffect(
    () => (canvas.current ? drawing.attach(canvas.current, (nowEmpty) => tell.current(nowEmpty)) : undefined),
    [drawing],
  );
  const clear = () => {
    drawing.clear();
    onChange(true);
  };
  return (
    <div className="grid gap-2">
      <div className="relative overflow-hidden rounded-xl border border-edge bg-white">
        <canvas
          ref={canvas}
          role="img"
          aria-label={isEmpty ? t('signature.pad_empty') : t('signature.pad_signed')}
          className="block h-48 w-full touch-none sm:h-56"
        />
        <span aria-hidden className="pointer-events-none absolute inset-x-6 bottom-10 border-b border-[#1c1b1940]" />
        {isEmpty && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-x-0 bottom-3 flex items-center justify-center gap-1.5 text-sm text-[#5d5a54]"
          >
            <Icon name="sign" size={16} />
            {t('signature.here')}
          </span>
        )}
      </div>
      <Button tone="plain" icon="trash" disabled={isEmpty} onClick={clear}>
        {t('common.clear')}
      </Button>
    </div>
  );
}
