import { useRead, type ReadOptions, type ReadResult } from '#web/api/use-call.ts';
import type { CallReply } from '#web/api/calls.ts';
import { useAppSelector } from '#web/state/store.ts';
import { abilitiesOf } from './abilities.ts';

/** Default user access (specification, section 6) until the server's answer replaces it. */
const DEFAULT_ACCESS = {
  user_type: 'retailer',
  feature_access: '1',
  lock_unlock: '1',
  unistall: '1',
  active_deactive: '1',
  bulk_retailer: '0',
} as const;

/** Who is signed in; `data` undefined until the server said so. */
export const useMe = (options?: ReadOptions): ReadResult<CallReply<'getUserAccess'>> =>
  useRead('getUserAccess', {}, options);

/**
 * What the signed-in user may do, as booleans. The app hides what is not allowed; the server refuses it.
 * @example const { can } = useAccess(); can.lock && <Button …/>
 */
export function useAccess() {
  const { data: me } = useMe();
  const lockAccess = useAppSelector((state) => state.main.accessConfig);
  const access = me ?? DEFAULT_ACCESS;
  return {
    me,
    isRetailer: me?.user_type === 'retailer',
    /** A shop or the organisation's admin: whoever is there for customers. A customer sees the own agreement and nothing else. */
    isStaff: me !== undefined && me.user_type !== 'customer',
    can: abilitiesOf({ userType: access.user_type, access, lockAccess }),
  };
}
