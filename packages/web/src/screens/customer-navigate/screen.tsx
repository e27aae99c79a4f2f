import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { maskMobile } from '@kist/contract/masked';
import { besideList, listBehind, paths } from '#web/paths.ts';
import { NotFound, QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { Checklist } from './checklist.tsx';

/** A customer without a phone yet: what is done, what is left, and where to do it. */
export function Screen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const customerId = search.get('customer_id') ?? '';
  const profile = useRead('getCustomerProfile', { query: { customer_id: customerId } }, { skip: !customerId });
  const customer = profile.data?.customer;
  // A phone that was set up meanwhile has a page of its own, and whoever was erased goes on with nothing.
  if (customer && (customer.status !== CUSTOMER_STATUS.inactive || profile.data?.erasure))
    return <Navigate to={besideList(paths.customerDetails(customerId), String(search))} replace />;
  const name = customer && [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  return (
    <Frame
      title={customer ? name || t('customers.no_name') : t('navigate.title')}
      detail={customer?.mobile ? maskMobile(customer.mobile) : undefined}
      back={listBehind(String(search))}
      actions={<SearchButton />}
    >
      {customerId ? <QueryView result={profile}>{(data) => <Checklist profile={data} />}</QueryView> : <NotFound />}
    </Frame>
  );
}
