import { useTranslation } from 'react-i18next';
import type { RetailerProfile } from '@kist/contract/people';
import { ShopField } from '#web/widgets/shop-field.tsx';
import { useMe } from '#web/widgets/use-access.ts';

/** The shop that receives: the retailer above, or another that sells. */
export function ReceiverField(props: {
  shop: RetailerProfile;
  value: string;
  error: string | undefined;
  disabled: boolean;
  onValue: (userId: string) => void;
}) {
  const { shop, ...field } = props;
  const { t } = useTranslation();
  const { data: me } = useMe();
  return (
    <ShopField
      {...field}
      label={t('retailers.pass_to')}
      placeholder={t('retailers.pass_choose')}
      searchLabel={t('retailers.search')}
      hint={(count) => t('retailers.count', { count })}
      before={me?.user_type === 'retailer' ? [{ value: me.user_id, label: t('retailers.own_shop') }] : []}
      without={shop.user_id}
      isActive
    />
  );
}
