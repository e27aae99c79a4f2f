import type { ProvisioningName } from '@kist/contract/codes';
import type { Feature, FeatureLockState } from '@kist/contract/features';

/**
 * Section 6 of the specification once more, feature by feature, written from its sentences and apart from the contract's tables: where a shop is
 * offered what. Capital: unlocked, small: locked; D and d DPC, G and g AMAPI (Google), L and l LINKFL, A and a APPLE.
 */
export const OFFERED_AT: Record<Feature, string> = {
  // "Locked device: only lock and tracking offered; Apple: lock only."
  lock: 'D d G g L l A a',
  // "AMAPI also hides tracking, app hide/unhide, bluetooth, wifi, airplane mode and both SIM tracking options."
  tracking: 'D d g L l',
  app_hide_unhide: 'D',
  bluetooth_lock_unlock: 'D',
  wifi_on_off: 'D',
  airplane_mode_on_off: 'D',
  sim_tracking_online: 'D',
  sim_tracking_offline: 'D',
  // "Outgoing call is for DPC only."
  outgoing_call: 'D',
  // "DPC and AMAPI hide lost_mode and accessibility." "LINKFL allows lock, tracking and accessibility."
  lost_mode: 'A',
  accessibility_on_off: 'L',
  // "Apple allows lock, lost_mode, usb_debugging, camera_lock and app_lock."
  usb_debugging: 'D G A',
  camera_lock: 'D G A',
  app_lock: 'D G A',
  wallpaper: 'D G',
  sim_lock_unlock: 'D G',
  // "Locked: DPC/AMAPI get fetch_location, sim_info, reboot; LINKFL gets sim_info, fetch_location; Apple gets reboot, sim_info."
  // "Unlocked: LINKFL gets sim_info, fetch_location, emi_alert, uninstall; Apple gets fetch_location, reboot, uninstall, sim_info;"
  fetch_location: 'D d G g L l A',
  sim_info: 'D d G g L l A a',
  reboot: 'D d G g A a',
  emi_alert: 'D G L',
  uninstall: 'D G L A',
  // "AMAPI hides miui_permission."
  miui_permission: 'D',
  // Named in section 3 and by no sentence of section 6: of other plans, or never a thing to be offered (unlocking is always possible).
  unlock: '',
  uninstall_antitheft: '',
  antitheft_lost_mode: '',
  install_apple_onemodapp: '',
};
const LETTER: Record<ProvisioningName, string> = { DPC: 'D', AMAPI: 'G', LINKFL: 'L', APPLE: 'A' };

export const STATUSES = [0, 1, 2, 3, 4, 5, 6] as const;
export const LOCK_STATES = ['locked', 'unlocked'] as const satisfies readonly FeatureLockState[];

/**
 * @param own what an organisation's own list says of this feature; undefined: there is no such list
 * @returns whether a shop is offered the feature, by the sentences above and by the status: only an installed phone (1, with 6, the last EMI near)
 * takes orders, and an OLD_FL phone is only read and released
 */
export function isOfferedBySentences(
  feature: Feature,
  at: { provisioning: ProvisioningName; lockState: FeatureLockState; status: number; plan: string },
  own?: 'with' | 'without',
): boolean {
  if (at.status !== 1 && at.status !== 6) return false;
  if (at.plan === 'OLD_FL' && feature !== 'uninstall') return false;
  if (own) return own === 'with';
  const letter = LETTER[at.provisioning];
  return OFFERED_AT[feature].split(' ').includes(at.lockState === 'locked' ? letter.toLowerCase() : letter);
}
