import { useTranslation } from 'react-i18next';
import type { OverrideAsked } from '@kist/contract/overrides';
import { AskedOfTwo, useOverrideDecision } from '#web/widgets/asked-of-two.tsx';

/** A lock by the company's decision that waits for a second person. */
export function AskedOverride({ asked, customerId }: { asked: OverrideAsked; customerId: string }) {
  const { t } = useTranslation();
  const [decide, isBusy] = useOverrideDecision(asked.ask_id);
  return (
    <AskedOfTwo
      title={t('lock.reason_ORG_OVERRIDE')}
      asked={asked}
      isBusy={isBusy}
      name={`answer/${customerId}/${asked.ask_id}`}
      onDecide={decide}
    >
      <p>{t('override.asked_by', { name: asked.asked_by, reason: asked.reason })}</p>
    </AskedOfTwo>
  );
}
