import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tick } from '#web/native/haptics.ts';
import { dataUrlOf, drawImage, openImage } from '#web/native/images.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { type Edit, WHOLE } from './parts.ts';
import type { Slot } from './slots.ts';
import { isOf, putPicture, useWaitingPictures } from './waiting.ts';

const UNTOUCHED: Edit = { crop: WHOLE, boxes: [] };

/** The picture that was picked, and what is done to it. */
function useChosen() {
  const problem = useProblem();
  const [image, setImage] = useState<HTMLImageElement>();
  const [edit, setEdit] = useState(UNTOUCHED);
  const open = async (file: File) => {
    try {
      setImage(await openImage(file));
      setEdit(UNTOUCHED);
    } catch (error) {
      problem(error);
    }
  };
  return { image, edit, setEdit, choose: (file: File) => void open(file), forget: () => setImage(undefined) };
}

/** @returns whether somebody still looks: who went elsewhere while a picture was sent is left there. */
function useIsThere() {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return isThere;
}

/**
 * One picture on its way: chosen, cut, painted over, kept sealed until it is sent.
 * @param label what a person calls it.
 * @param onDone the server has it, or it waits here.
 */
export function usePaper(customerId: string, slot: Slot, label: string, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { image, edit, setEdit, choose, forget } = useChosen();
  const [isBusy, setBusy] = useState(false);
  const isThere = useIsThere();
  const waiting = useWaitingPictures(customerId).find((entry) => isOf(entry, slot));

  const deliver = async (dataUrl: string) => {
    const outcome = await putPicture(customerId, slot, dataUrl, label);
    // What was refused would be refused again: the picture stays open to be put right.
    if (outcome.state === 'failed') return problem(outcome.error);
    // That it waits stands in its place, or in the list.
    if (outcome.state === 'sent') toast.ok(t('documents.saved'));
    if (!isThere.current) return undefined;
    tick();
    forget();
    return onDone();
  };
  const save = async () => {
    if (!image || isBusy) return;
    setBusy(true);
    try {
      await deliver(await dataUrlOf(await drawImage(image, edit)));
    } catch (error) {
      problem(error);
    }
    if (isThere.current) setBusy(false);
  };
  const sendAgain = async ({ id, state }: OutboxEntry) => {
    await (state === 'failed' ? outbox.retry(id) : outbox.replay(true));
    // Where the session has ended meanwhile it is not here any more, and not sent.
    if (isThere.current && !outbox.entries().some((entry) => entry.id === id)) toast.ok(t('documents.saved'));
  };
  return {
    chosen: image?.src,
    edit,
    setEdit,
    waiting,
    choose,
    forget,
    save: () => void save(),
    sendAgain: () => void (waiting && sendAgain(waiting)),
    drop: () => void (waiting && outbox.discard(waiting.id)),
    isBusy: isBusy || waiting?.state === 'sending',
  };
}
