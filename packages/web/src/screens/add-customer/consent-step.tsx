import { useTranslation } from 'react-i18next';
import { LANGUAGE_TAGS } from '@kist/contract/codes';
import { formatDate, formatMoney, formatRate } from '#web/i18n/formats.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { useLanguages } from '#web/theme/use-brand.ts';
import { Card, Facts, SectionTitle } from '#web/ui/card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Checkbox } from '#web/ui/switch.tsx';
import { ConsentSums } from '#web/widgets/consent-sums.tsx';
import type { Drawing } from '#web/widgets/drawing.ts';
import { SignatureCapture } from '#web/widgets/signature-capture.tsx';
import type { Clause } from '#web/widgets/clause.ts';
import { ConsentCodeCard } from './consent-code.tsx';
import { FirstPeriod } from './first-period.tsx';
import { type Agreeing, clauseLanguage } from './use-agreeing.ts';
import type { Form } from './use-form.ts';
import type { Preview } from './use-preview.ts';

export interface Signing {
  drawing: Drawing;
  isEmpty: boolean;
  onDrawn: (isEmpty: boolean) => void;
  onDone: () => void;
}

/** What the customer agrees to, in the customer's own language, and the signature below it. */
export function ConsentStep(props: {
  form: Form;
  preview: Preview;
  /** Whose loan it is; undefined: the shop's own. */
  lender: string | undefined;
  signing: Signing;
  agreeing: Agreeing;
  keysLeft: number | undefined;
}) {
  const { form, preview, lender, signing, agreeing, keysLeft } = props;
  const { clause, code } = agreeing;
  const { t } = useTranslation();
  const { values, sentences, set } = form;
  const isAccepted = values['consent.accepted'] === '1';
  const name = [values['customer.first_name'], values['customer.last_name']].filter(Boolean).join(' ');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 md:gap-5">
      <div className="grid content-start gap-3">
        <Deal form={form} preview={preview} lender={lender} />
        <ClauseCard form={form} clause={clause} />
      </div>
      <div className="grid content-start gap-3">
        <Card>
          <Checkbox
            name="consent.accepted"
            checked={isAccepted}
            onChange={agreeing.accept}
            error={sentences['consent.accepted']}
          >
            {name ? t('consent.accept', { name }) : t('consent.accept_unnamed')}
          </Checkbox>
        </Card>
        <SectionTitle>{t('signature.of_customer')}</SectionTitle>
        <SignatureCapture
          {...signing}
          method={values['consent.method'] === 'typed' ? 'typed' : 'signature'}
          onMethod={(method) => set({ 'consent.method': method })}
          typedName={values['consent.typed_name']}
          onTypedName={(typed) => set({ 'consent.typed_name': typed })}
          error={values['consent.method'] === 'typed' ? sentences['consent.typed_name'] : sentences['consent.method']}
        />
        <ConsentCodeCard code={code} mobile={values['customer.mobile']} isAccepted={isAccepted} />
        <p className="flex items-start gap-2 text-sm text-ink-2">
          <Icon name="key" size={16} className="mt-px" />
          {keysLeft === undefined ? t('add.key_spent') : t('add.key_spent_of', { count: keysLeft })}
        </p>
      </div>
    </div>
  );
}

/** The figures above the clause: nobody signs for a sum that was not shown. */
function Deal({ form, preview, lender }: { form: Form; preview: Preview; lender: string | undefined }) {
  const { t } = useTranslation();
  const { data } = preview;
  const { values } = form;
  const last = data?.instalments.at(-1);
  return (
    <Card className="grid gap-3">
      {data && (
        <ConsentSums
          financed={data.financed}
          emis={data.instalments.length}
          amount={data.emi}
          last={last ? last.principal + last.interest : data.emi}
          total={data.total_payable}
        />
      )}
      <Facts
        items={[
          { label: t('emi.phone'), value: `${values['device.brand']} ${values['device.model']}`.trim() },
          ...(lender === undefined ? [] : [{ label: t('emi.financer'), value: lender }]),
          ...(data
            ? [
                {
                  label: t('emi.emi_times', { count: data.instalments.length }),
                  value: <b className="text-lg">{formatMoney(data.emi)}</b>,
                },
                { label: t('add.first_due'), value: formatDate(data.instalments[0]?.due_on) },
                { label: t('emi.interest'), value: formatMoney(data.total_interest) },
                ...(data.fee > 0 ? [{ label: t('emi.fee'), value: formatMoney(data.fee) }] : []),
                { label: t('emi.down'), value: formatMoney(Number(values['emi.down_payment'])) },
                {
                  label: t('add.total_cost'),
                  value: formatMoney(data.total_payable + Number(values['emi.down_payment'])),
                },
                { label: t('emi.apr'), value: formatRate(data.apr_bps) },
              ]
            : [{ label: t('emi.price'), value: formatMoney(Number(values['emi.cash_price'])) }]),
        ]}
      />
      {data && <FirstPeriod figures={data} values={values} />}
    </Card>
  );
}

function ClauseCard({ form, clause }: { form: Form; clause: Clause | null }) {
  const { t } = useTranslation();
  const wanted = clauseLanguage(form.values);
  return (
    <Card className="grid gap-3">
      <SelectField
        label={t('consent.language')}
        name="consent.language"
        value={wanted}
        onChange={(event) => form.set({ 'consent.language': event.currentTarget.value, 'consent.accepted': '' })}
        options={useLanguages(wanted).map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
      />
      {clause ? (
        <>
          {clause.language !== wanted && (
            <p className="text-sm text-due">
              {t('consent.other_language', { language: LANGUAGE_NAMES[clause.language] })}
            </p>
          )}
          <div lang={LANGUAGE_TAGS[clause.language]} className="grid gap-2">
            {clause.text.split('\n').map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        </>
      ) : (
        <Skeleton className="h-40" />
      )}
    </Card>
  );
}
