import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { NotFound, QueryView } from './query-view.tsx';
import { Screen as Frame } from './screen.tsx';

/** A screen of the customer whom the address names, leading back to the page that this customer has now. */
export function CustomerFrame(props: {
  title: string;
  actions?: ReactNode;
  children: (profile: CustomerProfile) => ReactNode;
}) {
  const [search] = useSearchParams();
  const customerId = search.get('customer_id') ?? '';
  const profile = useRead('getCustomerProfile', { query: { customer_id: customerId } }, { skip: !customerId });
  const customer = profile.data?.customer;
  const back = !customerId
    ? paths.customerList()
    : !customer || customer.status === CUSTOMER_STATUS.inactive
      ? paths.customerNavigate(customerId)
      : paths.customerDetails(customerId);
  const name = customer && [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  return (
    <Frame title={props.title} detail={name} back={back} actions={props.actions}>
      {customerId ? <QueryView result={profile}>{props.children}</QueryView> : <NotFound />}
    </Frame>
  );
}
