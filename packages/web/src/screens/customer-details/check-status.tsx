import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { useWrite } from '#web/api/use-call.ts';
import { useSend } from '#web/api/use-send.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** How long somebody at a counter waits for a phone's word, and how often it is looked for meanwhile. */
const PATIENCE = { waitMs: 20_000, lookMs: 2000 };

type Said = Pick<CustomerProfile, 'device' | 'lock'>;

/** Looks until the phone said something after `before`, or the time is over. @returns what it says then; undefined: it has not answered */
async function answerOf(
  look: () => Promise<Said | undefined>,
  before: string | null,
  { waitMs, lookMs }: typeof PATIENCE,
): Promise<Said | undefined> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const said = await look();
    if (said?.device?.last_seen_at && said.device.last_seen_at !== before) return said;
  }
  return undefined;
}

/** Asks a phone that no code sets up how it stands (CHECK_STATUS), waits for its word, and says what that is, or that none came and of when the last one is. */
export function CheckStatus({ customerId, patience = PATIENCE }: { customerId: string; patience?: typeof PATIENCE }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [ask] = useWrite('checkStatus', PHONE_READS);
  const [read] = useSend('getCustomerProfile');
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  const lastSeen = (at: string | null) => `${t('device.last_seen')}: ${at ? formatDateTime(at) : t('device.never')}`;
  const find = async (): Promise<string | undefined> => {
    const { data: asked, error } = await ask({ body: { customer_id: customerId } });
    if (error) {
      problem(error);
      return undefined;
    }
    const { last_seen_at: before } = asked;
    if (!asked.is_enrolled) return t('qr.not_yet');
    if (!asked.is_asked) return lastSeen(before);
    const look = async () =>
      isHere.current ? (await read({ query: { customer_id: customerId } })).data : { device: null, lock: null };
    const said = await answerOf(look, before, patience);
    if (!said?.device?.last_seen_at) return `${t('device.asked_offline')} ${lastSeen(before)}`;
    const state = said.lock && t(said.lock.lock_status === 1 ? 'lock.locked' : 'lock.unlocked');
    return [state, t('customer.reported', { at: formatDateTime(said.device.last_seen_at) })]
      .filter(Boolean)
      .join(' · ');
  };
  const check = async () => {
    setBusy(true);
    setTold('');
    const words = await find();
    if (!isHere.current) return;
    setTold(words ?? '');
    setBusy(false);
  };
  return (
    <>
      <Button tone="plain" icon="refresh" busy={isBusy} onClick={() => void check()}>
        {t('qr.check')}
      </Button>
      <p role="status" className="basis-full! text-sm text-ink-2">
        {told}
      </p>
    </>
  );
}
