import { useTranslation } from 'react-i18next';
import { formatAgo } from '#web/i18n/formats.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Says that an unfinished form goes on, and offers an empty one. @param onStartNew absent where one certain customer was opened. */
export function ResumeBar(props: {
  name: string;
  savedAt: string;
  onStartNew: (() => void) | undefined;
  onClose: () => void;
}) {
  const { name, savedAt, onStartNew, onClose } = props;
  const { t } = useTranslation();
  const when = formatAgo(savedAt);
  return (
    <div role="status" className="grid gap-2 rounded-xl bg-accent-soft py-1 pr-1 pl-3.5">
      <div className="flex items-center gap-2">
        <Icon name="history" size={20} className="text-accent-text" />
        <span className="min-w-0 flex-1">
          {name ? t('add.resumed_of', { name, when }) : t('add.resumed', { when })}
        </span>
        <IconButton icon="close" label={t('common.close')} onClick={onClose} />
      </div>
      {onStartNew && (
        <Button tone="plain" icon="plus" className="mr-2.5 mb-2.5" onClick={onStartNew}>
          {t('add.start_new')}
        </Button>
      )}
    </div>
  );
}
