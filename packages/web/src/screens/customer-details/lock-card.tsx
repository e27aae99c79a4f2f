import { useTranslation } from 'react-i18next';
import type { LockStory, LockView } from '@kist/contract/customers';
import { formatDateTime, formatMoney, formatSpan } from '#web/i18n/formats.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { Card } from '#web/ui/card.tsx';
import { Timeline, type TimelineItem } from '#web/ui/timeline.tsx';
import { LockChip } from '#web/widgets/state-chips.tsx';
import { useRuleText } from '#web/widgets/rule-text.ts';
import { LockButton } from './lock-button.tsx';
import { eventText, shownEvents } from './lock-events.ts';

/** Is the phone held, since when by its own word, and why: every event from the first notice to the moment it opens. */
export function LockCard(props: {
  customerId: string;
  lock: LockView;
  story: LockStory | null;
  /** Set free for good: nothing can be ordered any more. */
  isReleased: boolean;
  isLockOffered: boolean;
}) {
  const { customerId, lock, story, isReleased, isLockOffered } = props;
  const { t } = useTranslation();
  return (
    <Card className="grid gap-2.5" aria-label={t('customer.phone_state')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <LockChip lock={lock} />
        <span className="text-sm text-ink-2">
          {lock.confirmed_at
            ? t('customer.confirmed', { at: formatDateTime(lock.confirmed_at) })
            : t('customer.not_confirmed')}
        </span>
      </div>
      {lock.level > 0 && <p className="text-sm text-ink-2">{t(`lock.level_${lock.level}`)}</p>}
      {lock.strength === 'advisory' && <p className="text-sm text-ink-2">{t('lock.advisory')}</p>}
      {story && <LockTimeline story={story} />}
      {!isReleased && <LockButton customerId={customerId} lock={lock} isLockOffered={isLockOffered} />}
    </Card>
  );
}

function LockTimeline({ story }: { story: LockStory }) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  const items: TimelineItem[] = shownEvents(story.events).map((event, index) => ({
    key: `${event.at}-${index}`,
    title: eventText(event, t),
    at: formatDateTime(event.at).slice(0, 5),
    state: 'done',
    stateLabel: t('story.done'),
  }));
  if (story.next)
    items.push({
      key: 'next',
      title: story.next.at
        ? t('story.next_at', { level: t(`lock.level_short_${story.next.level}`), at: formatDateTime(story.next.at) })
        : ruleText(story.next.rule, {}),
      state: 'ahead',
      stateLabel: t('story.ahead'),
    });
  if (story.pay_to_open_paise > 0 && story.level > 0)
    items.push({
      key: 'pay',
      title: t('story.pay_opens', { amount: formatMoney(story.pay_to_open_paise) }),
      state: 'waiting',
      stateLabel: t('story.waiting'),
    });
  return (
    <>
      {items.length > 0 && <Timeline label={t('customer.why')} items={items} />}
      {story.cure && !story.cure.confirmed_at && (
        <p role="status" className="rounded-lg bg-due-soft p-3 text-sm text-due">
          {t('customer.unlock_meter', {
            span: formatSpan(shopNowMs() - new Date(story.cure.cured_at).getTime()),
            amount: formatMoney(story.cure.compensation_paise),
          })}
        </p>
      )}
    </>
  );
}
