import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusePasskeyOffer, takePasskeyOffer } from '#web/state/passkey.ts';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from '#web/widgets/late.tsx';

const Ask = late(async () => (await import('#web/widgets/passkey-ask.tsx')).PasskeyAsk);

/** After a sign-in by M-PIN, where the device could have asked for a finger instead. Once: who says no is not asked again. */
export function PasskeyOffer() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!takePasskeyOffer()) return;
    void import('#web/native/passkey.ts').then(
      async ({ canHavePasskey }) => setOpen(await canHavePasskey()),
      () => undefined,
    );
  }, []);
  const refuse = () => {
    refusePasskeyOffer();
    setOpen(false);
  };
  return (
    <Sheet open={isOpen} onClose={refuse} title={t('auth.use_fingerprint')}>
      {isOpen && <Ask onDone={() => setOpen(false)} onLater={refuse} />}
    </Sheet>
  );
}
