import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useRead } from '#web/api/use-call.ts';
import { ChipRow, FilterChip } from '#web/ui/chip.tsx';
import { useMe } from './use-access.ts';

const PARAMETER = 'customer_id';

/** Which of the things that were sold to the signed-in customer's number is looked at: the one in the address, else the last. */
export function usePurchase() {
  const me = useMe();
  const [params] = useSearchParams();
  const ids = me.data?.customer_ids ?? [];
  const asked = params.get(PARAMETER);
  const id = asked !== null && ids.includes(asked) ? asked : (me.data?.customer_id ?? '');
  return { me, id, ids };
}

/** Several things were sold to one number, in one shop or more: which one is meant. */
export function Purchases({ id, ids }: { id: string; ids: readonly string[] }) {
  const { t } = useTranslation();
  const [, setParams] = useSearchParams();
  if (ids.length < 2) return null;
  return (
    <ChipRow label={t('mine.purchases')}>
      {ids.map((one) => (
        <Purchase
          key={one}
          id={one}
          pressed={one === id}
          onPress={() => setParams({ [PARAMETER]: one }, { replace: true })}
        />
      ))}
    </ChipRow>
  );
}

function Purchase({ id, pressed, onPress }: { id: string; pressed: boolean; onPress: () => void }) {
  const { data } = useRead('getCustomerProfile', { query: { customer_id: id } });
  const { device, agreement } = data ?? {};
  const phone = device && `${device.brand} ${device.model}`.trim();
  return (
    <FilterChip pressed={pressed} onClick={onPress}>
      {[phone, agreement?.agreement_no].filter(Boolean).join(' · ') || '…'}
    </FilterChip>
  );
}
