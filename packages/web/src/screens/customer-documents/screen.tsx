import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CUSTOMER_STATUS, DOCUMENT_TYPES, type DocumentType } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { askKey } from '#web/state/who-allows.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { Papers } from '#web/widgets/papers/papers.tsx';
import type { Slot } from '#web/widgets/papers/slots.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

/** The place that the address names: `document_type`, and `image_name` where a type has several. */
function slotOf(search: URLSearchParams): Slot | undefined {
  const asked = search.get('document_type')?.toLowerCase();
  const type = (DOCUMENT_TYPES as readonly string[]).includes(asked ?? '') ? (asked as DocumentType) : undefined;
  const name = search.get('image_name');
  return type && { type, ...(name && { name }) };
}

/** Photo, ID documents and bill of a customer: to look at, to add, to replace. */
export function Screen() {
  const { t } = useTranslation();
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
    <Frame title={t('documents.title')} detail={name} back={back}>
      {customerId ? (
        <QueryView result={profile}>{(data) => <Documents profile={data} first={slotOf(search)} />}</QueryView>
      ) : (
        <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
          <ButtonLink to={paths.customerList()}>{t('shell.customers')}</ButtonLink>
        </StateView>
      )}
    </Frame>
  );
}

function Documents({ profile, first }: { profile: CustomerProfile; first: Slot | undefined }) {
  const { t } = useTranslation();
  // A sheet has an entry of its own in the history, so that going back closes it: the address only says which is open at first.
  const [slot, setSlot] = useState(first);
  const { can } = useAccess();
  const { customer, edit_actions: edits } = profile;
  const { customer_id: customerId } = customer;
  const isOffered = customer.status === CUSTOMER_STATUS.inactive || edits.includes('EDIT_DOCUMENTS');
  const isOpen = can.activate && isOffered;
  return (
    <>
      {!can.activate && <p className="text-ink-2">{`${t('documents.not_yours')} ${t(askKey())}`}</p>}
      <Papers customerId={customerId} isOpen={isOpen} slot={slot} onSlot={setSlot} />
    </>
  );
}
