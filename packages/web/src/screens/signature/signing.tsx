import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { Drawing } from '#web/widgets/drawing.ts';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { SignatureCapture, signaturePng, type SignMethod } from '#web/widgets/signature-capture.tsx';
import { useProblem } from '#web/widgets/use-problem.ts';

type Customer = CustomerProfile['customer'];

/** The one on file first; a new one replaces what is shown, the old document stays in the records. */
export function Signing({ customer }: { customer: Customer }) {
  const { t } = useTranslation();
  const documentId = customer.signature_document_id;
  const [isSigning, setSigning] = useState(false);
  if (isSigning) return <NewSignature customer={customer} onDone={() => setSigning(false)} />;
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
      <OnFile documentId={documentId} />
      <Button tone="plain" icon="sign" onClick={() => setSigning(true)}>
        {t('signature.replace')}
      </Button>
    </>
  );
}

function OnFile({ documentId }: { documentId: string }) {
  const { t } = useTranslation();
  const file = useRead('getDocument', { query: { document_id: documentId } });
  if (file.data)
    return (
      <Card className="p-2">
        <img
          src={file.data.data_url}
          alt={t('signature.current_alt')}
          className="mx-auto max-h-64 rounded-lg bg-white"
        />
      </Card>
    );
  return file.error && !file.isFetching ? (
    <ProblemView error={file.error} onRetry={file.refetch} />
  ) : (
    <Skeleton className="h-48" />
  );
}

/** What is drawn or typed, and saving it. @returns the props of the capture, and the button's. */
function useNewSignature(customer: Customer, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [drawing] = useState(() => new Drawing());
  const [isEmpty, setEmpty] = useState(true);
  const [method, setMethod] = useState<SignMethod>('signature');
  const [typedName, setTypedName] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [upload, { isBusy }] = useWrite('uploadSignature', ['getCustomerProfile']);
  const change = (run: () => void) => {
    setWrong(undefined);
    run();
  };
  const save = async () => {
    if (method === 'signature' && isEmpty) return setWrong(t('consent.sign_first'));
    if (method === 'typed' && !typedName.trim()) return setWrong(t('field.required'));
    try {
      const file = await signaturePng(method, drawing, typedName);
      const { error } = await upload({
        body: { customer_id: customer.customer_id },
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
  return { capture, save, isBusy };
}

function NewSignature({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const { t } = useTranslation();
  const { capture, save, isBusy } = useNewSignature(customer, onDone);
  return (
    <>
      <SignatureCapture {...capture} />
      <Button icon="check" block busy={isBusy} onClick={() => void save()}>
        {t('signature.save')}
      </Button>
      <Button tone="quiet" block onClick={onDone}>
        {t('common.cancel')}
      </Button>
    </>
  );
}
