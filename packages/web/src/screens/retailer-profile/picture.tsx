import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureKind } from '@kist/contract/codes';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { compressImage } from '#web/native/images.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** The shop's UPI QR or signature: what there is, and another one from the camera or a file. */
export function Picture({ shop, kind }: { shop: RetailerProfile; kind: PictureKind }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const file = useRef<HTMLInputElement>(null);
  const has = kind === 'qr' ? shop.has_qr : shop.has_signature;
  const { user_id } = shop;
  const picture = useRead('getUserPicture', { query: { user_id, kind } }, { skip: !has });
  const [upload, { isBusy }] = useWrite(kind === 'qr' ? 'uploadRetailerQr' : 'uploadRetailerSignature', [
    'getUserPicture',
    'getUserDetails',
    'getRetailerProfile',
  ]);
  const send = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      const small = await compressImage(chosen, { type: 'image/png' });
      const { error } = await upload({ body: { user_id }, file: small, fileName: `${kind}.png` });
      if (error) problem(error);
      else toast.ok(t('retailers.saved'));
    } catch (error) {
      problem(error);
    }
  };
  const title = t(`retailers.${kind}`);
  return (
    <>
      <SectionTitle>{title}</SectionTitle>
      <Card className="grid justify-items-center gap-3">
        {picture.data && <img src={picture.data.data_url} alt={title} className="max-h-64 rounded-md bg-white" />}
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg"
          className="sr-only"
          aria-label={title}
          tabIndex={-1}
          onChange={(event) => {
            void send(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <Button tone="plain" icon="camera" block busy={isBusy} onClick={() => file.current?.click()}>
          {t(has ? 'retailers.replace' : 'retailers.upload')}
        </Button>
      </Card>
    </>
  );
}
