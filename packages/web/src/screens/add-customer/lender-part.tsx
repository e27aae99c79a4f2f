import { useTranslation } from 'react-i18next';
import { shopToday } from '#web/i18n/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { isFinanced } from './fields.ts';
import { FormField } from './inputs.tsx';
import { lenderOf, lenderProblems, type Lenders } from './lenders.ts';
import type { Form } from './use-form.ts';

/** Whose loan it is, where somebody lends here, and what is written in its sanction. */
export function LenderPart({ form, lenders }: { form: Form; lenders: Lenders }) {
  const { t } = useTranslation();
  const { values, sentences, set } = form;
  const chosen = values['loan.financer_id'];
  if (lenders.all.length === 0 && !isFinanced(values)) return null;
  const options = lenders.all.map(({ financer_id, name }) => ({ value: String(financer_id), label: name }));
  // Begun with a financer that is gone, or not known yet: the choice stands until somebody makes another.
  if (isFinanced(values) && !lenderOf(lenders, values)) options.push({ value: chosen, label: '—' });
  const problem = lenderProblems(lenders, values)['loan.financer_id'];
  return (
    <Card className="grid gap-4">
      <SelectField
        label={t('emi.financer')}
        name="loan.financer_id"
        value={chosen}
        error={sentences['loan.financer_id'] ?? (problem && t(problem))}
        placeholder={t('add.lender_own')}
        onChange={({ currentTarget: { value } }) =>
          set({
            'loan.financer_id': value,
            // Most loans are sanctioned while the customer waits.
            ...(value && !values['loan.sanctioned_on'] && { 'loan.sanctioned_on': shopToday() }),
          })
        }
        options={options}
      />
      {isFinanced(values) && <Loan form={form} />}
    </Card>
  );
}

function Loan({ form }: { form: Form }) {
  const { t } = useTranslation();
  const { values, sentences, set } = form;
  const sanctioned = values['loan.sanctioned_amount'];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField form={form} name="loan.loan_account_no" label={t('emi.loan_no')} wanted />
      <MoneyField
        label={t('add.sanctioned')}
        name="loan.sanctioned_amount"
        data-wanted
        enterKeyHint="next"
        valuePaise={sanctioned === '' ? undefined : Number(sanctioned)}
        onPaise={(paise) => set({ 'loan.sanctioned_amount': paise === undefined ? '' : String(paise) })}
        error={sentences['loan.sanctioned_amount']}
      />
      <DateField
        label={t('add.sanctioned_on')}
        name="loan.sanctioned_on"
        value={values['loan.sanctioned_on']}
        max={shopToday()}
        error={sentences['loan.sanctioned_on']}
        onChange={(event) => set({ 'loan.sanctioned_on': event.currentTarget.value })}
      />
    </div>
  );
}
