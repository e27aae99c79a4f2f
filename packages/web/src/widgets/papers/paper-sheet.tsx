import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { keptMessageKey } from '#web/widgets/kept-message.ts';
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
  /** Whose it is, for what waits to be sent. */
  whose: string;
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
function NewPaper(props: PaperProps & { onClose: () => void }) {
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
      <Paper
        {...props}
        slot={name.trim() ? { ...props.slot, name: name.trim() } : props.slot}
        title={title}
        isNew
        onDone={props.onClose}
      />
    </>
  );
}

/** @param isNew it has no place yet, so nothing of it can be shown once it is saved: the list has it then, and `onDone` leads there. */
function Paper(props: PaperProps & { title: string; isNew?: boolean; onDone?: () => void }) {
  const { customerId, slot, kept, isOpen, title, whose, isNew, onDone } = props;
  const { t } = useTranslation();
  const name = slot.name && isNew ? `${title} · ${slot.name}` : title;
  const paper = usePaper(customerId, slot, [name, whose].filter(Boolean).join(', '), () => onDone?.());
  if (paper.chosen)
    return <Chosen paper={paper} source={paper.chosen} isHidden={hidesNumber(slot)} isReplacing={kept !== undefined} />;
  if (paper.waiting && !isNew) return <Waiting paper={paper} entry={paper.waiting} title={title} />;
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

type Question = Pick<ComponentProps<typeof Confirm>, 'title' | 'body' | 'confirmLabel' | 'cancelLabel'>;

/** Before what cannot be taken back. @returns what asks, and the question to be drawn */
function useAsked(words: Question, run: () => void, turnBack?: () => void) {
  const [isAsking, setAsking] = useState(false);
  const confirm = () => {
    setAsking(false);
    run();
  };
  const close = () => {
    setAsking(false);
    turnBack?.();
  };
  const question = <Confirm {...words} open={isAsking} danger onConfirm={confirm} onClose={close} />;
  return { ask: () => setAsking(true), question };
}

/**
 * A picture of a paper whose number nobody needs is not kept before a box hides it, or somebody says that it is hidden already.
 * @param hide leads to where it is hidden.
 */
function useHidden(isAsked: boolean, keep: () => void, hide: () => void) {
  const { t } = useTranslation();
  const [isSaid, setSaid] = useState(false);
  const said = () => {
    setSaid(true);
    keep();
  };
  const words = {
    title: t('documents.hidden_ask'),
    body: t('documents.hidden_body'),
    confirmLabel: t('documents.hidden_already'),
    cancelLabel: t('documents.hide_first'),
  };
  const { ask, question } = useAsked(words, said, hide);
  return { save: isAsked && !isSaid ? ask : keep, question };
}

/** The picture that was picked, before it is kept; one in the place of another asks first. */
function Chosen(props: {
  paper: ReturnType<typeof usePaper>;
  source: string;
  isHidden: boolean;
  isReplacing: boolean;
}) {
  const { paper, source, isHidden, isReplacing } = props;
  const { t } = useTranslation();
  const [turns, setTurns] = useState(0);
  const question = { title: t('documents.replace_ask'), body: t('documents.replace_hint') };
  const replacing = useAsked({ ...question, confirmLabel: t('retailers.replace') }, paper.save);
  const isBare = isHidden && paper.edit.boxes.length === 0;
  const hidden = useHidden(isBare, isReplacing ? replacing.ask : paper.save, () => setTurns(turns + 1));
  return (
    <>
      {/* Whoever turns back to hide the number finds the boxes there, wherever they were. */}
      <Editor key={turns} source={source} edit={paper.edit} onEdit={paper.setEdit} hidesNumber={isHidden} />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" onClick={paper.forget}>
          {t('common.cancel')}
        </Button>
        <Button icon="check" busy={paper.isBusy} onClick={hidden.save}>
          {t('documents.save')}
        </Button>
      </div>
      {hidden.question}
      {replacing.question}
    </>
  );
}

/** Kept on this phone until the server has it, or the server's no to it. */
function Waiting(props: { paper: ReturnType<typeof usePaper>; entry: OutboxEntry; title: string }) {
  const { paper, entry, title } = props;
  const { t } = useTranslation();
  const { away } = useSyncState();
  const question = { title: t('documents.remove_ask'), body: t('documents.remove_body') };
  const dropping = useAsked({ ...question, confirmLabel: t('documents.discard') }, paper.drop);
  return (
    <>
      <p role="status" className="flex gap-2 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
        <Icon name="offline" size={16} className="mt-0.5 shrink-0" />
        {entry.error ? errorText(entry.error as ApiError, t) : t(keptMessageKey(away))}
      </p>
      <img src={entry.picture} alt={title} className="mx-auto max-h-[52dvh] max-w-full rounded-lg" />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" icon="trash" onClick={dropping.ask}>
          {t('documents.discard')}
        </Button>
        <Button icon="check" busy={paper.isBusy} onClick={paper.sendAgain}>
          {t('documents.send')}
        </Button>
      </div>
      {dropping.question}
    </>
  );
}
