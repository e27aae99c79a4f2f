import { useTranslation } from 'react-i18next';
import { telUrl, whatsAppUrl } from '#web/native/share.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';

/** Call and WhatsApp, on every customer. @param text what WhatsApp starts with. */
export function ContactButtons(props: { mobile: string; text?: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      <ButtonAnchor href={telUrl(props.mobile)} icon="call">
        {t('common.call')}
      </ButtonAnchor>
      <ButtonAnchor href={whatsAppUrl(props.text ?? '', props.mobile)} icon="chat">
        {t('common.whatsapp')}
      </ButtonAnchor>
    </div>
  );
}
