import type { Feature } from './features.ts';
import type { ProvisioningName } from './codes.ts';
import { LIMITS } from './limits.ts';

/** What a phone can be put out of, apart from its lock level; the names of the document's switches. */
export const SWITCHES = ['app_lock', 'camera_lock', 'wallpaper'] as const;
export type Switch = (typeof SWITCHES)[number];

/** A value for each switch: what is said of them all stands here once. */
export const ofSwitches = <V>(valueOf: (name: Switch) => V): Record<Switch, V> =>
  Object.fromEntries(SWITCHES.map((name) => [name, valueOf(name)])) as Record<Switch, V>;
/** Nothing is switched. */
export const NO_SWITCHES: Readonly<Record<Switch, boolean>> = ofSwitches(() => false);

/** What an order takes from the phone's holder. Whatever is more than nothing passes the gate, stands with its cause and ends with it. */
export type Restricts = 'nothing' | 'wallpaper' | 'apps' | 'camera' | 'phone';

/** The part of the desired document that a state order writes: orders that write one part end each other, the highest revision stands. */
export type Part = 'level' | Switch;

/** A place, a list of SIMs or a restart is asked for now: a day later nobody waits for it. */
const FOR_NOW_S = 24 * 3600;

const state = { kind: 'state', ttlS: LIMITS.commandTtlS, isEachOne: false, takesText: false } as const;
/** Asked for again before the phone has it, it is the same order. Its result is its proof. */
const forNow = {
  kind: 'one-shot',
  restricts: 'nothing',
  part: null,
  confirmedBy: 'result',
  ttlS: FOR_NOW_S,
  isEachOne: false,
  takesText: false,
} as const;
const level = { ...state, part: 'level', confirmedBy: 'level' } as const;
const turn = <const S extends Switch, const V extends boolean>(toggle: S, value: V) =>
  ({ ...state, part: toggle, confirmedBy: 'switch', toggle, value }) as const;

/**
 * Every order to a phone by its own name, and all that anybody needs to know of it: statements, buttons, simulator and documents are made from this table.
 * `kind` state: part of the desired state (a new revision, the last word wins); one-shots queue with a sequence number, an expiry and one result.
 * `feature`: what access and the table of devices judge it by. `restricts`: what it takes from the holder. `part`: what it writes of the document.
 * `confirmedBy`: what of a report proves it (the level, the switch, the result, the holder's having seen it). `ttlS`: after so long without the phone it
 * is given up, in seconds. `isEachOne`: asked twice is two. `takesText`: whether it carries words.
 */
export const COMMANDS = {
  lock: { ...level, feature: 'lock', restricts: 'phone' },
  unlock: { ...level, feature: 'unlock', restricts: 'nothing' },
  app_lock: { ...turn('app_lock', true), feature: 'app_lock', restricts: 'apps' },
  app_unlock: { ...turn('app_lock', false), feature: 'app_lock', restricts: 'nothing' },
  camera_lock: { ...turn('camera_lock', true), feature: 'camera_lock', restricts: 'camera' },
  camera_unlock: { ...turn('camera_lock', false), feature: 'camera_lock', restricts: 'nothing' },
  set_wallpaper: { ...turn('wallpaper', true), feature: 'wallpaper', restricts: 'wallpaper' },
  remove_wallpaper: { ...turn('wallpaper', false), feature: 'wallpaper', restricts: 'nothing' },
  location: { ...forNow, feature: 'fetch_location' },
  reboot: { ...forNow, feature: 'reboot' },
  sim_info: { ...forNow, feature: 'sim_info' },
  emi_alert: {
    ...forNow,
    feature: 'emi_alert',
    confirmedBy: 'seen',
    ttlS: LIMITS.commandTtlS,
    isEachOne: true,
    takesText: true,
  },
} as const satisfies Record<string, CommandDefinition>;

interface CommandDefinition {
  kind: 'state' | 'one-shot';
  feature: Feature;
  restricts: Restricts;
  part: Part | null;
  toggle?: Switch;
  value?: boolean;
  confirmedBy: 'level' | 'switch' | 'result' | 'seen';
  ttlS: number;
  isEachOne: boolean;
  takesText: boolean;
}
export type CommandType = keyof typeof COMMANDS;
type Named<Of> = { [C in CommandType]: (typeof COMMANDS)[C] extends Of ? C : never }[CommandType];
/** Orders that turn a switch: what takes something away passes the gate, what gives it back is never refused by it. */
export type SwitchCommand = Named<{ toggle: Switch }>;
/** Those of them that take something from the phone's holder. */
export type TakingCommand = Named<{ toggle: Switch; value: true }>;
/** Orders of a moment, which take nothing. */
export type OneShot = Named<{ kind: 'one-shot' }>;

export const COMMAND_TYPES = Object.keys(COMMANDS) as [CommandType, ...CommandType[]];
const typesWhere = <C extends CommandType>(is: (definition: CommandDefinition) => boolean) =>
  COMMAND_TYPES.filter((type) => is(COMMANDS[type])) as [C, ...C[]];
export const TAKING_COMMANDS = typesWhere<TakingCommand>(
  ({ toggle, restricts }) => toggle !== undefined && restricts !== 'nothing',
);

/** State orders that write the same part of the document, this one among them; none for an order of a moment. */
export const familyOf = (type: CommandType): CommandType[] => {
  const { part } = COMMANDS[type];
  return part === null ? [] : COMMAND_TYPES.filter((other) => COMMANDS[other].part === part);
};

/** The order that gives a switch back. */
export const givingBack = (taken: Switch): SwitchCommand =>
  typesWhere<SwitchCommand>(({ toggle, value }) => toggle === taken && value === false)[0];

export type Strength = 'enforced' | 'advisory' | 'lost_mode' | 'no';

/** A phone that only reminds goes this far, whatever is asked of it; there it has done all it can. */
export const ADVISORY_MAX_LEVEL = 2;

/**
 * What each type of phone can really do (docs/architecture.md): 'enforced' the phone obeys and its holder cannot undo it,
 * 'advisory' the holder can undo it, 'lost_mode' only while its vendor holds it as lost, 'no' not possible: the answer is UNSUPPORTED_ON_DEVICE with
 * `devices.why.<type>.<feature>`, and with `only_in: 'lost_mode'` where that is the way to it.
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
    fetch_location: 'lost_mode',
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
    fetch_location: 'lost_mode',
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

/** The life of an order to many phones: `waiting` for a second person, `asked` until a process takes it up, then part after part; `stopped` ends it before the last. */
export const BATCH_STATES = ['waiting', 'asked', 'running', 'stopped', 'done'] as const;
export type BatchState = (typeof BATCH_STATES)[number];
/**
 * Why a lock of many was stopped: more phones might be locked than the hour has room for, a part failed again and again, whoever asked may no longer lock,
 * the fleet was freed, something went wrong with those that were locked first, no second person agreed in time or one said no. An unlock of many is never
 * stopped.
 */
export const BATCH_STOPS = ['CAP', 'FAILED', 'NOT_ALLOWED', 'FLEET_UNLOCK', 'ANOMALY', 'NOT_APPROVED'] as const;
export type BatchStop = (typeof BATCH_STOPS)[number];

/** state → the states that may follow. */
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
