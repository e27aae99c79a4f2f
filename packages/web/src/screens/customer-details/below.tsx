import type { CustomerProfile } from '@kist/contract/customers';
import { Disputes } from '#web/widgets/disputes/disputes.tsx';
import { mayComplain } from '#web/widgets/disputes/may-complain.ts';
import { DeviceCard } from './device-card.tsx';
import { History } from './history.tsx';
import { Holds } from './holds.tsx';
import { PersonCard } from './person-card.tsx';
import { Theft } from './theft.tsx';

export { Orders } from './orders.tsx';

/** The phone, what was said about it, and the person: below on a phone, beside on a desk. */
export function Besides({ profile }: { profile: CustomerProfile }) {
  const { customer, device, lock_timeline: timeline, agreement } = profile;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      {device && <DeviceCard device={device} />}
      {timeline && (
        <Holds customerId={customer.customer_id} timeline={timeline} isRunning={agreement?.state === 'active'} />
      )}
      {agreement && (
        <Disputes
          customerId={customer.customer_id}
          disputes={profile.disputes}
          isRunning={mayComplain(agreement.state, timeline)}
        />
      )}
      <Theft profile={profile} />
      {device && <History deviceId={device.device_id} />}
      <PersonCard profile={profile} />
    </div>
  );
}
