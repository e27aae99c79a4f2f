import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Editor } from './editor.tsx';
import { PickButtons } from './pick-buttons.tsx';
import { Picture } from './picture.tsx';
import { useSlotTitle } from './slot-title.ts';
import { hidesNumber, type Kept, type Slot } from './slots.ts';
import { usePaper } from './use-paper.ts';

interface PaperProps {
  customerId: string;
  slot: Slot;
  kept: Kept | undefined;
  /** Whether a picture may be added or replaced here. */
  isOpen: boolean;
}

/** One place for a picture: what is kept there, and another in its place. */
export function PaperSheet(props: PaperProps & { onClose: () => void }) {
  const { slot, onClose } = props;
  const title = useSlotTitle(slot);
  return (
    <Sheet open onClose={onClose} title={title}>
      {slot.type === 'other' && !props.kept && slot.name === undefined ? (
        <NewPaper {...props} />
      ) : (
        <Paper {...props} title={title} />
      )}
    </Sheet>
  );
}

/** What a further paper is called comes first: by its name it is found and replaced. */
function NewPaper(props: PaperProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const title = useSlotTitle(props.slot);
  return (
    <>
      <TextField
        label={t('documents.name')}
        hint={t('documents.name_hint')}
        optional={t('common.optional')}
        name="image_name"
        maxLength={LIMITS.imageNameLength}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Paper {...props} slot={name.trim() ? { ...props.slot, name: name.trim() } : props.slot} title={title} />
    </>
  );
}

function Paper(props: PaperProps & { title: string }) {
  const { customerId, slot, kept, isOpen, title } = props;
  const { t } = useTranslation();
  const paper = usePaper(customerId, slot, () => undefined);
  if (paper.chosen)
    return (
      <>
        <Editor source={paper.chosen} edit={paper.edit} onEdit={paper.setEdit} hidesNumber={hidesNumber(slot)} />
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Button tone="plain" onClick={paper.forget}>
            {t('common.cancel')}
          </Button>
          <Button icon="check" busy={paper.isBusy} onClick={paper.save}>
            {t('documents.save')}
          </Button>
        </div>
      </>
    );
  if (paper.waiting) return <Waiting paper={paper} source={paper.waiting} title={title} />;
  return (
    <>
      {kept ? (
        <>
          <Picture documentId={kept.document_id} alt={title} />
          <p className="text-sm text-ink-2">{t('documents.kept_on', { at: formatDateTime(kept.created_at) })}</p>
        </>
      ) : (
        <StateView kind="empty" title={t('documents.none')} body={isOpen ? t('documents.needs_internet') : undefined} />
      )}
      {isOpen && (
        <>
          {kept && <p className="text-sm text-ink-2">{t('documents.replace_hint')}</p>}
          <PickButtons tone={kept ? 'plain' : 'accent'} onPick={paper.choose} />
        </>
      )}
    </>
  );
}

function Waiting(props: { paper: ReturnType<typeof usePaper>; source: string; title: string }) {
  const { paper, source, title } = props;
  const { t } = useTranslation();
  return (
    <>
      <p className="flex gap-2 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
        <Icon name="offline" size={16} className="mt-0.5 shrink-0" />
        {t('documents.waiting')}
      </p>
      <img src={source} alt={title} className="mx-auto max-h-[52dvh] max-w-full rounded-lg" />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" icon="trash" onClick={paper.drop}>
          {t('documents.discard')}
        </Button>
        <Button icon="check" busy={paper.isBusy} onClick={paper.sendAgain}>
          {t('documents.send')}
        </Button>
      </div>
    </>
  );
}
