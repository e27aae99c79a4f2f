import '#web/ui/inside-icons.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '@kist/contract/codes';
import type { CallReply } from '#web/api/calls.ts';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useSend } from '#web/api/use-send.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { hasSession } from '#web/state/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';

const PARTS = ['keep', 'never', 'why', 'place', 'rights'] as const;

/** The organisation's own text when it has one, else the product's: what is kept, what is never read, why, and one's rights. Nobody has to log in for it. */
export function Screen() {
  const { t } = useTranslation();
  const { policy, error, ask } = usePolicy();
  return (
    <OutsideFrame
      title={t('privacy.title')}
      detail={policy && t('privacy.of', { company: policy.company })}
      back={hasSession() ? paths.dashboard() : paths.login()}
    >
      {policy ? (
        <Words policy={policy} />
      ) : error ? (
        <StateView kind="error" title={t('states.error_title')} body={errorText(error, t)}>
          <Button icon="refresh" onClick={() => void ask()}>
            {t('common.retry')}
          </Button>
        </StateView>
      ) : (
        <ScreenSkeleton label={t('states.loading')} />
      )}
    </OutsideFrame>
  );
}

type Policy = CallReply<'getPrivacyPolicy'>;

/** Asked without a session: the organisation is known by its address. In the language that is read; an answer in one that was left is too late. */
function usePolicy() {
  const { i18n } = useTranslation();
  const language = i18n.language as Language;
  const [send] = useSend('getPrivacyPolicy');
  const [answer, setAnswer] = useState<{ policy?: Policy; error?: ApiError }>({});
  const last = useRef<Language>(undefined);
  const ask = useCallback(async () => {
    last.current = language;
    const { data: policy, error } = await send({ query: { language } });
    if (last.current === language) setAnswer(error ? { error } : { policy });
  }, [send, language]);
  useEffect(() => void ask(), [ask]);
  return { ...answer, ask };
}

function Words({ policy }: { policy: Policy }) {
  const { t } = useTranslation();
  return (
    <>
      {policy.text ? (
        <Card className="whitespace-pre-line">{policy.text}</Card>
      ) : (
        PARTS.map((part) => (
          <Card key={part}>
            <h2 className="pb-1 font-bold">{t(`privacy.${part}_title`)}</h2>
            <p className="text-ink-2">{t(`privacy.${part}_body`)}</p>
          </Card>
        ))
      )}
      {policy.contact && (
        <Card>
          <h2 className="pb-1 font-bold">{t('privacy.contact_title')}</h2>
          <p className="text-ink-2">{policy.contact}</p>
        </Card>
      )}
      {policy.version && (
        <p className="text-sm text-ink-2">
          {t('privacy.version', { version: policy.version, date: formatDate(policy.set_on) })}
        </p>
      )}
    </>
  );
}
