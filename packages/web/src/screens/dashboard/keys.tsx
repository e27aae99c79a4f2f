import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { paths } from '#web/paths.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';

/** Green from six, amber below, red when there is none: the shop's traffic light. */
const toneOf = (left: number): Tone => (left >= 6 ? 'ok' : left > 0 ? 'due' : 'over');

/** Keys left by type; a press opens one’s own shop, where its keys are listed: the word that the day needs is the one that they need there. */
export function Keys({ keys }: { keys: Dashboard['keys'] }) {
  const { t } = useTranslation();
  if (keys.length === 0) return null;
  return (
    <>
      <SectionTitle>{t('dashboard.keys')}</SectionTitle>
      <RowGroup>
        {keys.map((key) => (
          <ListRow
            key={key.plan_type}
            to={paths.retailerProfile('me')}
            title={t(`plan.${key.name}`)}
            trail={
              <Chip tone={toneOf(key.left)} icon="key">
                {t('dashboard.keys_left', { count: key.left })}
              </Chip>
            }
          />
        ))}
      </RowGroup>
    </>
  );
}
