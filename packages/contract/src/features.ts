import type { CustomerStatus, EditAction, PlanName, ProvisioningName } from './codes.ts';

/** Feature names of the specification, section 3. */
export const FEATURES = [
  'lock',
  'app_lock',
  'wallpaper',
  'camera_lock',
  'usb_debugging',
  'tracking',
  'sim_tracking_online',
  'sim_tracking_offline',
  'fetch_location',
  'reboot',
  'sim_info',
  'lost_mode',
  'emi_alert',
  'uninstall',
  'outgoing_call',
  'bluetooth_lock_unlock',
  'wifi_on_off',
  'airplane_mode_on_off',
  'accessibility_on_off',
  'miui_permission',
  'unlock',
  'app_hide_unhide',
  'uninstall_antitheft',
  'antitheft_lost_mode',
  'install_apple_onemodapp',
  'sim_lock_unlock',
] as const;
export type Feature = (typeof FEATURES)[number];

export type FeatureLockState = 'locked' | 'unlocked';

/** Switches: things that stay on or off on the phone. The rest of the features are actions. */
const TOGGLES = [
  'lock',
  'app_lock',
  'wallpaper',
  'camera_lock',
  'usb_debugging',
  'tracking',
  'sim_tracking_online',
  'sim_tracking_offline',
  'lost_mode',
  'outgoing_call',
  'bluetooth_lock_unlock',
  'wifi_on_off',
  'airplane_mode_on_off',
  'accessibility_on_off',
  'app_hide_unhide',
  'sim_lock_unlock',
] as const satisfies readonly Feature[];

const ACTIONS = [
  'fetch_location',
  'sim_info',
  'reboot',
  'emi_alert',
  'uninstall',
  'miui_permission',
] as const satisfies readonly Feature[];

const without = (all: readonly Feature[], hidden: readonly Feature[]): readonly Feature[] =>
  all.filter((feature) => !hidden.includes(feature));

const DPC_HIDDEN = ['lost_mode', 'accessibility_on_off'] as const satisfies readonly Feature[];
const AMAPI_HIDDEN = [
  ...DPC_HIDDEN,
  'tracking',
  'app_hide_unhide',
  'bluetooth_lock_unlock',
  'wifi_on_off',
  'airplane_mode_on_off',
  'sim_tracking_online',
  'sim_tracking_offline',
  'outgoing_call',
] as const satisfies readonly Feature[];

/** Specification, section 6, "Feature visibility": which switches the app offers. */
export const FEATURE_MATRIX: Record<ProvisioningName, Record<FeatureLockState, readonly Feature[]>> = {
  DPC: { locked: ['lock', 'tracking'], unlocked: without(TOGGLES, DPC_HIDDEN) },
  AMAPI: { locked: ['lock', 'tracking'], unlocked: without(TOGGLES, AMAPI_HIDDEN) },
  LINKFL: { locked: ['lock', 'tracking'], unlocked: ['lock', 'tracking', 'accessibility_on_off'] },
  APPLE: { locked: ['lock'], unlocked: ['lock', 'lost_mode', 'usb_debugging', 'camera_lock', 'app_lock'] },
};

/** Specification, section 6, "Action features". */
export const ACTION_MATRIX: Record<ProvisioningName, Record<FeatureLockState, readonly Feature[]>> = {
  DPC: { locked: ['fetch_location', 'sim_info', 'reboot'], unlocked: [...ACTIONS] },
  AMAPI: { locked: ['fetch_location', 'sim_info', 'reboot'], unlocked: without(ACTIONS, ['miui_permission']) },
  LINKFL: {
    locked: ['sim_info', 'fetch_location'],
    unlocked: ['sim_info', 'fetch_location', 'emi_alert', 'uninstall'],
  },
  APPLE: { locked: ['reboot', 'sim_info'], unlocked: ['fetch_location', 'reboot', 'uninstall', 'sim_info'] },
};

/**
 * Whether a shop may ask anything new of the phone of a customer of this status. What it may give back does not hang on it (offered.ts), and no
 * organisation's list overrides it: there is no phone to ask, or it is no longer the shop's to ask.
 */
export const TAKES_ORDERS: Record<CustomerStatus, boolean> = {
  /** Inactive: nothing is enrolled. */
  0: false,
  1: true,
  /** Deactivated: released, kept on file. */
  2: false,
  /** Uninstalled: the agent is gone from the phone. */
  3: false,
  /** Profile removed: an iPhone that nobody manages until it enrols again. */
  4: false,
  /** All EMIs paid: the phone is its owner's, who may still ask for it to be held. */
  5: false,
  /** The last EMI is near: as installed. */
  6: true,
};

/** Plans with fewer features than their phones have: OLD_FL is a linked phone, to be read and released only. */
const PLAN_FEATURES: Partial<Record<PlanName, readonly Feature[]>> = { OLD_FL: ['uninstall'] };

/** Where a phone stands in the matrix. */
export interface FeatureCell {
  provisioning: ProvisioningName;
  /** By the phone's own last word. */
  lockState: FeatureLockState;
  /** See `statusInMatrix`. */
  status: CustomerStatus;
  plan: PlanName;
}

/** An organisation's own feature lists, by type of phone. */
export type AllowedFeatures = Partial<Record<ProvisioningName, readonly Feature[]>>;

/** Status 5 is not stored: an installed phone whose EMIs are all paid. (6 is judged as 1, so nobody needs to compute it.) */
export const statusInMatrix = (stored: number, agreementState: string | null): CustomerStatus =>
  stored === 1 && agreementState === 'completed' ? 5 : (stored as CustomerStatus);

/**
 * Section 6 whole, for one feature: whether a shop is offered it for a phone that stands there.
 * @param allowed the organisation's own list (specification: "a per-organisation allowed list can override these"); it replaces the matrix.
 */
export function offersFeature(
  feature: Feature,
  { provisioning, lockState, status, plan }: FeatureCell,
  allowed?: readonly Feature[],
): boolean {
  if (!TAKES_ORDERS[status] || PLAN_FEATURES[plan]?.includes(feature) === false) return false;
  if (allowed) return allowed.includes(feature);
  return (
    FEATURE_MATRIX[provisioning][lockState].includes(feature) ||
    ACTION_MATRIX[provisioning][lockState].includes(feature)
  );
}

/** @returns all that is offered there, for the app to show: switches and actions. */
export function featuresFor(
  cell: FeatureCell,
  allowed?: readonly Feature[],
): { toggles: readonly Feature[]; actions: readonly Feature[] } {
  const { provisioning, lockState } = cell;
  const listed = allowed ?? [...FEATURE_MATRIX[provisioning][lockState], ...ACTION_MATRIX[provisioning][lockState]];
  const offered = listed.filter((feature) => offersFeature(feature, cell, allowed));
  const isToggle = (feature: Feature) => (TOGGLES as readonly Feature[]).includes(feature);
  return { toggles: offered.filter(isToggle), actions: offered.filter((feature) => !isToggle(feature)) };
}

const EDITS_ALWAYS = ['EMI_EDIT', 'EDIT_SIGNATURE', 'EDIT_DOCUMENTS'] as const satisfies readonly EditAction[];

/**
 * Specification, section 6, "Edit options by plan": DPC_ANTITHEFT gets IMEI edit plus the QR code, Apple adds check-status, others add the
 * QR code. The edits that concern the sale (EMI, signature, documents) stay with every plan but DPC_ANTITHEFT, whose list is closed.
 */
export function editActionsFor(plan: PlanName): readonly EditAction[] {
  if (plan === 'DPC_ANTITHEFT') return ['IMEI_EDIT', 'EMM_QR_CODE'];
  if (plan === 'APPLE') return ['IMEI_EDIT', ...EDITS_ALWAYS, 'CHECK_STATUS'];
  return ['IMEI_EDIT', ...EDITS_ALWAYS, 'EMM_QR_CODE'];
}
