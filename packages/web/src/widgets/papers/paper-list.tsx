import { useTranslation } from 'react-i18next';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { useSlotTitle } from './slot-title.ts';
import { further, type Kept, pictureIn, SLOTS, type Slot } from './slots.ts';
import { furtherSlotOf, isOf, useWaitingPictures } from './waiting.ts';

/** Every place for a picture, filled or not, and what else is kept. */
export function PaperList(props: {
  /** undefined: nobody the server knows, of whom nothing can wait either. */
  customerId?: string;
  documents: readonly Kept[];
  isOpen: boolean;
  onOpen: (slot: Slot) => void;
}) {
  const { customerId, documents, isOpen, onOpen } = props;
  const { t } = useTranslation();
  const waiting = useWaitingPictures(customerId);
  const waitsFor = (slot: Slot) => waiting.some((entry) => isOf(entry, slot));
  const others = further(documents);
  return (
    <RowGroup label={t('documents.title')}>
      {SLOTS.map((slot) => (
        <Row
          key={`${slot.type} ${slot.name}`}
          slot={slot}
          kept={pictureIn(slot, documents)}
          waits={waitsFor(slot)}
          onOpen={onOpen}
        />
      ))}
      {others.map((kept) => {
        const slot = { type: kept.document_type, name: kept.image_name };
        return <Row key={kept.document_id} slot={slot} kept={kept} waits={waitsFor(slot)} onOpen={onOpen} />;
      })}
      {waiting.map((entry) => {
        const slot = furtherSlotOf(entry);
        const isListed = others.some((kept) => kept.document_type === 'other' && kept.image_name === slot?.name);
        return slot && !isListed && <Row key={entry.id} slot={slot} kept={undefined} waits onOpen={onOpen} />;
      })}
      {isOpen && (
        <ListRow
          lead={<RowIcon icon="plus" tone="accent" />}
          title={t('documents.another')}
          onPress={() => onOpen({ type: 'other' })}
        />
      )}
    </RowGroup>
  );
}

function Row(props: { slot: Slot; kept: Kept | undefined; waits: boolean; onOpen: (slot: Slot) => void }) {
  const { slot, kept, waits, onOpen } = props;
  const { t } = useTranslation();
  return (
    <ListRow
      lead={<RowIcon icon={kept ? 'check' : 'doc'} tone={kept ? 'ok' : 'lock'} />}
      title={useSlotTitle(slot)}
      detail={kept ? formatDateTime(kept.created_at) : waits ? undefined : t('documents.none')}
      trail={
        waits ? (
          <Chip tone="due" icon="clock">
            {t('shell.not_sent')}
          </Chip>
        ) : (
          <Icon name="next" size={18} />
        )
      }
      onPress={() => onOpen(slot)}
    />
  );
}
