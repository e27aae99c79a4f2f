import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockTimeline } from '@kist/contract/customers';
import { type IsoDate, addDays, businessDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { GRANTED_HOLDS } from '@kist/contract/hold-kinds';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { reasonFault } from './reason-fault.ts';
import { useTold, WordsForm } from './words-form.tsx';

type Hold = LockTimeline['holds'][number];

const USUAL_DAYS = 7;
const lastOf = (today: IsoDate): IsoDate => addDays(today, LIMITS.holdDays);
const isDay = (day: string, today: IsoDate): boolean => day >= today && day <= lastOf(today);

/** What is typed of one: which, until when, and why. */
interface Granted {
  kind: Hold['kind'];
  untilOn: string;
  reason: string;
}

/** Gives time. */
export function Grant({ customerId, onDone }: { customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const today = businessDate(useShopNowMs());
  const kinds = GRANTED_HOLDS.map((value) => ({ value, label: t(`hold.kind_${value}`) }));
  const [typed, type, forget] = useTyped<Granted>(`hold/${customerId}`);
  const { kind = 'hardship', untilOn = addDays(today, USUAL_DAYS), reason = '' } = typed;
  const [isAsked, setAsked] = useState(false);
  const lead = useFirstWrong();
  const [send, { isBusy }] = useTold('setHold', t('hold.saved'));
  const fault = reasonFault(reason, t);
  const save = async () => {
    setAsked(true);
    if (!isDay(untilOn, today) || fault) return lead();
    const body = { customer_id: customerId, kind, until_on: untilOn as IsoDate, reason: reason.trim() };
    if (!(await send({ body }))) return;
    forget();
    onDone();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{t('hold.hint')}</p>
      <SelectField
        label={t('hold.kind')}
        value={kind}
        onChange={(event) => type({ kind: event.target.value as Hold['kind'] })}
        options={kinds}
      />
      <DateField
        label={t('hold.until_on')}
        value={untilOn}
        min={today}
        max={lastOf(today)}
        onChange={(event) => type({ untilOn: event.target.value })}
        error={isAsked && !isDay(untilOn, today) ? t('field.hold_until') : undefined}
      />
      <TextArea
        label={t('hold.reason')}
        value={reason}
        onChange={(event) => type({ reason: event.target.value })}
        maxLength={LIMITS.noteLength}
        error={isAsked ? fault : undefined}
      />
      <Button busy={isBusy} onClick={() => void save()}>
        {t('common.save')}
      </Button>
    </div>
  );
}

/** Takes it back. */
export function Lift({
  customerId,
  hold: { hold_id },
  onDone,
}: {
  customerId: string;
  hold: Hold;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [lift, { isBusy }] = useTold('liftHold', t('hold.lifted'));
  return (
    <WordsForm
      about={`lift/${customerId}/${hold_id}`}
      hint={t('hold.lift_hint')}
      label={t('hold.lift_reason')}
      least={LIMITS.reasonLengthMin}
      button={t('hold.lift')}
      isBusy={isBusy}
      send={(reason) => lift({ body: { hold_id, reason } })}
      onDone={onDone}
    />
  );
}
