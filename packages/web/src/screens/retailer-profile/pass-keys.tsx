import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { SHOP_READS } from './standing.tsx';

/** Keys of one type, with how many there are to pass on. */
interface Held {
  plan_type: number;
  name: string;
  left: number;
}
const MADE_OLD: readonly CallName[] = [...SHOP_READS, 'getKeys', 'listPlans', 'getDashboard'];

/** A retailer that has keys passes some of them to a shop below it. */
export function PassKeys({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const { isRetailer } = useAccess();
  const [isAsking, setAsking] = useState(false);
  const mayPass = isRetailer && shop.is_active;
  const { data: keys = [] } = useRead('getKeys', {}, { skip: !mayPass });
  const held = keys
    .map(({ plan_type, name, paid, granted }) => ({ plan_type, name, left: paid + granted }))
    .filter(({ left }) => left > 0);
  if (!mayPass || held.length === 0) return null;
  return (
    <>
      <Button tone="plain" icon="key" onClick={() => setAsking(true)}>
        {t('retailers.keys_pass')}
      </Button>
      {isAsking && <Asked shop={shop} held={held} onClose={() => setAsking(false)} />}
    </>
  );
}

function Asked({ shop, held, onClose }: { shop: RetailerProfile; held: readonly Held[]; onClose: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [plan, setPlan] = useState('');
  const [count, setCount] = useState('');
  const [isTried, setTried] = useState(false);
  const lead = useFirstWrong();
  const [pass, { isBusy }] = useWrite('transferKeys', MADE_OLD);
  // One type alone is the one that is meant.
  const chosen = held.length === 1 ? held[0] : held.find(({ plan_type }) => String(plan_type) === plan);
  const isTooMany = chosen !== undefined && Number(count) > Math.min(chosen.left, LIMITS.transferKeys);
  const send = async () => {
    setTried(true);
    if (!chosen || Number(count) < 1 || isTooMany) return lead();
    const body = { to_user_id: shop.user_id, plan_type: chosen.plan_type, keys: Number(count) };
    const { data, error } = await pass({ body });
    if (error) return problem(error);
    toast.ok(t('retailers.keys_passed', { count: data.passed }));
    onClose();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('retailers.keys_pass')}
      body={
        <div className="grid gap-4">
          <p>{t('retailers.keys_pass_body', { shop: shop.shop_name || shop.first_name })}</p>
          <Fields
            held={held}
            chosen={chosen}
            count={count}
            isTried={isTried}
            isTooMany={isTooMany}
            onPlan={setPlan}
            onCount={setCount}
          />
        </div>
      }
      confirmLabel={t('retailers.keys_pass')}
      busy={isBusy}
      onConfirm={() => void send()}
    />
  );
}

/** Of which type, and how many. */
function Fields(props: {
  held: readonly Held[];
  chosen: Held | undefined;
  count: string;
  isTried: boolean;
  isTooMany: boolean;
  onPlan: (planType: string) => void;
  onCount: (digits: string) => void;
}) {
  const { held, chosen, count, isTried, isTooMany, onPlan, onCount } = props;
  const { t } = useTranslation();
  const left = chosen && t('dashboard.keys_left', { count: chosen.left });
  const missing = isTried && Number(count) < 1 ? t('field.required') : undefined;
  return (
    <>
      <SelectField
        label={t('customers.plan')}
        placeholder={held.length === 1 ? undefined : t('retailers.keys_choose')}
        options={held.map((one) => ({ value: String(one.plan_type), label: t(`plan.${one.name}`) }))}
        value={chosen ? String(chosen.plan_type) : ''}
        error={isTried && !chosen ? t('field.required') : undefined}
        onChange={(event) => onPlan(event.currentTarget.value)}
      />
      <TextField
        label={t('retailers.keys_how_many')}
        hint={left}
        error={isTooMany ? left : missing}
        value={count}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => onCount(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
      />
    </>
  );
}
