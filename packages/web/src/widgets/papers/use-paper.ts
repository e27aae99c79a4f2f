import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isNetworkError, type ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { tick } from '#web/native/haptics.ts';
import { dataUrlOf, drawImage, openImage } from '#web/native/images.ts';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { dropPicture, fileOf, keepPicture, waitingPicture } from './kept-picture.ts';
import { type Edit, WHOLE } from './parts.ts';
import type { Slot } from './slots.ts';

const READS = ['getCustomerDocuments', 'getDocument', 'getCustomerProfile'] as const;
const UNTOUCHED: Edit = { crop: WHOLE, boxes: [] };

/** Sends a picture by the call that its type has. */
function useSend(customerId: string, { type, name }: Slot) {
  const [sendPhoto, photo] = useWrite('uploadCustomerPhoto', READS);
  const [sendInvoice, invoice] = useWrite('uploadInvoice', READS);
  const [sendOther, other] = useWrite('uploadCustomerDocument', READS);
  const send = async (file: Blob): Promise<ApiError | undefined> => {
    const customer_id = customerId;
    const named = name ? { image_name: name } : {};
    const picture = { file, fileName: 'picture.jpg' };
    if (type === 'photo') return (await sendPhoto({ body: { customer_id }, ...picture })).error;
    if (type === 'invoice') return (await sendInvoice({ body: { customer_id, ...named }, ...picture })).error;
    return (await sendOther({ body: { customer_id, document_type: type, ...named }, ...picture })).error;
  };
  return { send, isBusy: photo.isBusy || invoice.isBusy || other.isBusy };
}

/** What waits on this phone for the server, and changing it. */
function useWaiting(customerId: string, slot: Slot) {
  const [waiting, setWaiting] = useState<string>();
  const { type, name } = slot;
  useEffect(() => {
    let isHere = true;
    void waitingPicture(customerId, { type, ...(name && { name }) }).then((found) => {
      if (isHere) setWaiting(found);
    });
    return () => {
      isHere = false;
    };
  }, [customerId, type, name]);
  return {
    waiting,
    keep: async (dataUrl: string) => {
      await keepPicture(customerId, slot, dataUrl);
      setWaiting(dataUrl);
    },
    drop: async () => {
      await dropPicture(customerId, slot);
      setWaiting(undefined);
    },
  };
}

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

/** One picture on its way: chosen, cut, painted over, kept sealed until it is sent. @param onSaved the server has it */
export function usePaper(customerId: string, slot: Slot, onSaved: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { image, edit, setEdit, choose, forget } = useChosen();
  const [isDrawing, setDrawing] = useState(false);
  const { send, isBusy } = useSend(customerId, slot);
  const { waiting, keep, drop } = useWaiting(customerId, slot);

  const deliver = async (dataUrl: string) => {
    const error = await send(fileOf(dataUrl));
    if (error) {
      if (isNetworkError(error)) return toast.warning(t('documents.kept_here'));
      // What was refused would be refused again.
      await drop();
      return problem(error);
    }
    await drop();
    forget();
    tick();
    toast.ok(t('documents.saved'));
    return onSaved();
  };
  const save = async () => {
    if (!image || isDrawing) return;
    setDrawing(true);
    try {
      const dataUrl = await dataUrlOf(await drawImage(image, edit));
      await keep(dataUrl);
      await deliver(dataUrl);
    } catch (error) {
      problem(error);
    }
    setDrawing(false);
  };
  return {
    chosen: image?.src,
    edit,
    setEdit,
    waiting,
    choose,
    forget,
    save: () => void save(),
    sendAgain: () => void (waiting && deliver(waiting)),
    drop: () => void drop(),
    isBusy: isBusy || isDrawing,
  };
}
