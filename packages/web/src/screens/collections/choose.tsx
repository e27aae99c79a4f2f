import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type IsoDate } from '@kist/contract/dates';
import { CALENDAR } from '@kist/contract/limits';
import { IconButton } from '#web/ui/button.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { ShopField } from '#web/widgets/shop-field.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { type Asked, dayOf, FORTNIGHT } from './days.ts';

/** Which day, or two weeks; of whose sales, where there is more than one shop. */
export function Choose(props: { asked: Asked; today: IsoDate; onChange: (change: Partial<Asked>) => void }) {
  const { asked, today, onChange } = props;
  const { on, days, soldBy } = asked;
  const { t } = useTranslation();
  const { isRetailer } = useAccess();
  const toDay = (day: IsoDate) => onChange({ on: day, days: 1 });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <IconButton
          icon="back"
          label={t('collections.day_before')}
          disabled={on <= CALENDAR.from}
          onClick={() => toDay(addDays(on, -1))}
        />
        <div className="max-w-60 min-w-32 flex-1">
          <DayField on={on} today={today} onDay={toDay} />
        </div>
        <IconButton
          icon="next"
          label={t('collections.day_after')}
          disabled={on === today}
          onClick={() => toDay(addDays(on, 1))}
        />
        <FilterChip
          pressed={days > 1}
          onClick={() => onChange(days > 1 ? { days: 1 } : { on: today, days: FORTNIGHT })}
        >
          {t('collections.days', { count: FORTNIGHT })}
        </FilterChip>
      </div>
      {isRetailer && <SoldBy value={soldBy} onValue={(seller) => onChange({ soldBy: seller })} />}
    </>
  );
}

/** The day as the phone writes it, with its year. What is typed is no day for a while: it stays as it is until it is one that can be shown. */
function DayField({ on, today, onDay }: { on: IsoDate; today: IsoDate; onDay: (day: IsoDate) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  return (
    <DateField
      label={t('collections.day')}
      hideLabel
      value={typed ?? on}
      min={CALENDAR.from}
      max={today}
      onChange={({ currentTarget: { value } }) => {
        const day = dayOf(value, today);
        setTyped(day ? undefined : value);
        if (day) onDay(day);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** Whose customers paid: the retailer's own, those of every mini-retailer, or of one. Who took the money is told apart. */
function SoldBy({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  return (
    <ShopField
      label={t('collections.sold_by')}
      placeholder={t('common.all')}
      searchLabel={t('customers.search_seller')}
      value={value}
      onValue={onValue}
      before={(['retailer', 'miniretailer'] as const).map((kind) => ({ value: kind, label: t(`shell.${kind}`) }))}
      isSkipped={!can.read}
    />
  );
}
