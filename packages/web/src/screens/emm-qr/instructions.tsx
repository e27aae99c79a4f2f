import { useTranslation } from 'react-i18next';
import { Card } from '#web/ui/card.tsx';

const STEPS = ['qr.step_1', 'qr.step_2', 'qr.step_3'] as const;

/** What the hands do meanwhile. */
export function Instructions() {
  const { t } = useTranslation();
  return (
    <Card>
      <ol className="grid gap-3">
        {STEPS.map((step, place) => (
          <li key={step} className="flex items-start gap-3">
            <span
              aria-hidden
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-bold text-accent-text"
            >
              {place + 1}
            </span>
            <span className="pt-1">{t(step)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
