import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { paths } from '#web/paths.ts';
import { askKey } from '#web/state/who-allows.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { SectionTitle } from '#web/ui/card.tsx';
import { RowGroup } from '#web/ui/list-row.tsx';
import { CancelAgreement } from '#web/widgets/cancel-agreement.tsx';
import { Consent } from '#web/widgets/consent.tsx';
import { CustomerDataButtons } from '#web/widgets/customer-data.tsx';
import { EditPerson } from '#web/widgets/edit-person.tsx';
import { ExchangePhone } from '#web/widgets/exchange-phone.tsx';
import { UnclaimPhone } from '#web/widgets/unclaim-phone.tsx';
import { isLetGo } from '#web/widgets/let-go.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { DeleteDraft } from './delete-draft.tsx';
import { isLeft, placeOf, type EnrolmentStep } from './places.ts';
import { StepRow } from './step-row.tsx';
import { WitnessStep } from './witness-step.tsx';

/** The steps of the sale; each one that is left opens its place. */
export function Checklist({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { customer, steps } = profile;
  const isDraft = customer.is_draft;
  const isGone = isLetGo(profile);
  const { can } = useAccess();
  if (profile.agreement?.state === 'cancelled') return <Cancelled customerId={customer.customer_id} />;
  return (
    <>
      <p className="text-ink-2">
        {can.activate
          ? t(isGone ? 'unclaim.over' : isDraft ? 'navigate.intro_draft' : 'navigate.intro_qr')
          : `${t('navigate.not_yours')} ${t(askKey())}`}
      </p>
      {!can.activate || isGone ? null : isDraft ? (
        <ButtonLink to={paths.addCustomer(customer.customer_id)} icon="edit" block>
          {t('navigate.go_on')}
        </ButtonLink>
      ) : (
        <ButtonLink to={paths.emmQr(customer.customer_id)} icon="qr" block>
          {t('navigate.show_qr')}
        </ButtonLink>
      )}
      <Consent profile={profile} />
      {can.activate && (
        <ButtonLink to={paths.customerDocuments(customer.customer_id)} tone="plain" icon="doc">
          {t('customer.documents')}
        </ButtonLink>
      )}
      <SectionTitle>{t('navigate.steps')}</SectionTitle>
      <RowGroup label={t('navigate.steps')}>
        {steps
          .filter(({ step }) => !isGone || !OF_PHONE.includes(step))
          .map((step) => (
            <Step key={step.step} step={step} profile={profile} />
          ))}
      </RowGroup>
      {can.activate && isDraft && <DeleteDraft customer={customer} />}
      {can.activate && profile.agreement?.state === 'active' && (
        <ButtonLink to={paths.emiDetails(customer.customer_id)} tone="plain" icon="calendar">
          {t('emi_edit.title')}
        </ButtonLink>
      )}
      <Changes profile={profile} />
    </>
  );
}

/** What may be changed, ended or asked for, whatever step is next. */
function Changes({ profile }: { profile: CustomerProfile }) {
  const { customer_id, is_draft } = profile.customer;
  return (
    <>
      <EditPerson profile={profile} />
      <ExchangePhone profile={profile} />
      <UnclaimPhone profile={profile} />
      <CancelAgreement profile={profile} />
      {!is_draft && <CustomerDataButtons customerId={customer_id} />}
    </>
  );
}

/** What is neither done nor to do where the phone was let go. */
const OF_PHONE: readonly EnrolmentStep['step'][] = ['device', 'qr'];

/** Nothing is left to do but what its money asks for, and what the customer may ask of the shop. */
function Cancelled({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('cancel.over')}</p>
      <ButtonLink to={paths.viewEmiDetails(customerId)} tone="plain" icon="receipt">
        {t('emi.title')}
      </ButtonLink>
      <CustomerDataButtons customerId={customerId} />
    </>
  );
}

function Step({ step, profile }: { step: EnrolmentStep; profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const isOpen = isLeft(step, profile);
  const isDoable = can.activate && !isLetGo(profile);
  return (
    <>
      <StepRow
        title={t(`navigate.step_${step.step}`)}
        isOpen={isOpen}
        to={isOpen && isDoable ? placeOf(step, profile) : undefined}
      />
      {step.step === 'signature' && <WitnessStep profile={profile} isDoable={isDoable} />}
    </>
  );
}
