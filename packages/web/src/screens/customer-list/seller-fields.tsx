import type { ShopType } from '@kist/contract/codes';
import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { ShopField } from '#web/widgets/shop-field.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import type { Filters } from './filters.ts';

/** What was sold, and by whom. */
export function SellerFields(props: { draft: Filters; onDraft: (change: Partial<Filters>) => void }) {
  const { draft, onDraft } = props;
  const { t } = useTranslation();
  const { isRetailer, can } = useAccess();
  // Past plans too: whom they were sold to is still there.
  const plans = useRead('getProducts', { query: {} }, { skip: !can.catalogue }).data ?? [];
  const nameOf = ({ name, is_on_sale: isOnSale }: (typeof plans)[number]) =>
    isOnSale ? name : t('customers.plan_past', { name });
  const plan = draft.plan_id ?? draft.product_id;
  return (
    <>
      <SelectField
        label={t('customers.plan')}
        placeholder={t('common.all')}
        value={plan === undefined ? '' : `${plan as string}`}
        // A product is a plan on sale: one choice stands for both.
        onChange={(event) => onDraft({ plan_id: chosen(event), product_id: undefined } as Partial<Filters>)}
        options={plans
          .toSorted((a, b) => Number(b.is_on_sale) - Number(a.is_on_sale))
          .map((one) => ({ value: String(one.plan_id), label: nameOf(one) }))}
      />
      {isRetailer && <SoldBy draft={draft} onDraft={onDraft} />}
    </>
  );
}

/** In the order of the choice; a list of the contract's would stand in the app's first bundle. */
const TYPES: readonly ShopType[] = ['retailer', 'miniretailer'];
const chosen = (event: { target: { value: string } }): string | undefined => event.target.value || undefined;

/** Who sold: the retailer, every mini-retailer, or one of them. */
function SoldBy({ draft, onDraft }: { draft: Filters; onDraft: (change: Partial<Filters>) => void }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const one = draft.retailer_id ?? draft.user_id ?? draft.account_id;
  return (
    <ShopField
      label={t('customers.added_by')}
      placeholder={t('common.all')}
      searchLabel={t('customers.search_seller')}
      value={one ?? draft.user_type ?? ''}
      onValue={(value) => {
        const type = TYPES.find((known) => known === value);
        onDraft({
          user_type: type,
          retailer_id: type ? undefined : value || undefined,
          user_id: undefined,
          account_id: undefined,
        });
      }}
      before={TYPES.map((type) => ({ value: type, label: t(`shell.${type}`) }))}
      isSkipped={!can.read}
    />
  );
}
