import { useEffect, useState } from 'react';
import { api } from '#web/api/api.ts';
import { listenToPhone } from '#web/api/live.ts';
import { useAppDispatch } from '#web/state/store.ts';

/** Reads anew what a phone's report changes on the page of its customer. @returns whether reports are heard at once; else the page has to ask */
export function useLivePhone(deviceId: string | undefined): boolean {
  const dispatch = useAppDispatch();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (!deviceId) return undefined;
    return listenToPhone(deviceId, {
      // A desk has the list beside it.
      onChange: () =>
        void dispatch(api.util.invalidateTags(['getCustomerProfile', 'getDevice', 'getTimeline', 'listCustomers'])),
      onLive: setLive,
    });
  }, [deviceId, dispatch]);
  return isLive;
}
