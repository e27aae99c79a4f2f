import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupedSetupCode } from '@kist/contract/setup-code';
import { formatDateTime } from '#web/i18n/formats.ts';
import { copyText } from '#web/native/share.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { isEnrolmentLink } from './instructions.tsx';
import { QrCode } from '#web/widgets/qr-code.tsx';
import { remaining } from './remaining.ts';
import { ShareCode } from './share-code.tsx';
import type { Code } from './use-code.ts';

/** The shop's present, anew each second. */
function useNowMs(): number {
  const [nowMs, setNowMs] = useState(shopNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(shopNowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** The code for the camera, and the same to type or to send. */
export function CodeCard(props: {
  customerId: string;
  code: Code;
  mobile: string | undefined;
  isFetching: boolean;
  onFresh: () => void;
}) {
  const { customerId, code, mobile, isFetching, onFresh } = props;
  const { t } = useTranslation();
  const left = remaining(Date.parse(code.expires_at) - useNowMs());
  const typed = groupedSetupCode(code.manual_code);
  const at = formatDateTime(code.expires_at);
  const isLink = isEnrolmentLink(code.qr);
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-hidden px-0 pt-0">
      {/* From edge to edge: a camera reads from ten times the width away. */}
      <div className="relative mx-auto w-full max-w-140">
        <div data-needed className={left ? '' : 'opacity-10'} inert={!left}>
          <QrCode text={code.qr} label={t('qr.alt')} />
        </div>
        {!left && (
          <div className="absolute inset-0 grid content-center justify-items-center gap-2 text-center text-[#1c1b19]">
            <Icon name="clock" size={32} />
            <b>{t('qr.expired')}</b>
            <span>{t('qr.expired_body')}</span>
          </div>
        )}
      </div>
      <div className="grid gap-3 px-3.5">
        {left && !isLink && <TypedCode text={typed} />}
        {left && (
          <p className="flex items-center justify-center gap-2 text-sm text-ink-2">
            <Spinner size={16} className="text-accent-text" />
            <span role="status">{t('qr.waiting')}</span>
          </p>
        )}
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Button tone={left ? 'plain' : 'accent'} icon="refresh" busy={isFetching} onClick={onFresh}>
            {t('qr.fresh')}
          </Button>
          {left && <ShareCode customerId={customerId} code={code} mobile={mobile} />}
        </div>
        <p className="text-center text-sm text-ink-2">{left && t('qr.valid', { left, at })}</p>
      </div>
    </Card>
  );
}

/** For a phone whose camera cannot read the code: large enough to be read out. */
function TypedCode({ text }: { text: string }) {
  const { t } = useTranslation();
  const copy = async () => {
    if (!text) return toast.error(t('qr.copy_failed'));
    return (await copyText(text)) ? toast.ok(t('qr.copied')) : toast.error(t('errors.unknown'));
  };
  return (
    // Read as the picture above is: no message lies on it.
    <div data-needed className="flex items-center gap-2 rounded-lg bg-raise py-1 pr-1 pl-3.5">
      <span className="min-w-0 flex-1">
        <span className="block text-sm text-ink-2">{t('qr.manual')}</span>
        <code data-setup-code className="block font-mono text-2xl font-bold tracking-wide break-words">
          {text}
        </code>
      </span>
      <IconButton icon="copy" label={t('common.copy')} onClick={() => void copy()} />
    </div>
  );
}
