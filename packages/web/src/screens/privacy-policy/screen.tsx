import '#web/ui/inside-icons.ts';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrgConfig } from '@kist/contract/organisation';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useSend } from '#web/api/use-send.ts';
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
  const { config, error, ask } = useOrganisation();
  return (
    <OutsideFrame
      title={t('privacy.title')}
      detail={config && t('privacy.of', { company: config.companyName })}
      back={hasSession() ? paths.dashboard() : paths.login()}
    >
      {config ? (
        <Policy policy={config.privacy_policy} />
      ) : error ? (
        <StateView kind="error" title={t('states.error_title')} body={errorText(error, t)}>
          <Button icon="refresh" onClick={ask}>
            {t('common.retry')}
          </Button>
        </StateView>
      ) : (
        <ScreenSkeleton label={t('states.loading')} />
      )}
    </OutsideFrame>
  );
}

/** Asked without a session: the organisation is known by its address. */
function useOrganisation() {
  const [send] = useSend('getOrgAppConfig');
  const [answer, setAnswer] = useState<{ config?: OrgConfig; error?: ApiError }>({});
  const ask = useCallback(
    () => void send({}).then(({ data: config, error }) => setAnswer(error ? { error } : { config })),
    [send],
  );
  useEffect(ask, [ask]);
  return { ...answer, ask };
}

function Policy({ policy }: { policy: OrgConfig['privacy_policy'] }) {
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
    </>
  );
}
