import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { planName } from '@kist/contract/codes';
import type { CallReply } from '#web/api/calls.ts';
import { noKeysText } from '#web/api/error-text.ts';
import { useRead } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { RadioRows } from '#web/ui/switch.tsx';
import { KeysGone, NoKeys } from '#web/widgets/no-keys.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import type { Form } from './use-form.ts';
import { choosing } from './usual.ts';

export type Plans = CallReply<'listPlans'>;

/** Green from six, amber below, red when there is none. */
const toneOf = (left: number): Tone => (left >= 6 ? 'ok' : left > 0 ? 'due' : 'over');

/** The plans of the shop that are sold on EMI; undefined until they are known. */
export const usePlans = () => useRead('listPlans', {});

/** @returns keys left for the chosen plan; undefined while unknown. */
export const keysLeft = (plans: Plans | undefined, planId: string): number | undefined =>
  plans?.find((plan) => String(plan.plan_id) === planId)?.keys_left;

/** A form begun with a plan that is not sold any more: another one has to be chosen. False while the plans are unknown. */
export const isOffSale = (plans: Plans | undefined, planId: string): boolean =>
  plans !== undefined && planId !== '' && !plans.some((plan) => String(plan.plan_id) === planId);

/** What is sold, with the keys left for it: nothing is spent before the last step. */
export function PlanStep({ form, plans }: { form: Form; plans: ReturnType<typeof usePlans> }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-ink-2">{t('add.plan_intro')}</p>
      <QueryView result={plans} skeleton={<RowsSkeleton label={t('states.loading')} rows={3} />}>
        {(all) => <Choice form={form} plans={all.filter((plan) => plan.is_emi)} />}
      </QueryView>
      <Wrong sentence={form.sentences.plan_id} plans={plans.latest} />
    </>
  );
}

function Wrong({ sentence, plans }: { sentence: string | undefined; plans: Plans | undefined }) {
  const { t } = useTranslation();
  if (!sentence) return null;
  if (sentence === noKeysText(t)) return <NoKeys isSaidAbove={areAllGone(plans?.filter((plan) => plan.is_emi))} />;
  return (
    <p role="alert" className="flex gap-1 text-sm text-over">
      <Icon name="warning" size={16} className="mt-px" />
      {sentence}
    </p>
  );
}

/** Nothing can be chosen: no plan is sold on EMI, or no key is left for any. False while the plans are unknown. */
export const isNothingToChoose = (plans: Plans | undefined): boolean =>
  plans !== undefined && plans.every((plan) => !plan.is_emi || plan.keys_left === 0);

const areAllGone = (plans: Plans | undefined): boolean =>
  plans !== undefined && plans.length > 0 && plans.every((plan) => plan.keys_left === 0);

const nameOfPlan = (plan: Plans[number], t: TFunction): string => {
  const name = planName(plan.plan_type);
  return name ? t(`plan.${name}`) : plan.name;
};

/** What is being sold, above the rest of the form; another plan is one press away. */
export function ChosenPlan(props: { plans: Plans | undefined; planId: string; onChange: () => void }) {
  const { plans, planId, onChange } = props;
  const { t } = useTranslation();
  const plan = plans?.find((one) => String(one.plan_id) === planId);
  if (!plan) return null;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-2">
      <b className="min-w-32 flex-1">{nameOfPlan(plan, t)}</b>
      <Chip tone={toneOf(plan.keys_left)} icon="key">
        {t('dashboard.keys_left', { count: plan.keys_left })}
      </Chip>
      <Button tone="quiet" onClick={onChange}>
        {t('add.plan_change')}
      </Button>
    </div>
  );
}

function Choice({ form, plans }: { form: Form; plans: Plans }) {
  const { t } = useTranslation();
  if (plans.length === 0)
    return <StateView kind="empty" icon="key" title={t('add.no_plans')} body={t('add.no_plans_body')} />;
  const nameOf = (plan: Plans[number]) => nameOfPlan(plan, t);
  const byId = (planId: string) => plans.find((plan) => String(plan.plan_id) === planId);
  return (
    <>
      <RadioRows
        label={t('customers.plan')}
        name="plan_id"
        value={form.values.plan_id || undefined}
        onChange={(planId) => form.set(choosing(byId(planId)!, form.values, byId(form.values.plan_id)))}
        options={plans.map((plan) => ({
          value: String(plan.plan_id),
          label: nameOf(plan),
          detail: plan.name === nameOf(plan) ? undefined : plan.name,
          disabled: plan.keys_left === 0,
          trail: (
            <Chip tone={toneOf(plan.keys_left)} icon="key">
              {plan.keys_left === 0 ? t('add.no_keys') : t('dashboard.keys_left', { count: plan.keys_left })}
            </Chip>
          ),
        }))}
      />
      {areAllGone(plans) && <KeysGone title={t('add.all_keys_gone')} />}
    </>
  );
}
