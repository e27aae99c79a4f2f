import { useTranslation } from 'react-i18next';
import { EMI_METHODS } from '@kist/contract/emi-limits';
import { Card } from '#web/ui/card.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { Typed } from './terms.ts';

const STEPS = [1, 2, 3, 6] as const;
const percent = (text: string) => {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  return rest.length > 0 ? `${whole.slice(0, 3)}.${rest.join('').slice(0, 2)}` : whole.slice(0, 3);
};

/** In how many EMIs the rest is paid, and at which rate. */
export function TermsForm(props: {
  typed: Typed;
  faults: { rate?: string; tenure?: string };
  onTyped: (typed: Typed) => void;
}) {
  const { typed, faults, onTyped } = props;
  const { t } = useTranslation();
  return (
    <Card className="grid gap-4">
      <div className="grid gap-2">
        <TextField
          label={t('emi_edit.tenure')}
          value={typed.tenure}
          inputMode="numeric"
          onChange={(event) => onTyped({ ...typed, tenure: event.target.value.replace(/\D/g, '').slice(0, 3) })}
          error={faults.tenure && t(faults.tenure)}
        />
        <div role="group" aria-label={t('emi_edit.tenure')} className="flex flex-wrap gap-2">
          {STEPS.map((more) => (
            <FilterChip
              key={more}
              onClick={() => onTyped({ ...typed, tenure: String((Number(typed.tenure) || 0) + more) })}
            >
              +{more}
            </FilterChip>
          ))}
        </div>
      </div>
      <Method typed={typed} onTyped={onTyped} />
      {typed.method !== 'ZERO' && (
        <TextField
          label={t('add.rate')}
          value={typed.rate}
          inputMode="decimal"
          suffix={<span className="text-ink-2">%</span>}
          onChange={(event) => onTyped({ ...typed, rate: percent(event.target.value) })}
          error={faults.rate && t(faults.rate)}
        />
      )}
    </Card>
  );
}

function Method({ typed, onTyped }: { typed: Typed; onTyped: (typed: Typed) => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1.5">
      <span id="edit-method" className="text-sm font-semibold">
        {t('add.method')}
      </span>
      <div role="group" aria-labelledby="edit-method" className="flex flex-wrap gap-2">
        {EMI_METHODS.map((one) => (
          <FilterChip key={one} pressed={one === typed.method} onClick={() => onTyped({ ...typed, method: one })}>
            {t(`emi.method_${one}`)}
          </FilterChip>
        ))}
      </div>
    </div>
  );
}
