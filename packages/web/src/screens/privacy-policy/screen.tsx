import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { useAppSelector } from '#web/state/store.ts';
import { Card } from '#web/ui/card.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';

const PARTS = ['keep', 'never', 'why', 'place', 'rights'] as const;

/** The organisation's own text when it has one, else the product's: what is kept, what is never read, why, and one's rights. */
export function Screen() {
  const { t } = useTranslation();
  const config = useAppSelector((state) => state.main.org_config);
  return (
    <Frame
      title={t('privacy.title')}
      detail={config && t('privacy.of', { company: config.companyName })}
      back={paths.dashboard()}
    >
      {config?.privacy_policy.text ? (
        <Card className="whitespace-pre-line">{config.privacy_policy.text}</Card>
      ) : (
        PARTS.map((part) => (
          <Card key={part}>
            <h2 className="pb-1 font-bold">{t(`privacy.${part}_title`)}</h2>
            <p className="text-ink-2">{t(`privacy.${part}_body`)}</p>
          </Card>
        ))
      )}
      {config?.privacy_policy.contact && (
        <Card>
          <h2 className="pb-1 font-bold">{t('privacy.contact_title')}</h2>
          <p className="text-ink-2">{config.privacy_policy.contact}</p>
        </Card>
      )}
    </Frame>
  );
}
