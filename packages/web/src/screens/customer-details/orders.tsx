import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TAKING_COMMANDS, type CommandType } from '@kist/contract/commands';
import type { DeviceView, LockView } from '@kist/contract/customers';
import type { Verdict } from '@kist/contract/lock-policy';
import { errorText } from '#web/api/error-text.ts';
import { isNotOffered } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { useRuleText } from '#web/widgets/rule-text.ts';
import { MessageSheet } from './message-sheet.tsx';
import { Switches } from './switches.tsx';

interface Action {
  feature: string;
  command: CommandType;
  icon: IconName;
  /** Whether a sheet asks first: for a yes, or for which message. */
  asks?: boolean;
}
/** Features of the phone → the order that each is. What the phone's type does not offer in its state is not shown (feature matrix). */
const ACTIONS: readonly Action[] = [
  { feature: 'fetch_location', command: 'location', icon: 'pin' },
  { feature: 'reboot', command: 'reboot', icon: 'power', asks: true },
  { feature: 'sim_info', command: 'sim_info', icon: 'sim' },
  { feature: 'emi_alert', command: 'emi_alert', icon: 'chat', asks: true },
];
/** What takes something from the holder is asked for because of the debt, and refused with the rule where that does not carry it. */
const isTaking = (command: CommandType) => (TAKING_COMMANDS as readonly CommandType[]).includes(command);

/** Sends orders to the phone. @returns also why the last one was refused by a rule or is not offered, in the user's language. */
function useOrder(customerId: string, device: DeviceView) {
  const { t } = useTranslation();
  const problem = useProblem();
  const ruleText = useRuleText();
  const [send, { isBusy }] = useWrite('sendCommand', PHONE_READS);
  const [refusal, setRefusal] = useState<string | null>(null);
  const order = async (command: CommandType, value?: string) => {
    setRefusal(null);
    const { error } = await send({
      params: { command },
      body: {
        customer_id: customerId,
        reason: isTaking(command) ? 'EMI_OVERDUE' : 'CUSTOMER_REQUEST',
        ...(value && { value }),
      },
    });
    const verdict = error?.code === 'POLICY_REFUSED' ? (error.details?.['verdict'] as Verdict | undefined) : undefined;
    setRefusal(
      verdict ? ruleText(verdict.rule, verdict.explain) : error && isNotOffered(error) ? errorText(error, t) : null,
    );
    if (error) return verdict || isNotOffered(error) ? undefined : problem(error);
    toast.ok(device.is_online ? t('device.asked') : t('device.asked_offline'));
  };
  return { order, isBusy, refusal };
}

/** What can be asked of the phone, by its type, lock state and the customer's status: the server's answer from the contract's table. */
export function Orders({ customerId, device, lock }: { customerId: string; device: DeviceView; lock: LockView }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const { order: send, isBusy, refusal } = useOrder(customerId, device);
  const [asked, setAsked] = useState<CommandType | null>(null);
  // Also when the word for it was taken away just now: why the press did nothing stands where the button was.
  if (!can.useFeatures || device.released_at) return refusal === null ? null : <Refusal key={refusal} why={refusal} />;
  const actions = ACTIONS.filter((action) => device.features.actions.includes(action.feature));
  const order = (command: CommandType, value?: string) => void send(command, value).then(() => setAsked(null));
  return (
    <>
      {actions.length > 0 && (
        <Actions
          actions={actions}
          cannot={device.features.cannot}
          busy={isBusy}
          onPress={({ command, asks }) => (asks ? setAsked(command) : order(command))}
        />
      )}
      <Switches customerId={customerId} device={device} busy={isBusy} onOrder={order} />
      {refusal !== null && <Refusal key={refusal} why={refusal} />}
      {device.features.actions.length + device.features.toggles.length === 0 && (
        <p className="text-sm text-ink-2">{t('device.no_orders')}</p>
      )}
      {lock.lock_status === 1 && actions.length > 0 && (
        <p className="text-sm text-ink-2">{t('device.locked_offers_less')}</p>
      )}
      <Confirm
        open={asked === 'reboot'}
        onClose={() => setAsked(null)}
        title={t('device.reboot_ask')}
        confirmLabel={t('command.reboot')}
        busy={isBusy}
        onConfirm={() => order('reboot')}
      />
      {asked === 'emi_alert' && (
        <MessageSheet
          customerId={customerId}
          busy={isBusy}
          onClose={() => setAsked(null)}
          onSend={(message) => order('emi_alert', message)}
        />
      )}
    </>
  );
}

/** What this very phone cannot do stands there, cannot be pressed and says why below. */
function Actions(props: {
  actions: readonly Action[];
  cannot: DeviceView['features']['cannot'];
  busy: boolean;
  onPress: (action: Action) => void;
}) {
  const { actions, cannot, busy, onPress } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <SectionTitle>{t('device.ask')}</SectionTitle>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.5rem),1fr))] gap-2">
        {actions.map((action) => (
          <button
            key={action.command}
            type="button"
            disabled={busy || cannot[action.feature] !== undefined}
            aria-describedby={cannot[action.feature] && `${id}-${action.command}`}
            onClick={() => onPress(action)}
            className="grid min-h-16 content-center justify-items-center gap-1.5 rounded-lg border border-line bg-card px-1 py-2.5 text-xs text-ink-2 active:bg-raise disabled:opacity-50"
          >
            <Icon name={action.icon} className="text-ink" />
            {t(`command.${action.command}`)}
          </button>
        ))}
      </div>
      {actions.map(({ feature, command }) => {
        const why = cannot[feature];
        return (
          why && (
            <p key={command} id={`${id}-${command}`} className="text-sm text-ink-2">
              {t(`command.${command}`)}: {t(why.why, { needs: why.needs })}
            </p>
          )
        );
      })}
    </>
  );
}

/** It may come below the fold, or under the bottom bar. */
function Refusal({ why }: { why: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => line.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <p ref={line} role="alert" className="flex scroll-mt-20 scroll-mb-24 gap-2 text-sm text-over">
      <Icon name="shield" size={16} className="mt-px" />
      {why}
    </p>
  );
}
