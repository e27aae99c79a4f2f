import type { Feature } from './features.ts';
import type { ProvisioningName } from './codes.ts';

/**
 * Every order to a phone by its own name. `state`: part of the desired state (a new revision, the last word wins);
 * one-shots queue with a sequence number, an expiry and one result. `feature`: what access and the device table judge it by.
 */
export const COMMANDS = {
  lock: { kind: 'state', feature: 'lock' },
  unlock: { kind: 'state', feature: 'unlock' },
  app_lock: { kind: 'state', feature: 'app_lock', toggle: 'app_lock', value: true },
  app_unlock: { kind: 'state', feature: 'app_lock', toggle: 'app_lock', value: false },
  camera_lock: { kind: 'state', feature: 'camera_lock', toggle: 'camera_lock', value: true },
  camera_unlock: { kind: 'state', feature: 'camera_lock', toggle: 'camera_lock', value: false },
  set_wallpaper: { kind: 'state', feature: 'wallpaper', toggle: 'wallpaper', value: true },
  remove_wallpaper: { kind: 'state', feature: 'wallpaper', toggle: 'wallpaper', value: false },
  location: { kind: 'one-shot', feature: 'fetch_location' },
  reboot: { kind: 'one-shot', feature: 'reboot' },
  sim_info: { kind: 'one-shot', feature: 'sim_info' },
  emi_alert: { kind: 'one-shot', feature: 'emi_alert' },
} as const satisfies Record<
  string,
  { kind: 'state' | 'one-shot'; feature: Feature; toggle?: Feature; value?: boolean }
>;
export type CommandType = keyof typeof COMMANDS;
/** What a phone can be put out of, apart from its lock level; the names of the document's switches. */
export const SWITCHES = ['app_lock', 'camera_lock', 'wallpaper'] as const;
export type Switch = (typeof SWITCHES)[number];
/** Orders that turn a switch: what takes something away passes the gate, what gives it back is never refused by it. */
export type SwitchCommand = {
  [C in CommandType]: (typeof COMMANDS)[C] extends { toggle: Switch } ? C : never;
}[CommandType];
/** Those that take something from the phone's holder. */
export const TAKING_COMMANDS = ['app_lock', 'camera_lock', 'set_wallpaper'] as const satisfies readonly SwitchCommand[];
export type TakingCommand = (typeof TAKING_COMMANDS)[number];
export const COMMAND_TYPES = Object.keys(COMMANDS) as [CommandType, ...CommandType[]];

export type Strength = 'enforced' | 'advisory' | 'no';

/**
 * What each type of phone can really do (docs/architecture.md): 'enforced' the phone obeys and its holder cannot undo it,
 * 'advisory' the holder can undo it, 'no' not possible: the answer is UNSUPPORTED_ON_DEVICE with `devices.why.<type>.<feature>`.
 */
export const CAPABILITIES: Record<ProvisioningName, Partial<Record<Feature, Strength>>> = {
  DPC: {
    lock: 'enforced',
    unlock: 'enforced',
    app_lock: 'enforced',
    wallpaper: 'enforced',
    camera_lock: 'enforced',
    fetch_location: 'enforced',
    reboot: 'enforced',
    sim_info: 'enforced',
    emi_alert: 'enforced',
  },
  AMAPI: {
    lock: 'enforced',
    unlock: 'enforced',
    app_lock: 'enforced',
    camera_lock: 'enforced',
    reboot: 'enforced',
    sim_info: 'enforced',
    fetch_location: 'no',
    wallpaper: 'no',
    emi_alert: 'no',
  },
  LINKFL: {
    lock: 'advisory',
    unlock: 'advisory',
    wallpaper: 'advisory',
    fetch_location: 'advisory',
    sim_info: 'advisory',
    emi_alert: 'advisory',
    app_lock: 'no',
    camera_lock: 'no',
    reboot: 'no',
  },
  APPLE: {
    lock: 'enforced',
    unlock: 'enforced',
    app_lock: 'enforced',
    wallpaper: 'enforced',
    camera_lock: 'enforced',
    reboot: 'enforced',
    sim_info: 'enforced',
    fetch_location: 'no',
    emi_alert: 'no',
  },
};
/** @returns how strongly a type can do a feature; what no row names is 'no'. */
export const strengthOf = (provisioning: ProvisioningName, feature: Feature): Strength =>
  CAPABILITIES[provisioning][feature] ?? 'no';

/**
 * Life of a command: CREATED → (gate) REFUSED or QUEUED → SENT → DELIVERED → APPLIED → VERIFIED, or an early end. Gating is part of the
 * transaction that creates it, so a stored command is REFUSED or QUEUED at first sight.
 */
export const COMMAND_STATES = [
  'CREATED',
  'REFUSED',
  'QUEUED',
  'SENT',
  'DELIVERED',
  'APPLIED',
  'VERIFIED',
  'EXPIRED',
  'SUPERSEDED',
  'CANCELLED',
  'FAILED',
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

/** state → the states that may follow. @internal for tests, which hold the statements that move commands against it */
export const COMMAND_NEXT: Record<CommandState, readonly CommandState[]> = {
  CREATED: ['REFUSED', 'QUEUED'],
  REFUSED: [],
  QUEUED: ['SENT', 'DELIVERED', 'APPLIED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED'],
  SENT: ['DELIVERED', 'APPLIED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'FAILED'],
  DELIVERED: ['APPLIED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'FAILED'],
  APPLIED: ['VERIFIED', 'SUPERSEDED', 'FAILED'],
  VERIFIED: [],
  EXPIRED: [],
  SUPERSEDED: [],
  CANCELLED: [],
  FAILED: [],
};
