import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { LockTimeline, LockView } from '@kist/contract/customers';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { formatDateTime, formatMoney, formatSpan } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { Card } from '#web/ui/card.tsx';
import { Timeline, type TimelineItem } from '#web/ui/timeline.tsx';
import { LockChip } from '#web/widgets/state-chips.tsx';
import { useRuleText } from '#web/widgets/rule-text.ts';
import { LockButton } from './lock-button.tsx';
import { byEpisode, eventText, shownEvents } from './lock-events.ts';

/** Is the phone held, since when by its own word, and why: every event from the first notice to the moment it opens. */
export function LockCard(props: {
  customerId: string;
  lock: LockView;
  timeline: LockTimeline | null;
  /** Set free for good: nothing can be ordered any more. */
  isReleased: boolean;
  isLockOffered: boolean;
  /** The company's decision is a reason here. */
  mayOverride?: boolean;
  /** What the phone's word is worth is told above already. */
  isGuardTold: boolean;
  /** Why this very phone cannot be locked, if it cannot. */
  cannotLock?: { why: string; needs?: string | undefined } | undefined;
}) {
  const { customerId, lock, timeline, isReleased, isLockOffered, mayOverride, isGuardTold, cannotLock } = props;
  const { t } = useTranslation();
  return (
    <Card className="grid gap-2.5" aria-label={t('customer.phone_state')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <LockChip lock={lock} />
        <span className="text-sm text-ink-2">
          {lock.confirmed_at
            ? t(lock.strength === 'unproven' ? 'customer.reported' : 'customer.confirmed', {
                at: formatDateTime(lock.confirmed_at),
              })
            : t('customer.not_confirmed')}
        </span>
      </div>
      {lock.level > 0 && <p className="text-sm text-ink-2">{t(`lock.level_${lock.level}`)}</p>}
      {!isGuardTold && lock.strength === 'advisory' && <p className="text-sm text-ink-2">{t('lock.advisory')}</p>}
      {!isGuardTold && lock.level >= LOCKED_FROM_LEVEL && lock.strength === 'unproven' && (
        <p className="text-sm text-ink-2">{t('lock.unproven')}</p>
      )}
      {lock.silent_since && (
        <p className="text-sm font-semibold text-over">{t('lock.silent', { at: formatDateTime(lock.silent_since) })}</p>
      )}
      {timeline && <TimelineOfLock timeline={timeline} />}
      {!isReleased && isLockOffered && cannotLock && (
        <p className="text-sm text-ink-2">{t(cannotLock.why, { needs: cannotLock.needs })}</p>
      )}
      {!isReleased && (
        <LockButton
          customerId={customerId}
          lock={lock}
          isLockOffered={isLockOffered && cannotLock === undefined}
          mayOverride={mayOverride ?? false}
        />
      )}
    </Card>
  );
}

const linesOf = (events: LockTimeline['events'], t: TFunction): TimelineItem[] =>
  shownEvents(events).map((event, index) => ({
    key: `${event.at}-${index}`,
    title: eventText(event, t),
    at: formatDateTime(event.at).slice(0, 5),
    state: 'done',
    stateLabel: t('lock_timeline.done'),
  }));

/** What happened in this episode, what comes next and what would open the phone. */
function itemsOf(
  timeline: LockTimeline,
  now: LockTimeline['events'],
  t: TFunction,
  ruleText: ReturnType<typeof useRuleText>,
): TimelineItem[] {
  const items = linesOf(now, t);
  if (timeline.next)
    items.push({
      key: 'next',
      title: timeline.next.at
        ? t('lock_timeline.next_at', {
            level: t(`lock.level_short_${timeline.next.level}`),
            at: formatDateTime(timeline.next.at),
          })
        : ruleText(timeline.next.rule, {}),
      state: 'ahead',
      stateLabel: t('lock_timeline.ahead'),
    });
  if (timeline.is_owners && timeline.level > 0)
    items.push({
      key: 'owners',
      title: t('lock_timeline.owners'),
      state: 'waiting',
      stateLabel: t('lock_timeline.waiting'),
    });
  if (timeline.pay_to_open_paise > 0 && timeline.level >= LOCKED_FROM_LEVEL)
    items.push({
      key: 'pay',
      title: t('lock_timeline.pay_opens', { amount: formatMoney(timeline.pay_to_open_paise) }),
      state: 'waiting',
      stateLabel: t('lock_timeline.waiting'),
    });
  return items;
}

/** Of the last end of a lock what is not as it should be, and what is owed for all of them. */
function endOf({ cure, owed_paise }: LockTimeline, nowMs: number, t: TFunction): string[] {
  const said: string[] = [];
  if (cure?.held_since) said.push(t('lock_timeline.wrong'));
  else if (cure && !cure.confirmed_at)
    said.push(t('customer.unlock_meter', { span: formatSpan(nowMs - new Date(cure.cured_at).getTime()) }));
  if (owed_paise > 0) said.push(t('customer.unlock_owed', { amount: formatMoney(owed_paise) }));
  return said;
}

function TimelineOfLock({ timeline }: { timeline: LockTimeline }) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  const nowMs = useShopNowMs();
  const { past, now } = byEpisode(timeline);
  const items = itemsOf(timeline, now, t, ruleText);
  const said = endOf(timeline, nowMs, t);
  return (
    <>
      {items.length > 0 && <Timeline label={t('customer.why')} items={items} />}
      {past.length > 0 && (
        <details>
          <summary className="flex min-h-12 cursor-pointer items-center text-sm font-semibold text-accent-text">
            {t('lock_timeline.earlier', { n: shownEvents(past).length })}
          </summary>
          <Timeline label={t('customer.why')} items={linesOf(past, t)} />
        </details>
      )}
      {said.length > 0 && (
        <p role="status" className="rounded-lg bg-due-soft p-3 text-sm text-due">
          {said.join(' ')}
        </p>
      )}
    </>
  );
}
