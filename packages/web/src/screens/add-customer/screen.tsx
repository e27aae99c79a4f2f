import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { shopToday } from '#web/i18n/formats.ts';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { askKey } from '#web/state/who-allows.ts';
import { paths } from '#web/paths.ts';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { useAccess, useMe } from '#web/widgets/use-access.ts';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import type { OpenedForm } from './draft.ts';
import { isStep, type Step } from './fields.ts';
import { Flow } from './flow.tsx';
import { findAhead } from './local-forms.ts';
import { type Plans, usePlans } from './plan-step.tsx';
import { useOpenedForm } from './use-opened-form.ts';
import { usualPlan, withPlan } from './usual.ts';

/** Kept in the history: which form this is (one entry of the history begins it) and the step that is open. */
interface Place {
  form: string;
  step: Step;
}

/** Of the address that the app began with; gone to from another screen it is a sale, or looked for again. */
export const ahead = (): Promise<void> =>
  findAhead(new URLSearchParams(window.location.search).get('customer_id') ?? undefined);

/** A phone sold on EMI: plan, identity, device, EMI, consent and signature; then the QR code. */
export function Screen() {
  const location = useLocation();
  const [search] = useSearchParams();
  const place = location.state as Partial<Place> | null;
  const form = place?.form ?? location.key;
  return (
    <Form
      key={form}
      form={form}
      step={isStep(place?.step) ? place.step : undefined}
      customerId={search.get('customer_id') ?? undefined}
    />
  );
}

function Form(props: { form: string; step: Step | undefined; customerId: string | undefined }) {
  const { form, step, customerId } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMe();
  const { can, me: user } = useAccess();
  const opened = useOpenedForm(customerId);
  const plans = usePlans();
  // The header's way back takes the place of this entry: the phone's own back button must not run in a circle.
  const goTo = (next: Step, isBack = false) =>
    void navigate(paths.addCustomer(customerId), {
      replace: isBack,
      state: { form, step: next } satisfies Place,
    });

  if (user && (user.user_type === 'customer' || !can.activate))
    return (
      <Plain>
        <StateView kind="no_permission" title={t('states.no_permission_title')} body={t(askKey())} />
      </Plain>
    );
  if (opened.state === 'problem')
    return (
      <Plain>
        <ProblemView error={opened.error} onRetry={opened.retry} />
      </Plain>
    );
  if (opened.state === 'signed' && customerId) return <Navigate to={paths.customerNavigate(customerId)} replace />;
  // Once somebody types, an answer that comes late or not at all takes nothing away.
  const isKnown = (read: { data: unknown; error: unknown }) => read.data !== undefined || read.error !== undefined;
  if (opened.state !== 'ready' || !isKnown(me) || !isKnown(plans))
    return (
      <Plain>
        <ScreenSkeleton label={t('states.loading')} />
      </Plain>
    );
  return (
    <Ready
      opened={opened.form}
      slot={opened.slot}
      isResumed={opened.isResumed}
      step={step}
      today={user?.business_on}
      plans={plans.data ?? []}
      goTo={goTo}
      onStartNew={customerId ? undefined : () => void navigate(paths.addCustomer(), { replace: true })}
    />
  );
}

const Plain = (props: { children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <Frame title={t('customers.add_first')} back={paths.customerList()}>
      {props.children}
    </Frame>
  );
};

/** What a fresh form starts with: what the shop sold last, and the step after the choice of it. What was typed stays. */
function withDefaults(opened: OpenedForm, today: string, plans: Plans): OpenedForm {
  const language = opened.values['customer.language'] || currentLanguage();
  const usual = opened.savedAt === undefined && opened.customerId === undefined ? usualPlan(plans) : undefined;
  return {
    ...opened,
    ...(usual && { step: 'identity' }),
    values: {
      ...opened.values,
      ...(usual && withPlan(usual)),
      'customer.language': language,
      'consent.language': opened.values['consent.language'] || language,
      'emi.delivered_on': opened.values['emi.delivered_on'] || today,
    },
  };
}

function Ready(props: {
  opened: OpenedForm;
  slot: string;
  isResumed: boolean;
  step: Step | undefined;
  today: string | undefined;
  plans: Plans;
  goTo: (step: Step, isBack?: boolean) => void;
  onStartNew: (() => void) | undefined;
}) {
  const { opened, step, today, plans, ...rest } = props;
  const [form] = useState(() => withDefaults(opened, today ?? shopToday(), plans));
  return <Flow {...rest} opened={form} wantedStep={step ?? form.step} />;
}
