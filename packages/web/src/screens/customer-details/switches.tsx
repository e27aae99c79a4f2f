import { useTranslation } from 'react-i18next';
import { COMMANDS, type CommandType, type Switch, type TakingCommand } from '@kist/contract/commands';
import type { DeviceView } from '@kist/contract/customers';
import { errorText } from '#web/api/error-text.ts';
import { isNotOffered } from '#web/api/errors.ts';
import { useRead } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { RowGroup } from '#web/ui/list-row.tsx';
import { SwitchRow } from '#web/ui/switch.tsx';
import { useRuleText } from '#web/widgets/rule-text.ts';

const TOGGLES: readonly { on: TakingCommand; off: CommandType; icon: IconName }[] = [
  { on: 'camera_lock', off: 'camera_unlock', icon: 'camera' },
  { on: 'app_lock', off: 'app_unlock', icon: 'apps' },
  { on: 'set_wallpaper', off: 'remove_wallpaper', icon: 'image' },
];
/** The moment from which something may be taken comes also while somebody looks. */
const POLL_MS = 60_000;

/**
 * What can be taken from the phone's holder besides the level. Before anything is pressed the gate says whether it may be: what it refuses now stands
 * there with the reason, what the policy never allows does not stand there. What is on can be put back whatever is offered.
 */
export function Switches(props: {
  customerId: string;
  device: DeviceView;
  busy: boolean;
  onOrder: (command: CommandType) => void;
}) {
  const { customerId, device, busy, onOrder } = props;
  const { t } = useTranslation();
  const words = {
    camera_lock: useGateWord(customerId, device, 'camera_lock'),
    app_lock: useGateWord(customerId, device, 'app_lock'),
    set_wallpaper: useGateWord(customerId, device, 'set_wallpaper'),
  };
  const shown = TOGGLES.filter(({ on }) => words[on].isShown);
  if (shown.length === 0) return null;
  return (
    <RowGroup label={t('device.switches')}>
      {shown.map(({ on, off, icon }) => {
        const feature = COMMANDS[on].toggle;
        const { isOn, why } = words[on];
        return (
          <SwitchRow
            key={feature}
            label={t(`feature.${feature}`)}
            detail={
              <>
                {t(isOn ? 'device.on' : 'device.off')}
                {why !== null && <span className="block">{why}</span>}
              </>
            }
            lead={<Icon name={icon} className="text-ink-2" />}
            checked={isOn}
            pending={device.desired_revision > device.reported_revision}
            disabled={busy || why !== null}
            onChange={(checked) => onOrder(checked ? on : off)}
          />
        );
      })}
    </RowGroup>
  );
}

/**
 * @returns `why`: the reason for which it cannot be taken now. Null also while nobody answers: then the order itself is refused, by the same rules.
 */
function useGateWord(customerId: string, { toggles, features }: DeviceView, command: TakingCommand) {
  const { t } = useTranslation();
  const ruleText = useRuleText();
  const taken: Switch = COMMANDS[command].toggle;
  const isOn = toggles[taken] ?? false;
  const isOffered = features.toggles.includes(taken);
  // The gate is not asked for what this very phone cannot do.
  const cannot = features.cannot[taken];
  const { data, error } = useRead(
    'previewCommand',
    { params: { command }, body: { customer_id: customerId, reason: 'EMI_OVERDUE' } },
    { skip: isOn || !isOffered || cannot !== undefined, pollMs: POLL_MS },
  );
  const isAnswered = cannot !== undefined || data !== undefined || error !== undefined;
  const isShown = isOn || (isOffered && isAnswered && data?.verdict.rule !== 'RESTRICTION_NOT_IN_POLICY');
  const whyNot = () => {
    if (isOn) return null;
    if (cannot) return t(cannot.why, { needs: cannot.needs });
    if (!data) return error && isNotOffered(error) ? errorText(error, t) : null;
    const { allowed, rule, explain, reached_at: at } = data.verdict;
    if (allowed) return null;
    return [ruleText(rule, explain), at && t('lock.possible_from', { at: formatDateTime(at) })]
      .filter(Boolean)
      .join(' ');
  };
  return { isOn, isShown, why: whyNot() };
}
