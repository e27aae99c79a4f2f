import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead } from '#web/api/use-call.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { useSearchText } from '#web/widgets/use-search-text.ts';

interface Receiver {
  value: string;
  label: string;
}

/** Whom they can go to: the retailer above, and the other shops that sell, of which a page is shown at a time. `count`: how many there are. */
function useReceivers(shop: RetailerProfile, search: string) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const asked = { state: 'active', sort: 'name', page_size: LIMITS.pageSizeMax } as const;
  const { latest, data } = useRead('listUsers', { query: search ? { ...asked, search } : asked });
  const { list = [], total = 0 } = latest ?? {};
  const shops = list.filter(({ user_id }) => user_id !== shop.user_id);
  const isOwn = me?.user_type === 'retailer' && !search;
  const options: Receiver[] = [
    ...(isOwn ? [{ value: me.user_id, label: t('retailers.own_shop') }] : []),
    ...shops.map(({ user_id, shop_name, mobile }) => ({ value: user_id, label: shop_name || mobile })),
  ];
  return { options, total, isThere: data !== undefined };
}

/** The shop that receives. Where there are more than a finger scrolls through they are searched; who was chosen stays in the list meanwhile. */
export function ReceiverField(props: {
  shop: RetailerProfile;
  value: string;
  error: string | undefined;
  disabled: boolean;
  onValue: (userId: string) => void;
}) {
  const { shop, value, error, disabled, onValue } = props;
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const text = useSearchText(search, setSearch);
  const { options, total, isThere } = useReceivers(shop, search);
  const [chosen, setChosen] = useState<Receiver>();
  const [isLong, setLong] = useState(false);
  if (total > LIMITS.pageSize && !isLong) setLong(true);
  const isListed = options.some((one) => one.value === value);
  const shown = chosen && chosen.value === value && !isListed ? [chosen, ...options] : options;
  const none = isThere && search !== '' && options.length === 0;
  return (
    <>
      {isLong && (
        <SearchField
          label={t('retailers.search')}
          value={text.value}
          onValue={text.change}
          maxLength={LIMITS.searchLength}
        />
      )}
      <SelectField
        label={t('retailers.pass_to')}
        placeholder={t('retailers.pass_choose')}
        hint={none ? t('states.no_result_title') : isLong ? t('retailers.count', { count: total }) : undefined}
        options={shown}
        value={value}
        error={error}
        disabled={disabled}
        onChange={(event) => {
          setChosen(shown.find((one) => one.value === event.currentTarget.value));
          onValue(event.currentTarget.value);
        }}
      />
    </>
  );
}
