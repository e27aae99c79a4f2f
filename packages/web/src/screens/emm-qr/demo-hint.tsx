import { useTranslation } from 'react-i18next';
import { copyText } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast.ts';

/** Where there is no phone on the counter: the lab has some. */
export function DemoHint({ qr }: { qr: string }) {
  const { t } = useTranslation();
  const copy = async () => ((await copyText(qr)) ? toast.ok(t('qr.copied')) : toast.error(t('errors.unknown')));
  return (
    <div className="grid gap-2 rounded-xl bg-due-soft p-3.5 text-due">
      <p className="flex gap-2">
        <Icon name="info" size={20} />
        {t('qr.demo')}
      </p>
      <Button tone="plain" icon="copy" onClick={() => void copy()}>
        {t('qr.copy_text')}
      </Button>
      <ButtonAnchor href={paths.lab()} icon="phone">
        {t('qr.open_lab')}
      </ButtonAnchor>
    </div>
  );
}
