import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DisputeState } from '@kist/contract/dispute-states';
import type { DisputeView } from '@kist/contract/disputes';
import { formatDate, formatDateTime } from '#web/i18n/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip, type Tone } from '#web/ui/chip.tsx';

const TONES: Record<DisputeState, Tone> = {
  open: 'over',
  undecided: 'over',
  escalated: 'over',
  answered: 'due',
  closed: 'due',
  rejected: 'lock',
};
const WAITS: readonly DisputeState[] = ['open', 'undecided', 'escalated'];

/** One complaint: which EMI, whose word it waits for, all that was said, and until when nothing is locked because of it. */
export function DisputeCard({
  dispute: { state, instalment_place: no, due_on: dueOn, stops_until: until, moves },
  isResting,
  children,
}: {
  dispute: DisputeView;
  isResting: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-2" aria-label={t('dispute.open')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Chip tone={TONES[state]} icon="chat">
          {t(`dispute.state_${state}`)}
        </Chip>
        {no !== null && (
          <span className="text-sm text-ink-2">{t('dispute.about', { no, date: dueOn ? formatDate(dueOn) : '' })}</span>
        )}
      </div>
      <ol className="grid gap-2">
        {moves.map((move) => (
          <li key={move.at + move.state} className="grid gap-0.5">
            <span className="text-sm text-ink-2">
              {t(`dispute.by_${move.by}`)} · {formatDateTime(move.at)}
            </span>
            <p className="break-words whitespace-pre-line">{move.text}</p>
          </li>
        ))}
      </ol>
      {WAITS.includes(state) && <p className="text-sm font-semibold">{t('dispute.no_lock')}</p>}
      {isResting && until && (
        <p className="text-sm font-semibold">{t('dispute.no_lock_until', { at: formatDateTime(until) })}</p>
      )}
      {children}
    </Card>
  );
}
