import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '@kist/contract/endpoint';
import type { governingEndpoints } from '@kist/contract/governing';
import { useRead } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';

type Step = ReplyOf<typeof governingEndpoints.getComingSteps>['steps'][number];

/** Who would be told, locked or freed on which of the coming days; each row opens its customer. */
export function Coming() {
  const { t } = useTranslation();
  /** Slices that were read through, each by what it follows. */
  const [slices, setSlices] = useState<readonly (string | undefined)[]>([undefined]);
  return (
    <>
      <SectionTitle>{t('lock_rules.coming')}</SectionTitle>
      <p className="text-sm text-ink-2">{t('lock_rules.coming_hint')}</p>
      {slices.map((after, index) => (
        <Slice
          key={after ?? ''}
          after={after}
          onMore={index === slices.length - 1 ? (next) => setSlices([...slices, next]) : undefined}
        />
      ))}
    </>
  );
}

function Slice({ after, onMore }: { after: string | undefined; onMore: ((next: string) => void) | undefined }) {
  const { t } = useTranslation();
  const coming = useRead('getComingSteps', { body: after === undefined ? {} : { after } });
  return (
    <QueryView result={coming}>
      {({ steps, next_after: next }) => (
        <>
          {steps.length === 0 && after === undefined && next === null && (
            <Card>
              <p>{t('lock_rules.none')}</p>
            </Card>
          )}
          {byDay(steps).map(([day, rows]) => (
            <section key={day} className="grid gap-2">
              <h3 className="text-sm font-semibold">{formatDate(day)}</h3>
              <RowGroup label={formatDate(day)}>
                {rows.map((step) => (
                  <Row key={`${step.agreement_id} ${step.kind} ${step.no ?? step.level}`} step={step} />
                ))}
              </RowGroup>
            </section>
          ))}
          {next !== null && onMore && (
            <Button tone="quiet" block onClick={() => onMore(next)}>
              {t('lock_rules.more')}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}

function Row({ step: { customer_id, customer_name, agreement_no, kind, no, level } }: { step: Step }) {
  const { t } = useTranslation();
  const what = () => {
    if (kind === 'reminder') return t('lock_rules.c_reminder');
    if (kind === 'notice') return t('lock_rules.c_notice', { no });
    return t(`lock.level_short_${level ?? 0}`);
  };
  return <ListRow title={customer_name} detail={agreement_no} trail={what()} to={paths.customerDetails(customer_id)} />;
}

/** In the order in which they come. */
function byDay(steps: readonly Step[]): [string, Step[]][] {
  const days = new Map<string, Step[]>();
  for (const step of steps) days.set(step.on, [...(days.get(step.on) ?? []), step]);
  return [...days];
}
