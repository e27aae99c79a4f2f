import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DPD_STRETCHES } from '@kist/contract/dpd-stretches';
import { Button } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import type { Filters } from './filters.ts';
import { SellerFields } from './seller-fields.tsx';

const STATUSES = ['1', '0', '2', '3', '4', '5', '6'] as const;
const SORTS = ['newest', 'name', 'due', 'overdue'] as const;

/** Everything the list can be narrowed and sorted by; takes effect with one press. */
export function FilterSheet(props: {
  open: boolean;
  onClose: () => void;
  filters: Filters;
  onFilters: (filters: Filters) => void;
}) {
  const { open, onClose, filters, onFilters } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t('customers.filter')} isPanel>
      {open && <Form filters={filters} onDone={(next) => (onFilters(next), onClose())} />}
    </Sheet>
  );
}

function Form({ filters, onDone }: { filters: Filters; onDone: (filters: Filters) => void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Filters>(filters);
  const set: Setter = (name) => (event) =>
    setDraft((before) => ({ ...before, [name]: event.target.value || undefined }) as Filters);
  return (
    <div className="grid gap-3">
      <StateFields draft={draft} set={set} />
      <SellerFields draft={draft} onDraft={(next) => setDraft((before) => ({ ...before, ...next }))} />
      <div className="grid grid-cols-2 gap-2">
        <DateField label={t('customers.from')} value={draft.from ?? ''} onChange={set('from')} />
        <DateField label={t('customers.to')} value={draft.to ?? ''} onChange={set('to')} />
      </div>
      <SelectField
        label={t('customers.sort')}
        value={draft.sort ?? 'newest'}
        onChange={set('sort')}
        options={SORTS.map((sort) => ({ value: sort, label: t(`customers.sort_${sort}`) }))}
      />
      <div className="flex gap-2 *:flex-1">
        <Button tone="plain" onClick={() => onDone({})}>
          {t('customers.clear_filters')}
        </Button>
        <Button onClick={() => onDone(draft)}>{t('customers.show')}</Button>
      </div>
    </div>
  );
}

type Setter = (name: keyof Filters) => (event: { target: { value: string } }) => void;

/** How things stand with the customer and the phone. */
function StateFields({ draft, set }: { draft: Filters; set: Setter }) {
  const { t } = useTranslation();
  return (
    <>
      <SelectField
        label={t('customers.status')}
        placeholder={t('common.all')}
        value={draft.status ?? ''}
        onChange={set('status')}
        options={STATUSES.map((code) => ({ value: code, label: t(`status.s${code}`) }))}
      />
      <SelectField
        label={t('customers.lock')}
        placeholder={t('common.all')}
        value={draft.lock_status ?? ''}
        onChange={set('lock_status')}
        options={[
          { value: '1', label: t('lock.locked') },
          { value: '0', label: t('lock.unlocked') },
        ]}
      />
      <SelectField
        label={t('dpd.title')}
        placeholder={t('common.all')}
        value={draft.dpd ?? ''}
        onChange={set('dpd')}
        options={DPD_STRETCHES.map((dpd) => ({ value: dpd, label: t(`dpd.${dpd}`) }))}
      />
    </>
  );
}
