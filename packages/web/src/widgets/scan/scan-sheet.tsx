import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IMAGE_BOUNDS, ImageError, type ImageErrorKey } from '#web/native/image-error.ts';
import { compressImage } from '#web/native/images.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { readCodes } from './scanner.ts';
import { imeisIn } from './scan-text.ts';
import { useCamera } from './use-camera.ts';

/** Reads the bars on the box or on the *#06# screen; a photo does as well, and typing always. */
export function ScanSheet(props: { open: boolean; onClose: () => void; onImeis: (imeis: readonly string[]) => void }) {
  const { open, onClose, onImeis } = props;
  const { t } = useTranslation();
  const latest = useRef(onImeis);
  useEffect(() => {
    latest.current = onImeis;
  });
  const found = useCallback((imeis: readonly string[]) => latest.current(imeis), []);
  return (
    <Sheet open={open} onClose={onClose} title={t('add.scan')}>
      {open && (
        <>
          <Camera onImeis={found} />
          <Photo onImeis={found} />
          <p className="text-sm text-ink-2">{t('add.scan_or_type')}</p>
        </>
      )}
    </Sheet>
  );
}

function Camera({ onImeis }: { onImeis: (imeis: readonly string[]) => void }) {
  const { t } = useTranslation();
  const { video, state } = useCamera(onImeis);
  const isOff = state === 'blocked' || state === 'failed';
  return (
    <>
      <div className={isOff ? 'hidden' : 'relative overflow-hidden rounded-xl bg-lock-soft'}>
        <video ref={video} muted playsInline className="block aspect-video w-full object-cover" />
        <span aria-hidden className="absolute inset-x-8 top-1/2 h-0.5 bg-over" />
        {state === 'starting' && (
          <span className="absolute inset-0 grid place-items-center">
            <Spinner label={t('common.loading')} />
          </span>
        )}
      </div>
      <p role="status" className={isOff ? 'flex gap-2 rounded-lg bg-due-soft p-3 text-due' : 'text-sm text-ink-2'}>
        {isOff && <Icon name="warning" size={20} />}
        {state === 'blocked' ? t('add.camera_blocked') : state === 'failed' ? t('add.scan_failed') : t('add.scan_hint')}
      </p>
    </>
  );
}

function Photo({ onImeis }: { onImeis: (imeis: readonly string[]) => void }) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  const [wrong, setWrong] = useState<ImageErrorKey | 'add.photo_nothing'>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    setWrong(undefined);
    try {
      const imeis = imeisIn(await readCodes(await compressImage(file)));
      if (imeis.length > 0) return onImeis(imeis);
      setWrong('add.photo_nothing');
    } catch (error) {
      // Where the reader cannot be fetched nothing was read; what is wrong with the picture itself is said.
      setWrong(error instanceof ImageError ? error.key : 'add.photo_nothing');
    }
    setReading(false);
  };
  return (
    <div className="grid gap-2">
      <label className="relative flex min-h-12 items-center justify-center gap-2 rounded-lg border border-edge bg-card px-4 font-semibold focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent-text">
        {isReading ? <Spinner size={20} /> : <Icon name="image" size={20} />}
        {t('add.photo')}
        <input
          type="file"
          accept="image/*"
          className="absolute inset-0 opacity-0"
          onChange={(event) => {
            void read(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      {wrong && (
        <p role="alert" className="text-sm text-over">
          {t(wrong, IMAGE_BOUNDS)}
        </p>
      )}
    </div>
  );
}
