import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerRow } from '@kist/contract/customers';
import { isErased } from '@kist/contract/erased';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { useSend } from '#web/api/use-send.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Checkbox } from '#web/ui/switch.tsx';
import { KeptOnce, useKept } from '#web/widgets/kept-note.tsx';
import { pagedList, type Pages, usePages } from '#web/widgets/paged-list/use-pages.ts';
import { useSearchText } from '#web/widgets/use-search-text.ts';

/** The customers of one shop, by name. */
const customersOfShop = pagedList<CustomerRow>('listCustomers', (row) => row.customer_id);

/** Customers of a shop are chosen, page by page or searched; who was chosen stays so while others are looked for. */
export function Choosing(props: {
  shop: RetailerProfile;
  onClose: () => void;
  onChosen: (customerIds: readonly string[]) => void;
}) {
  const { shop, onClose, onChosen } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const text = useSearchText(search, setSearch);
  const filters = { retailer_id: shop.user_id, sort: 'name' as const, ...(search && { search }) };
  const pages = usePages(customersOfShop, filters, useSend('listCustomers')[0]);
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (!isChosen) next.delete(id);
    // No more than pass in one call: those that do not fit stay unticked.
    else if (next.size < LIMITS.transferCustomers) next.add(id);
    setChosen(next);
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('retailers.pass_some')}
      footer={
        <>
          <Button tone="plain" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={chosen.size === 0} onClick={() => onChosen([...chosen])}>
            {t('common.continue')}
          </Button>
        </>
      }
    >
      <SearchField
        label={t('customers.search')}
        value={text.value}
        onValue={text.change}
        maxLength={LIMITS.searchLength}
      />
      <p role="status" className="font-semibold text-ink">
        {t('retailers.chosen', { count: chosen.size })}
      </p>
      <KeptOnce>
        <Rows pages={pages} chosen={chosen} onChoose={choose} />
      </KeptOnce>
    </Sheet>
  );
}

function Rows(props: {
  pages: Pages<CustomerRow>;
  chosen: ReadonlySet<string>;
  onChoose: (id: string, isChosen: boolean) => void;
}) {
  const { pages, chosen, onChoose } = props;
  const { t } = useTranslation();
  const { loaded, error, isLoading, isStale } = pages;
  useKept(loaded?.keptAtMs, loaded?.isSearched);
  const rows = loaded?.rows ?? [];
  return (
    <>
      {rows.length > 0 && (
        <ul aria-busy={isStale} className="divide-y divide-line">
          {rows.map((row) => (
            <li key={row.customer_id}>
              <Checkbox
                checked={chosen.has(row.customer_id)}
                onChange={(isChosen) => onChoose(row.customer_id, isChosen)}
              >
                <Who row={row} />
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {isLoading && <Spinner label={t('common.loading')} />}
      {!isLoading && error && (
        <Button tone="plain" icon="refresh" onClick={pages.retry}>
          {t('common.retry')}
        </Button>
      )}
      {!isLoading && !error && loaded?.total === 0 && <p className="text-ink-2">{t('states.no_result_title')}</p>}
      {!isLoading && !error && loaded && rows.length < loaded.total && (
        <Button tone="quiet" onClick={pages.more}>
          {t('customers.more')}
        </Button>
      )}
    </>
  );
}

/** Who it is, as a shop tells two of one name apart. */
function Who({ row }: { row: CustomerRow }) {
  const { t } = useTranslation();
  const name = isErased(row)
    ? t('customers.erased')
    : `${row.first_name} ${row.last_name}`.trim() || t('customers.no_name');
  const detail = [row.mobile && formatMobile(row.mobile), row.device].filter(Boolean).join(' · ');
  return (
    <>
      <span className="block font-semibold">{name}</span>
      {detail && <span className="block text-sm text-ink-2">{detail}</span>}
    </>
  );
}
