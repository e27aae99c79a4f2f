import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { shopToday } from '#web/i18n/formats.ts';
import { useAppSelector } from '#web/state/store.ts';
import { Card } from '#web/ui/card.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { isFinanced, type Problems, type Values } from './fields.ts';
import { FormField } from './inputs.tsx';
import type { Form } from './use-form.ts';

/** Who lends for phones at this organisation. */
export interface Lenders {
  all: { financer_id: number; name: string; is_open: boolean }[];
  /** The list is the server's; before, nobody can tell who is not in it. */
  isKnown: boolean;
}

/** Asks who lends here; until the answer comes, what the state knows from before. */
export function useLenders(): Lenders {
  const { data } = useRead('financerList', { body: {} });
  const before = useAppSelector((state) => state.product.financer_list);
  return { all: data ?? before, isKnown: data !== undefined };
}

const lenderOf = ({ all }: Lenders, values: Values) =>
  all.find(({ financer_id }) => String(financer_id) === values['loan.financer_id']);

/** @returns the financer's name; undefined for a sale on the shop's own EMI. */
export const lenderName = (lenders: Lenders, values: Values): string | undefined => lenderOf(lenders, values)?.name;

/** What is wrong with the choice itself: a financer that lends here no more, or whose loans are signed under other rules than the organisation's. */
export function lenderProblems(lenders: Lenders, values: Values): Problems {
  if (!isFinanced(values) || !lenders.isKnown) return {};
  const lender = lenderOf(lenders, values);
  if (!lender) return { 'loan.financer_id': 'field.choice' };
  return lender.is_open ? {} : { 'loan.financer_id': 'errors.LENDER_RULES_REQUIRED' };
}

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
