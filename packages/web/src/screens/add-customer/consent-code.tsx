import { useTranslation } from 'react-i18next';
import { maskMobile } from '@kist/contract/masked';
import { Button } from '#web/ui/button.tsx';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { CodeProblem, ConsentCodeField, SendCode } from '#web/widgets/consent-code.tsx';
import type { ConsentCode } from '#web/widgets/use-consent-code.ts';

/** The code that the customer tells from the own phone. It leaves with the tick: until then nothing was agreed to. */
export function ConsentCodeCard({
  code,
  mobile,
  isAccepted,
}: {
  code: ConsentCode;
  mobile: string;
  isAccepted: boolean;
}) {
  const { t } = useTranslation();
  return (
    <>
      <SectionTitle>{t('add.code_title')}</SectionTitle>
      <Card className="grid gap-3">
        {isAccepted || code.stage === 'told' || code.stage === 'needless' ? (
          <Stage code={code} mobile={maskMobile(mobile)} />
        ) : (
          <p className="text-sm text-ink-2">{t('add.code_next', { mobile: maskMobile(mobile) })}</p>
        )}
      </Card>
    </>
  );
}

function Stage({ code, mobile }: { code: ConsentCode; mobile: string }) {
  const { t } = useTranslation();
  if (code.stage === 'told')
    return (
      <p role="status" className="flex items-start gap-2 text-ok">
        <Icon name="check" size={20} />
        {t('add.code_told', { mobile })}
      </p>
    );
  if (code.stage === 'needless')
    return (
      <p role="status" className="flex items-start gap-2 text-ok">
        <Icon name="check" size={20} />
        {t('add.code_needless')}
      </p>
    );
  const isLater = code.stage === 'later';
  return (
    <>
      {isLater && <p role="status">{t('add.code_postponed')}</p>}
      {code.stage === 'sent' ? (
        <ConsentCodeField code={code} />
      ) : (
        <>
          <CodeProblem code={code} />
          {code.isOther && (
            <p role="status" className="text-sm text-due">
              {t('add.code_anew')}
            </p>
          )}
          <SendCode code={code} label={t('consent.send_code')} isPlain={isLater} />
        </>
      )}
      {!isLater && (
        <Button tone="quiet" onClick={code.postpone}>
          {t('add.code_later')}
        </Button>
      )}
    </>
  );
}
