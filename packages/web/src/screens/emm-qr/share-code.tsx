import { useTranslation } from 'react-i18next';
import { groupedSetupCode } from '@kist/contract/setup-code';
import { useRead } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { whatsAppUrl } from '#web/native/share.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { isEnrolmentLink } from './instructions.tsx';
import type { Code } from './use-code.ts';

interface Sharing {
  customerId: string;
  code: Code;
  /** Whom it is sent to; undefined: WhatsApp asks. */
  mobile: string | undefined;
}

/** Sends what sets the phone up to its holder: the code to type, or for a phone in use the link that installs the app. */
export function ShareCode(props: Sharing) {
  const { code, mobile } = props;
  const { t } = useTranslation();
  // Another code has another link.
  if (isEnrolmentLink(code.qr)) return <ShareLink key={code.qr} {...props} />;
  const words = t('qr.share_text', {
    code: groupedSetupCode(code.manual_code),
    at: formatDateTime(code.expires_at),
  });
  return (
    <ButtonAnchor href={whatsAppUrl(words, mobile)} icon="share">
      {t('common.share')}
    </ButtonAnchor>
  );
}

/** The link as the server gives it out for sending: the one that is good now, whoever made it and wherever. */
function ShareLink({ customerId, mobile }: Sharing) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useRead('getDeepLink', { query: { customer_id: customerId } });
  if (isFetching || error || !data)
    return (
      <Button tone="plain" icon="share" busy={isFetching} onClick={refetch}>
        {t('common.share')}
      </Button>
    );
  const words = t('qr.link_share', { link: data.link, at: formatDateTime(data.expires_at) });
  return (
    <ButtonAnchor href={whatsAppUrl(words, mobile)} icon="share">
      {t('common.share')}
    </ButtonAnchor>
  );
}
