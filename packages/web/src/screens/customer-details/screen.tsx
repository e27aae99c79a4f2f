import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { maskMobile } from '@kist/contract/masked';
import { telUrl } from '#web/native/share.ts';
import { besideList, listBehind, paths } from '#web/paths.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconAnchor } from '#web/ui/button.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { useWhole } from '#web/ui/use-whole.ts';
import { Certificate } from '#web/widgets/certificate.tsx';
import { ClaimOnPhone, Claims } from '#web/widgets/claims.tsx';
import { Consent } from '#web/widgets/consent.tsx';
import { late } from '#web/widgets/late.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { StatusChip } from '#web/widgets/state-chips.tsx';
import { EmiCard } from './emi-card.tsx';
import { LockCard } from './lock-card.tsx';
import { Security } from './security.tsx';
import { useLivePhone } from './use-live-phone.ts';

/** What lies below comes with its own code, after what is in sight was painted; its words came with the screen's. */
const NO_WORDS = () => Promise.resolve();
const Orders = late(async () => (await import('./below.tsx')).Orders, NO_WORDS);
const Erased = late(async () => (await import('./erased.tsx')).Erased, NO_WORDS);
/** Seldom: its code comes when one waits. */
const AskedOverride = late(async () => (await import('./override-asked.tsx')).AskedOverride, NO_WORDS);
const Besides = late(async () => (await import('./below.tsx')).Besides, NO_WORDS);

/** The phone's reports are told to the page; where they cannot be heard it asks: often while the phone has something to confirm. */
const PENDING_POLL_MS = 2000;
const DEAF_POLL_MS = 5000;
const LIVE_POLL_MS = 60_000;

/** The customer's page, read anew as often as what is seen of the phone may change. */
function useProfile(customerId: string) {
  const [isPending, setPending] = useState(false);
  const [deviceId, setDeviceId] = useState<string>();
  const isLive = useLivePhone(deviceId);
  const profile = useRead(
    'getCustomerProfile',
    { query: { customer_id: customerId } },
    { pollMs: isLive ? LIVE_POLL_MS : isPending ? PENDING_POLL_MS : DEAF_POLL_MS },
  );
  const { data } = profile;
  const pending =
    Boolean(data?.lock?.pending) ||
    Boolean(data?.device && data.device.desired_revision > data.device.reported_revision);
  if (pending !== isPending) setPending(pending);
  if (data && data.device?.device_id !== deviceId) setDeviceId(data.device?.device_id);
  return profile;
}

/** One customer: the phone's state and why, the EMIs, and what can be done. */
export function Screen() {
  const { t } = useTranslation();
  const { customer_id: customerId = '' } = useParams();
  const { search } = useLocation();
  const profile = useProfile(customerId);
  const { data } = profile;
  const [wasActive, setWasActive] = useState(false);
  if (data?.customer.status === CUSTOMER_STATUS.inactive && !data.erasure) {
    // Of a phone that begins anew before one's eyes the code is what comes next.
    return (
      <Navigate
        to={wasActive ? paths.emmQr(customerId) : besideList(paths.customerNavigate(customerId), search)}
        state={wasActive ? { isExchanged: true } : undefined}
        replace
      />
    );
  }
  if (data && !wasActive) setWasActive(true);
  const name = data && nameOf(data, t);
  const mobile = data?.customer.mobile;
  return (
    <Frame
      title={name || t('customer.title')}
      detail={
        data &&
        [mobile && maskMobile(mobile), data.device && `${data.device.brand} ${data.device.model}`]
          .filter(Boolean)
          .join(' · ')
      }
      back={listBehind(search)}
      lead={
        data &&
        !data.erasure && (
          // A small phone keeps its room for the name.
          <Avatar name={`${data.customer.first_name} ${data.customer.last_name}`} className="max-[420px]:hidden" />
        )
      }
      actions={
        <>
          <SearchButton />
          {mobile && <IconAnchor icon="call" label={t('common.call')} href={telUrl(mobile)} />}
        </>
      }
      wide
    >
      <QueryView result={profile} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
        {(found) => (found.erasure ? <Kept profile={found} erasure={found.erasure} /> : <Cards profile={found} />)}
      </QueryView>
    </Frame>
  );
}

/** The whole name: this is the page that says who it is. */
function nameOf({ customer, erasure }: CustomerProfile, t: TFunction): string {
  if (erasure) return t('customers.erased');
  return [customer.first_name, customer.last_name].filter(Boolean).join(' ');
}

/** Of somebody who was erased: that it is so, a phone that has not said yet that it is free, and the money, which stays. */
function Kept(props: { profile: CustomerProfile; erasure: NonNullable<CustomerProfile['erasure']> }) {
  const { customer, agreement, lock, lock_timeline } = props.profile;
  return (
    <>
      <Erased {...props} />
      {lock && (lock.pending ?? lock.lock_status === 1) && (
        <LockCard
          customerId={customer.customer_id}
          lock={lock}
          timeline={lock_timeline}
          isReleased
          isLockOffered={false}
          isGuardTold={false}
        />
      )}
      {agreement && <EmiCard customerId={customer.customer_id} agreement={agreement} />}
    </>
  );
}

function Cards({ profile }: { profile: CustomerProfile }) {
  const { customer, device, lock, lock_timeline: timeline, agreement } = profile;
  const isWhole = useWhole();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 @[40rem]:grid-cols-[repeat(2,minmax(0,1fr))] @[40rem]:gap-5">
      {profile.security && (
        <div className="@[40rem]:col-span-full">
          <Security signals={profile.security} lock={lock} />
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        {customer.status !== CUSTOMER_STATUS.install && <StatusChip status={customer.status} />}
        {lock && (
          <LockCard
            customerId={customer.customer_id}
            lock={lock}
            timeline={timeline}
            isReleased={Boolean(device?.released_at)}
            isGuardTold={Boolean(profile.security)}
            isLockOffered={device?.features.toggles.includes('lock') ?? false}
            mayOverride={Boolean(profile.override)}
            cannotLock={device?.features.cannot['lock']}
          />
        )}
        {profile.override?.asked && <AskedOverride asked={profile.override.asked} customerId={customer.customer_id} />}
        <WaitingClaims profile={profile} />
        <Consent profile={profile} />
        {agreement && <EmiCard customerId={customer.customer_id} agreement={agreement} />}
        <Certificate profile={profile} />
        {isWhole && device && lock && <Orders customerId={customer.customer_id} device={device} lock={lock} />}
      </div>
      {isWhole && <Besides profile={profile} />}
    </div>
  );
}

/** What the customer says was paid, to be answered here. */
function WaitingClaims({ profile: { agreement, customer } }: { profile: CustomerProfile }) {
  const { isStaff } = useAccess();
  const { data } = useRead(
    'getEmiDetails',
    { body: { customer_id: customer.customer_id } },
    { skip: !agreement || !isStaff, pollMs: LIVE_POLL_MS },
  );
  if (!data) return null;
  return (
    <>
      <Claims payments={data.payments} />
      <ClaimOnPhone details={data} />
    </>
  );
}
