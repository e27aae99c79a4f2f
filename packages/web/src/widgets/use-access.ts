import { useRead, type ReadResult } from '#web/api/use-call.ts';
import type { CallReply } from '#web/api/calls.ts';
import { useAppSelector } from '#web/state/store.ts';

/** Default user access (specification, section 6) until the server's answer replaces it. */
const DEFAULT_ACCESS = {
  feature_access: '1',
  lock_unlock: '1',
  unistall: '1',
  active_deactive: '1',
  bulk_retailer: '0',
} as const;

/** Who is signed in; `data` undefined until the server said so. */
export const useMe = (): ReadResult<CallReply<'getUserAccess'>> => useRead('getUserAccess', {});

/**
 * What the signed-in user may do, as booleans. The app hides what is not allowed; the server refuses it.
 * @example const { can } = useAccess(); can.lock && <Button …/>
 */
export function useAccess() {
  const { data: me } = useMe();
  const lock = useAppSelector((state) => state.main.accessConfig);
  const user = me ?? DEFAULT_ACCESS;
  const isOn = (value: '0' | '1') => value === '1';
  return {
    me,
    isRetailer: me?.user_type === 'retailer',
    /** A shop serves customers; a customer sees the own agreement and nothing else. */
    isShop: me !== undefined && me.user_type !== 'customer',
    can: {
      useFeatures: isOn(user.feature_access),
      lock: isOn(user.lock_unlock) && isOn(lock.lock),
      unlock: isOn(user.lock_unlock) && isOn(lock.unlock),
      read: isOn(lock.read),
      uninstall: isOn(user.unistall) && isOn(lock.uninstall),
      activate: isOn(user.active_deactive),
      bulk: isOn(user.bulk_retailer),
    },
  };
}
