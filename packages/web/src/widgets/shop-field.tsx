import { useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useSearchText } from './use-search-text.ts';

/** One that can be chosen: a shop by its id, or what stands before them all. */
interface Choice {
  value: string;
  label: string;
}

/** The shops that fit what was typed, a page of them, and how many there are at all. */
function useShops(search: string, isActive: boolean, isSkipped: boolean) {
  const asked = { ...(isActive && { state: 'active' as const }), sort: 'name', page_size: LIMITS.pageSizeMax } as const;
  const { latest, data } = useRead('listUsers', { query: search ? { ...asked, search } : asked }, { skip: isSkipped });
  const { list = [], total = 0 } = latest ?? {};
  const shops = list.map(({ user_id, shop_name, mobile }) => ({ value: user_id, label: shop_name || mobile }));
  return { shops, total, isThere: data !== undefined };
}

/** The name of a shop that stands chosen and is not on the page: an address may name it. */
function useName(userId: string | undefined): string | undefined {
  const { data } = useRead('getUserDetails', { query: { user_id: userId } }, { skip: userId === undefined });
  return data && (data.shop_name || data.first_name);
}

/** One of the shops below. Where there are more than a finger scrolls through they are searched; who was chosen stays in the list meanwhile. */
export function ShopField(props: {
  label: string;
  placeholder: string;
  searchLabel: string;
  value: string;
  onValue: (value: string) => void;
  /** Stand first, whatever is searched. */
  before: readonly Choice[];
  /** Not to be chosen. */
  without?: string;
  /** Only shops that sell. */
  isActive?: boolean;
  /** Nobody may be asked for. */
  isSkipped?: boolean;
  /** What is said of their number, where they are searched. */
  hint?: (total: number) => string;
  error?: string | undefined;
  disabled?: boolean;
}) {
  const { label, placeholder, searchLabel, value, onValue, before, without, hint, error, disabled } = props;
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const text = useSearchText(search, setSearch);
  const { shops, total, isThere } = useShops(search, props.isActive ?? false, props.isSkipped ?? false);
  const [chosen, setChosen] = useState<Choice>();
  const [isLong, setLong] = useState(false);
  if (total > LIMITS.pageSize && !isLong) setLong(true);
  const options = [...before, ...shops.filter((shop) => shop.value !== without)];
  const isApart = value !== '' && isThere && !options.some((one) => one.value === value);
  const known = isApart && chosen?.value === value ? chosen.label : undefined;
  const name = useName(isApart && known === undefined ? value : undefined);
  if (isApart) options.unshift({ value, label: known ?? name ?? '…' });
  const none = isThere && search !== '' && shops.length === 0;
  return (
    <>
      {isLong && (
        <SearchField label={searchLabel} value={text.value} onValue={text.change} maxLength={LIMITS.searchLength} />
      )}
      <SelectField
        label={label}
        placeholder={placeholder}
        hint={none ? t('states.no_result_title') : isLong ? hint?.(total) : undefined}
        options={options}
        value={value}
        error={error}
        disabled={disabled}
        onChange={(event) => {
          setChosen(options.find((one) => one.value === event.currentTarget.value));
          onValue(event.currentTarget.value);
        }}
      />
    </>
  );
}
