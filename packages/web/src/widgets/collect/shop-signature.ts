import { useRead } from '#web/api/use-call.ts';
import { useMe } from '#web/widgets/use-access.ts';

/** The signature of the shop that is signed in, for what it gives out, as a data URL. Undefined: it uploaded none, it cannot be had now, or this is no shop. */
export function useShopSignature(): string | undefined {
  const { data: me } = useMe();
  const isShop = me?.user_type === 'retailer' || me?.user_type === 'miniretailer';
  const { data: shop } = useRead('getUserDetails', { query: {} }, { skip: !isShop });
  const { data: picture } = useRead(
    'getUserPicture',
    { query: { kind: 'signature' } },
    { skip: shop?.has_signature !== true },
  );
  return picture?.data_url;
}
