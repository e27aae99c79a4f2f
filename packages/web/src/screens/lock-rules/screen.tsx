import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '@kist/contract/endpoint';
import type { governingEndpoints } from '@kist/contract/governing';
import { NEVER_BLOCKED } from '@kist/contract/lock-bounds';
import { useRead } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Facts, SectionTitle } from '#web/ui/card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { Coming } from './coming.tsx';
import { ladderOf } from './ladder.ts';
import { limitsOf } from './limits.ts';

type Rules = ReplyOf<typeof governingEndpoints.getLockRules>;

/** What the shop sells under: what happens on which day, what limits it, what is never taken; and what the coming days would bring. */
export function Screen() {
  const { t } = useTranslation();
  const rules = useRead('getLockRules', {});
  return (
    <Frame title={t('shell.lock_rules')} actions={<SearchButton />}>
      <QueryView result={rules}>{(data) => <Page rules={data} />}</QueryView>
    </Frame>
  );
}

function Page({ rules: { policy, since, holidays } }: { rules: Rules }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <p className="text-ink-2">
        {t('lock_rules.intro')} {since && t('lock_rules.since', { on: formatDate(since) })}
      </p>
      {isShown ? (
        <Coming />
      ) : (
        <Button tone="plain" icon="calendar" block onClick={() => setShown(true)}>
          {t('lock_rules.show')}
        </Button>
      )}
      <SectionTitle>{t('lock_rules.steps')}</SectionTitle>
      <RowGroup label={t('lock_rules.steps')}>
        {ladderOf(policy, t).map(({ day, what, detail }) => (
          <ListRow key={`${day} ${what}`} title={what} detail={detail} trail={day} />
        ))}
      </RowGroup>
      <SectionTitle>{t('lock_rules.limits')}</SectionTitle>
      <Card>
        <Facts items={limitsOf(policy, t)} />
      </Card>
      <NeverTaken />
      <Holidays days={holidays} />
    </>
  );
}

/** What no lock for money ever touches. */
function NeverTaken() {
  const { t } = useTranslation();
  return (
    <>
      <SectionTitle>{t('lock_rules.never')}</SectionTitle>
      <Card>
        <ul className="grid gap-2">
          {NEVER_BLOCKED.map((one) => (
            <li key={one} className="flex items-start gap-2">
              <Icon name="check" size={20} className="shrink-0 text-ok" />
              {t(`lock_rules.n_${one}`)}
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function Holidays({ days }: { days: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <>
      <SectionTitle>{t('lock_rules.holidays')}</SectionTitle>
      <Card className="grid gap-2">
        {days.length === 0 ? (
          <p>{t('lock_rules.no_holidays')}</p>
        ) : (
          <>
            <p className="text-sm text-ink-2">{t('lock_rules.holidays_hint')}</p>
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {days.map((day) => (
                <li key={day}>{formatDate(day)}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </>
  );
}
