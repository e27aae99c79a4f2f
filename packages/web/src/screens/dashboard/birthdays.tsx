import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { shortName } from '#web/i18n/formats.ts';
import { whatsAppUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { IconAnchor } from '#web/ui/button.tsx';
import { SectionTitle } from '#web/ui/card.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';

/** Whose birthday is today; one press opens WhatsApp with the wish in the customer's language. Nothing on other days. */
export function Birthdays({ people }: { people: Dashboard['birthdays'] }) {
  const { t } = useTranslation();
  if (people.length === 0) return null;
  return (
    <>
      <SectionTitle>{t('dashboard.birthdays')}</SectionTitle>
      <RowGroup>
        {people.map((one) => {
          const name = [shortName(one.first_name), shortName(one.last_name)].filter(Boolean).join(' ');
          return (
            <div key={one.customer_id} className="flex items-center pr-2">
              <ListRow
                to={paths.customerDetails(one.customer_id)}
                lead={<RowIcon icon="cake" tone="accent" />}
                title={name}
                detail={t('dashboard.birthday_today')}
                className="min-w-0"
              />
              <IconAnchor
                icon="chat"
                label={`${t('dashboard.wish')} ${name}`}
                href={whatsAppUrl(one.greeting, one.mobile)}
              />
            </div>
          );
        })}
      </RowGroup>
    </>
  );
}
