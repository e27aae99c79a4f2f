import { useTranslation } from 'react-i18next';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { useSlotTitle } from './slot-title.ts';
import { further, type Kept, pictureIn, SLOTS, type Slot } from './slots.ts';

/** Every place for a picture, filled or not, and what else is kept. */
export function PaperList(props: { documents: readonly Kept[]; isOpen: boolean; onOpen: (slot: Slot) => void }) {
  const { documents, isOpen, onOpen } = props;
  const { t } = useTranslation();
  return (
    <RowGroup label={t('documents.title')}>
      {SLOTS.map((slot) => (
        <Row key={`${slot.type} ${slot.name}`} slot={slot} kept={pictureIn(slot, documents)} onOpen={onOpen} />
      ))}
      {further(documents).map((kept) => (
        <Row
          key={kept.document_id}
          slot={{ type: kept.document_type, name: kept.image_name }}
          kept={kept}
          onOpen={onOpen}
        />
      ))}
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

function Row({ slot, kept, onOpen }: { slot: Slot; kept: Kept | undefined; onOpen: (slot: Slot) => void }) {
  const { t } = useTranslation();
  return (
    <ListRow
      lead={<RowIcon icon={kept ? 'check' : 'doc'} tone={kept ? 'ok' : 'lock'} />}
      title={useSlotTitle(slot)}
      detail={kept ? formatDateTime(kept.created_at) : t('documents.none')}
      trail={<Icon name="next" size={18} />}
      onPress={() => onOpen(slot)}
    />
  );
}
