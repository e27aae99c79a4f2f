import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { SectionTitle } from '#web/ui/card.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { StateView } from '#web/ui/state-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { Drawing } from './drawing.ts';
import { Picture } from './papers/picture.tsx';
import { SignatureCapture } from './signature-capture.tsx';
import { signaturePng, type SignMethod } from './signature-image.ts';
import { useProblem } from './use-problem.ts';

interface Signer {
  customerId: string;
  /** Whose signature it is. */
  of: 'customer' | 'witness';
}

/** The one on file first; a new one replaces what is shown, the old document stays in the records as long as the law asks. */
export function Signing({ documentId, ...signer }: Signer & { documentId: string | null }) {
  const { t } = useTranslation();
  const [isSigning, setSigning] = useState(false);
  if (isSigning) return <NewSignature {...signer} onDone={() => setSigning(false)} />;
  if (!documentId)
    return (
      <StateView kind="empty" icon="sign" title={t('signature.none')}>
        <Button icon="sign" onClick={() => setSigning(true)}>
          {t('signature.new')}
        </Button>
      </StateView>
    );
  return (
    <>
      <SectionTitle>{t('signature.current')}</SectionTitle>
      <Picture documentId={documentId} alt={t('signature.current_alt')} />
      <Button tone="plain" icon="sign" onClick={() => setSigning(true)}>
        {t('signature.replace')}
      </Button>
    </>
  );
}

/** What is drawn or typed, and saving it. @returns the props of the capture, and the button's. */
function useNewSignature({ customerId, of }: Signer, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [drawing] = useState(() => new Drawing());
  const [isEmpty, setEmpty] = useState(true);
  const [method, setMethod] = useState<SignMethod>('signature');
  const [typedName, setTypedName] = useState('');
  const [wrong, setWrong] = useState<string>();
  const lead = useFirstWrong();
  const [sendCustomers, customers] = useWrite('uploadSignature', ['getCustomerProfile']);
  const [sendWitness, witness] = useWrite('uploadWitnessSignature', ['getCustomerDocuments']);
  const upload = of === 'customer' ? sendCustomers : sendWitness;
  const change = (run: () => void) => {
    setWrong(undefined);
    run();
  };
  const save = async () => {
    if (method === 'signature' ? isEmpty : !typedName.trim()) {
      setWrong(t(method === 'signature' ? 'consent.sign_first' : 'field.required'));
      return lead();
    }
    try {
      const file = await signaturePng(method, drawing, typedName);
      const { error } = await upload({
        body: { customer_id: customerId },
        file,
        fileName: 'signature.png',
      });
      if (error) return problem(error);
      toast.ok(t('signature.saved'));
      onDone();
    } catch (error) {
      problem(error);
    }
  };
  const capture = {
    method,
    onMethod: (next: SignMethod) => change(() => setMethod(next)),
    drawing,
    isEmpty,
    onDrawn: (nowEmpty: boolean) => change(() => setEmpty(nowEmpty)),
    typedName,
    onTypedName: (name: string) => change(() => setTypedName(name)),
    error: wrong,
  };
  return { capture, save, isBusy: customers.isBusy || witness.isBusy };
}

function NewSignature({ onDone, ...signer }: Signer & { onDone: () => void }) {
  const { t } = useTranslation();
  const { capture, save, isBusy } = useNewSignature(signer, onDone);
  return (
    <>
      <SignatureCapture isWitness={signer.of === 'witness'} {...capture} />
      <Button icon="check" block busy={isBusy} onClick={() => void save()}>
        {t('signature.save')}
      </Button>
      <Button tone="quiet" block onClick={onDone}>
        {t('common.cancel')}
      </Button>
    </>
  );
}
