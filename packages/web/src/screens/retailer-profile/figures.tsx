import { useTranslation } from 'react-i18next';
import type { RetailerProfile } from '@kist/contract/people';
import { formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, Facts, SectionTitle } from '#web/ui/card.tsx';

type Shown = NonNullable<RetailerProfile['figures']>;

/** What a shop's work comes to; a press shows its customers. */
export function Figures({ userId, figures }: { userId: string; figures: Shown }) {
  const { t } = useTranslation();
  const keys = figures.keys.filter(({ paid, granted }) => paid + granted > 0);
  return (
    <>
      <Card>
        <Facts
          items={[
            { label: t('retailers.collected_today'), value: formatMoney(figures.collected_today_paise) },
            { label: t('retailers.collected_month'), value: formatMoney(figures.collected_month_paise) },
            { label: t('dashboard.outstanding'), value: formatMoney(figures.outstanding_paise) },
            { label: t('customers.title'), value: figures.customers },
            { label: t('status.s1'), value: figures.installed },
            { label: t('customers.quick_overdue'), value: figures.overdue },
            ...(figures.mini_retailers > 0 ? [{ label: t('retailers.title'), value: figures.mini_retailers }] : []),
          ]}
        />
        {figures.customers > 0 && (
          <ButtonLink
            to={paths.customerList({ retailer_id: userId })}
            tone="plain"
            icon="people"
            className="mt-3 w-full"
          >
            {t('customers.title')}
          </ButtonLink>
        )}
      </Card>
      <SectionTitle>{t('dashboard.keys')}</SectionTitle>
      <Card>
        {keys.length === 0 ? (
          <p className="text-ink-2">{t('retailers.no_keys')}</p>
        ) : (
          <Facts items={keys.map(({ name, paid, granted }) => ({ label: t(`plan.${name}`), value: paid + granted }))} />
        )}
      </Card>
    </>
  );
}
