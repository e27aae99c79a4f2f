import { useTranslation } from 'react-i18next';
import { telUrl, whatsAppUrl } from '#web/native/share.ts';
import { IconAnchor } from '#web/ui/button.tsx';

/** To call a shop and to write to it, with one press each. */
export function ShopContact({ name, mobile }: { name: string; mobile: string }) {
  const { t } = useTranslation();
  return (
    <>
      <IconAnchor icon="call" label={`${t('common.call')} ${name}`} href={telUrl(mobile)} />
      <IconAnchor icon="chat" label={`${t('common.whatsapp')} ${name}`} href={whatsAppUrl('', mobile)} />
    </>
  );
}
