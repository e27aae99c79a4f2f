import { useTranslation } from 'react-i18next';
import { Card } from '#web/ui/card.tsx';

const STEPS = ['qr.step_1', 'qr.step_2', 'qr.step_3'] as const;
/** Of a phone in use: nothing is reset. */
const LINK_STEPS = ['qr.link_1', 'qr.link_2', 'qr.step_3'] as const;

/** What the camera reads of a phone in use is a link, of a phone out of its box Android's own text. */
export const isEnrolmentLink = (code: string): boolean => code.startsWith('http');

/** What the hands do meanwhile. */
/** @param code what the camera reads */
export function Instructions({ code }: { code: string }) {
  const { t } = useTranslation();
  const isLink = isEnrolmentLink(code);
  return (
    <Card>
      <ol className="grid gap-3">
        {(isLink ? LINK_STEPS : STEPS).map((step, place) => (
          <li key={step} className="flex items-start gap-3">
            <span
              aria-hidden
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-bold text-accent-text"
            >
              {place + 1}
            </span>
            <span className="min-w-0 pt-1">{t(step)}</span>
          </li>
        ))}
      </ol>
      {isLink && <p className="mt-3 text-sm text-ink-2">{t('qr.link_reminds')}</p>}
    </Card>
  );
}
