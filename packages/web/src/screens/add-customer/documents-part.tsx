import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionTitle } from '#web/ui/card.tsx';
import { toast } from '#web/ui/toast.ts';
import { PaperList } from '#web/widgets/papers/paper-list.tsx';
import { Papers } from '#web/widgets/papers/papers.tsx';
import type { Slot } from '#web/widgets/papers/slots.ts';
import { awayWords } from './away-words.ts';
import type { Form } from './use-form.ts';

/** Photo, ID documents and bill: none of them holds the sale up. They are kept with the draft, which the server hears of with the first. */
export function DocumentsPart({ form, draftId }: { form: Form; draftId: string | undefined }) {
  const { t } = useTranslation();
  const [customerId, setCustomerId] = useState(draftId);
  const [slot, setSlot] = useState<Slot>();
  const open = async (next: Slot) => {
    const id = customerId ?? (await form.saveNow());
    if (!id) {
      toast.warning(awayWords(t));
      return;
    }
    setCustomerId(id);
    setSlot(next);
  };
  return (
    <>
      <SectionTitle>{t('documents.title')}</SectionTitle>
      <p className="text-sm text-ink-2">{t('add.documents_hint')}</p>
      {customerId ? (
        <Papers
          customerId={customerId}
          isOpen
          whose={form.values['customer.first_name']}
          slot={slot}
          onSlot={setSlot}
        />
      ) : (
        <PaperList documents={[]} isOpen onOpen={(next) => void open(next)} />
      )}
    </>
  );
}
