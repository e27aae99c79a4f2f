import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { shareFile, whatsAppUrl } from '#web/native/share.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import type { Paper } from './paper.ts';

/**
 * Gives a receipt on: as text by WhatsApp, as a picture, on paper.
 * @param text the receipt's words (`paperText`), in the language of whoever gets them.
 * @param mobile the customer's, from whom the shop's words go; none where the customer shares an own receipt, the picture first and with whomever.
 */
export function PaperActions({ paper, mobile, text }: { paper: Paper; mobile?: string; text: string }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const picture = async () => {
    setBusy(true);
    const { paperPicture } = await import('./paper-picture.ts');
    const file = await paperPicture(paper, t('emi.receipt'));
    const outcome = file ? await shareFile(file) : 'failed';
    setBusy(false);
    if (outcome === 'saved') toast.ok(t('emi.picture_saved'));
    if (outcome === 'failed') toast.error(t('errors.image_canvas'));
  };
  const isOwn = mobile === undefined;
  const whatsApp = (
    <ButtonAnchor href={whatsAppUrl(text, mobile)} icon="chat" tone={isOwn ? 'plain' : 'accent'} block={!isOwn}>
      {t('common.whatsapp')}
    </ButtonAnchor>
  );
  const share = (
    <Button tone={isOwn ? 'accent' : 'plain'} block={isOwn} icon="share" busy={isBusy} onClick={() => void picture()}>
      {t('emi.picture')}
    </Button>
  );
  return (
    <>
      {isOwn ? share : whatsApp}
      <div className="flex flex-wrap gap-2 *:flex-1">
        {isOwn ? whatsApp : share}
        <Button tone="plain" icon="doc" onClick={() => window.print()}>
          {t('emi.print')}
        </Button>
      </div>
      {createPortal(<PrintedPaper paper={paper} title={t('emi.receipt')} />, document.body)}
    </>
  );
}

/** Nothing but this is printed while it is there (theme.css). */
const PrintedPaper = ({ paper, title }: { paper: Paper; title: string }) => (
  <div className="printed hidden" aria-hidden>
    <h1>{paper.shop}</h1>
    <p>
      {title} {paper.no}
    </p>
    <p>
      <b>{paper.amount}</b>
    </p>
    <table>
      <tbody>
        {paper.lines.map(({ label, value }) => (
          <tr key={label}>
            <td>{label}</td>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {paper.signature && (
      <figure>
        <img src={paper.signature} alt="" style={{ maxHeight: '16mm' }} />
        <figcaption>{paper.shop}</figcaption>
      </figure>
    )}
  </div>
);
