import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Card, Facts, SectionTitle } from '#web/ui/card.tsx';
import { ContactButtons } from '#web/widgets/contact-buttons.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { Access } from './access.tsx';
import { Figures } from './figures.tsx';
import { PassKeys } from './pass-keys.tsx';
import { Picture } from './picture.tsx';
import { Standing } from './standing.tsx';
import { Transfer } from './transfer.tsx';

/** One shop, or one's own: what its work comes to, who runs it, what it may do; suspend and let in again. */
export function Screen() {
  const { t } = useTranslation();
  const { user_id: of = 'me' } = useParams();
  const { can } = useAccess();
  const navigate = useNavigate();
  const profile = useRead('getRetailerProfile', { query: of === 'me' ? {} : { user_id: of } });
  const shop = profile.data;
  return (
    <Frame
      title={shop ? shop.shop_name || ownerOf(shop) : t('retailers.profile')}
      detail={shop && ownerOf(shop)}
      lead={
        // A small phone keeps its room for the name.
        shop && <Avatar name={shop.shop_name || shop.first_name} className="max-[420px]:hidden" />
      }
      back={of !== 'me' && can.seeShops ? paths.retailerList() : paths.dashboard()}
      wide
      actions={
        <>
          {can.read && <SearchButton />}
          {shop?.may.edit && (
            <IconButton
              icon="edit"
              label={t('retailers.edit')}
              onClick={() => void navigate(paths.addRetailer(shop.user_id))}
            />
          )}
        </>
      }
    >
      <QueryView result={profile}>{(data) => <Profile shop={data} isOwn={of === 'me'} />}</QueryView>
    </Frame>
  );
}

const ownerOf = (shop: RetailerProfile): string => `${shop.first_name} ${shop.last_name}`.trim();

const column = 'grid grid-cols-[minmax(0,1fr)] content-start gap-3';

function Profile({ shop, isOwn }: { shop: RetailerProfile; isOwn: boolean }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 @[40rem]:grid-cols-[repeat(2,minmax(0,1fr))] @[40rem]:gap-5">
      <div className={column}>
        {shop.may.manage && !shop.is_active && <Standing shop={shop} />}
        {shop.figures && <Figures userId={shop.user_id} figures={shop.figures} />}
        <Details shop={shop} />
        {!isOwn && <ContactButtons mobile={shop.mobile} />}
      </div>
      <div className={column}>
        {shop.may.edit && (
          <>
            <Picture shop={shop} kind="qr" />
            <Picture shop={shop} kind="signature" />
          </>
        )}
        {shop.may.manage && <Access shop={shop} />}
        {shop.may.manage && <PassKeys shop={shop} />}
        {shop.may.manage && <Transfer shop={shop} />}
        {shop.may.manage && shop.is_active && <Standing shop={shop} />}
      </div>
    </div>
  );
}

function Details({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const { line1, city, state, pincode } = shop.address;
  const address = [line1, city, state, pincode].filter(Boolean).join(', ');
  const items = [
    { label: t('customer.mobile'), value: formatMobile(shop.mobile) },
    { label: t('retailers.email'), value: shop.email },
    { label: t('retailers.upi_id'), value: shop.upi_id },
    { label: t('customer.address'), value: address },
    { label: t('customer.added'), value: formatDate(shop.created_at) },
  ].filter(({ value }) => Boolean(value));
  return (
    <>
      <SectionTitle>{t('retailers.details')}</SectionTitle>
      <Card>
        <Facts items={items} />
      </Card>
    </>
  );
}
