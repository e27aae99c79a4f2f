import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { DOCUMENT_TYPES, type DocumentType } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { askKey } from '#web/state/who-allows.ts';
import { CustomerFrame } from '#web/widgets/customer-frame.tsx';
import { Papers } from '#web/widgets/papers/papers.tsx';
import type { Slot } from '#web/widgets/papers/slots.ts';
import { SearchButton } from '#web/widgets/search-button.tsx';
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
  return (
    <CustomerFrame title={t('documents.title')} actions={<SearchButton />}>
      {(profile) => <Documents profile={profile} first={slotOf(search)} />}
    </CustomerFrame>
  );
}

function Documents({ profile, first }: { profile: CustomerProfile; first: Slot | undefined }) {
  const { t } = useTranslation();
  // A sheet has an entry of its own in the history, so that going back closes it: the address only says which is open at first.
  const [slot, setSlot] = useState(first);
  const { can } = useAccess();
  const { customer, edit_actions: edits } = profile;
  const { customer_id: customerId } = customer;
  const isOpen = can.activate && edits.includes('EDIT_DOCUMENTS');
  return (
    <>
      {!can.activate && <p className="text-ink-2">{`${t('documents.not_yours')} ${t(askKey())}`}</p>}
      <Papers
        customerId={customerId}
        isOpen={isOpen}
        whose={`${customer.first_name} ${customer.last_name}`.trim()}
        slot={slot}
        onSlot={setSlot}
      />
    </>
  );
}
