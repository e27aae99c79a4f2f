import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonTone } from '#web/ui/button.tsx';

/** Takes a photo with the phone's camera, or picks a file. */
export function PickButtons({ tone = 'accent', onPick }: { tone?: ButtonTone; onPick: (file: File) => void }) {
  const { t } = useTranslation();
  const camera = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const input = { type: 'file', accept: 'image/*', hidden: true, tabIndex: -1 } as const;
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const [picked] = Array.from(currentTarget.files ?? []);
    // The same file may be picked again.
    currentTarget.value = '';
    if (picked) onPick(picked);
  };
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      <Button icon="camera" tone={tone} onClick={() => camera.current?.click()}>
        {t('documents.camera')}
      </Button>
      <Button icon="image" tone="plain" onClick={() => file.current?.click()}>
        {t('documents.file')}
      </Button>
      <input ref={camera} {...input} capture="environment" data-pick="camera" onChange={onChange} />
      <input ref={file} {...input} data-pick="file" onChange={onChange} />
    </div>
  );
}
