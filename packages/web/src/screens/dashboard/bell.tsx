import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from '#web/widgets/late.tsx';

const Rung = late(async () => (await import('#web/widgets/rung.tsx')).Rung);

/** The bell: how much nobody has read, and what happened, newest first. */
export function Bell({ unread, onClosed }: { unread: number; onClosed?: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClosed?.();
  };
  return (
    <>
      <IconButton icon="bell" label={t('bell.title')} badge={unread} onClick={() => setOpen(true)} />
      <Sheet open={isOpen} onClose={close} title={t('bell.title')} isPanel>
        {isOpen && <Rung isUnread={unread > 0} />}
      </Sheet>
    </>
  );
}
