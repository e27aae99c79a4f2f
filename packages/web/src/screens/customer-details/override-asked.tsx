import { useTranslation } from 'react-i18next';
import type { OverrideAsked } from '@kist/contract/overrides';
import type { Verdict } from '@kist/contract/lock-policy';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useRuleText } from '#web/widgets/rule-text.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** A lock by the company's decision that waits for a second person: their yes or no; who asked can only think better of it. */
export function AskedOverride({ asked }: { asked: OverrideAsked }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const [decide, isBusy] = useDecision(asked.ask_id);
  return (
    <Card className="grid gap-3" aria-label={t('lock.reason_ORG_OVERRIDE')}>
      <Chip tone="due" icon="lock">
        {t('lock.reason_ORG_OVERRIDE')}
      </Chip>
      <p>{t('override.asked_by', { name: asked.asked_by, reason: asked.reason })}</p>
      <p className="text-sm text-ink-2">
        {asked.is_own && `${t('override.own')} `}
        {t('override.until', { at: formatDateTime(asked.ends_at) })}
      </p>
      {can.lock && (asked.is_own || asked.may_agree) && (
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Button tone="plain" busy={isBusy} onClick={() => void decide(false)}>
            {t('override.refuse')}
          </Button>
          {asked.may_agree && (
            <Button tone="danger" icon="lock" busy={isBusy} onClick={() => void decide(true)}>
              {t('override.agree')}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

/** What stands in the way of a yes is told by the rule, as it is where a lock is asked for. */
function useDecision(ask_id: string) {
  const { t } = useTranslation();
  const problem = useProblem();
  const ruleText = useRuleText();
  const [send, { isBusy }] = useWrite('decideOverride', PHONE_READS);
  const decide = async (is_agreed: boolean) => {
    const { error } = await send({ body: { ask_id, is_agreed } });
    const verdict = error?.code === 'POLICY_REFUSED' ? (error.details?.['verdict'] as Verdict | undefined) : undefined;
    if (verdict) return toast.info(ruleText(verdict.rule, verdict.explain));
    if (error) return problem(error);
    toast.ok(t(is_agreed ? 'lock.requested_lock' : 'override.refused'));
  };
  return [decide, isBusy] as const;
}
