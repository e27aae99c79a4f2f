import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { EmiDetails } from '@kist/contract/emi';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { toneSoft } from '#web/ui/chip.tsx';
import { cx } from '#web/ui/cx.ts';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useCodes } from '#web/widgets/sent-codes.ts';
import { Change } from './change.tsx';
import { Compared } from './compared.tsx';
import { TermsForm } from './terms-form.tsx';
import { ahead, faultsOf, termsOf, typedOf, type Typed } from './terms.ts';

/** Other EMIs for what is not due yet of a running agreement: new terms, the schedule before and after, and who agrees. */
export function Screen() {
  const { t } = useTranslation();
  const { customer_id: customerId = '' } = useParams();
  const details = useRead('getEmiDetails', { body: { customer_id: customerId } });
  const { data } = details;
  return (
    <Frame
      title={t('emi_edit.title')}
      detail={data && [data.agreement.first_name, data.agreement.agreement_no].filter(Boolean).join(' · ')}
      back={paths.customerDetails(customerId)}
      actions={<SearchButton />}
      wide
    >
      <QueryView result={details}>
        {(found) =>
          found.agreement.state === 'active' && ahead(found).length > 0 ? (
            <Edit details={found} refetch={details.refetch} />
          ) : (
            <StateView kind="empty" title={t('emi_edit.none')} />
          )
        }
      </QueryView>
    </Frame>
  );
}

const SETTLE_MS = 350;

/** What was typed a moment ago. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}

/** The schedule before and after the terms that are typed; what was shown stays while others load, and is not current then. */
function usePreview(customer_id: string, typed: Typed) {
  const terms = termsOf(typed);
  const settled = useSettled(terms);
  const body = { customer_id, ...(settled ?? { tenure: 1 }) };
  const preview = useRead('previewEmiEdit', { body }, { skip: settled === null });
  const { data, latest, isFetching } = preview;
  const isCurrent = JSON.stringify(terms) === JSON.stringify(settled) && data !== undefined && !isFetching;
  return { settled, body, isCurrent, preview: { ...preview, data: data ?? (isFetching ? latest : undefined) } };
}

function Edit({ details, refetch }: { details: EmiDetails; refetch: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Typed>(() => typedOf(details));
  const [reason, setReason] = useState('');
  const codeAbout = useCodes();
  const [isChanged, setChanged] = useState(false);
  const { settled, body, isCurrent, preview } = usePreview(details.agreement.customer_id, typed);
  const again = () => {
    setChanged(true);
    refetch();
    preview.refetch();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 md:grid-cols-2 md:gap-5">
      <div className="grid gap-3">
        <p className="text-ink-2">{t('emi_edit.intro')}</p>
        <TermsForm typed={typed} faults={faultsOf(typed)} onTyped={setTyped} />
      </div>
      <div className="grid gap-3">
        {settled !== null && (
          <QueryView result={preview}>
            {(said) => (
              <>
                <Compared said={said} isStale={!isCurrent} />
                {/* Where one has just pressed. */}
                {isChanged && (
                  <p role="alert" className={cx('rounded-xl p-3.5', toneSoft.due)}>
                    {t('emi_edit.changed')}
                  </p>
                )}
                <Change
                  said={said}
                  body={body}
                  isReady={isCurrent}
                  reason={reason}
                  onReason={setReason}
                  // Of other terms, or after another change, it is another code.
                  code={codeAbout(JSON.stringify([settled, said.schedule_version]))}
                  onConflict={again}
                />
              </>
            )}
          </QueryView>
        )}
      </div>
    </div>
  );
}
