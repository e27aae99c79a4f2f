import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { PayTo } from '@kist/contract/pay-to';
import { useRead } from '#web/api/use-call.ts';
import { telUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { ButtonAnchor, IconAnchor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { Certificate } from '#web/widgets/certificate.tsx';
import { Disputes } from '#web/widgets/disputes/disputes.tsx';
import { mayComplain } from '#web/widgets/disputes/may-complain.ts';
import { Purchases, usePurchase } from '#web/widgets/purchases.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { LostPhone } from './lost-phone.tsx';
import { Owed } from './owed.tsx';
import { Pay } from './pay.tsx';
import { PhoneState } from './phone-state.tsx';
import { Receipts } from './receipts.tsx';
import { Told } from './told.tsx';

/** The phone reports and the shop answers while somebody looks. */
const POLL_MS = 15_000;

/** A customer's home: what is owed, why and since when; paying, saying so, saying that it is wrong; what the phone does next. */
export function Screen() {
  const { t } = useTranslation();
  const { me, id, ids } = usePurchase();
  const skip = id === '';
  const profile = useRead('getCustomerProfile', { query: { customer_id: id } }, { skip, pollMs: POLL_MS });
  const hasAgreement = Boolean(profile.data?.agreement);
  const ofMoney = { skip: !hasAgreement, pollMs: POLL_MS };
  const details = useRead('getEmiDetails', { body: { customer_id: id } }, ofMoney);
  const pay = useRead('getPayTo', { query: { customer_id: id } }, ofMoney);
  if (me.data && me.data.user_type !== 'customer') return <Navigate to={paths.dashboard()} replace />;
  const shop = pay.data?.shop ?? me.data?.shop_name;
  return (
    <Frame
      title={me.data ? t('dashboard.greeting', { name: me.data.first_name }) : t('shell.home')}
      detail={shop}
      wide
      actions={
        pay.data?.shop_phone && (
          <IconAnchor icon="call" label={t('mine.call_shop')} href={telUrl(pay.data.shop_phone)} />
        )
      }
    >
      <Purchases id={id} ids={ids} />
      <QueryView result={me}>
        {() => (
          <QueryView result={profile}>
            {(found) =>
              found.agreement ? (
                <QueryView result={details}>
                  {(emi) => (
                    <QueryView result={pay}>{(to) => <Page profile={found} details={emi} pay={to} />}</QueryView>
                  )}
                </QueryView>
              ) : (
                <StateView kind="empty" title={t('mine.no_agreement')} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </Frame>
  );
}

function Page({ profile, details, pay }: { profile: CustomerProfile; details: EmiDetails; pay: PayTo }) {
  const { t } = useTranslation();
  const customerId = profile.customer.customer_id;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 @[40rem]:grid-cols-[repeat(2,minmax(0,1fr))] @[40rem]:gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        <Owed details={details} />
        <Told details={details} pay={pay} />
        {pay.amount_paise > 0 && <Pay details={details} pay={pay} />}
        <PhoneState profile={profile} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        <Disputes
          customerId={customerId}
          disputes={profile.disputes}
          isRunning={mayComplain(details.agreement.state, profile.lock_timeline)}
        />
        <Receipts details={details} shop={pay.shop} />
        <Certificate profile={profile} />
        <Notices customerId={profile.customer.customer_id} />
        <LostPhone profile={profile} />
        <RowGroup>
          <ListRow
            lead={<Icon name="calendar" className="text-ink-2" />}
            title={t('mine.all_emis')}
            to={paths.viewEmiDetails(customerId)}
          />
          <ListRow
            lead={<Icon name="doc" className="text-ink-2" />}
            title={t('shell.my_data')}
            to={paths.myData(customerId)}
          />
          <ListRow
            lead={<Icon name="shield" className="text-ink-2" />}
            title={t('shell.privacy')}
            to={paths.privacyPolicy()}
          />
        </RowGroup>
      </div>
    </div>
  );
}

/** The page that needs no login: what a shared phone or a family member may open too. */
function Notices({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const { data } = useRead('getNoticeLink', { query: { customer_id: customerId } });
  if (!data) return null;
  return (
    <ButtonAnchor href={data.url} icon="bell" block>
      {t('mine.notices')}
    </ButtonAnchor>
  );
}
