import type { Ack, CheckinRequest, DesiredPolicy, Lease } from '@kist/contract/agent';
import type { ProvisioningName } from '@kist/contract/codes';
import { NO_SWITCHES } from '@kist/contract/commands';

/** The events a phone tells the server about itself. */
export type AgentEvent = CheckinRequest['events'][number];
export type Sim = CheckinRequest['state']['sims'][number];
export type AgentKind = Extract<ProvisioningName, 'DPC' | 'LINKFL'>;

/** What the maker built; nothing a holder can change. */
export interface Hardware {
  brand: string;
  model: string;
  serial: string;
  imei: string[];
  agent: AgentKind;
}

export interface Place {
  latitude: number;
  longitude: number;
  accuracyM: number;
}

/** A step of the lease's ladder that is behind us: taken at `atMs`, or passed over because the phone stood there already. */
export interface PassedStep {
  level: number;
  atMs: number | null;
}

/** A notice that this phone showed by itself; `plannedAt` ties it to one round of notices. */
export interface ShownNotice {
  no: number;
  plannedAt: string;
  shownAtMs: number;
}

export interface Message {
  id: string;
  seq: number;
  text: string;
  /** What it is, and of which instalment: of an order that said so. */
  kind?: string;
  dueOn?: string;
  atMs: number;
  isSeen: boolean;
}

/** What the phone shows until its holder puts it away: a notice or a reminder of the lease. */
export interface Banner {
  kind: 'notice' | 'reminder';
  key: string;
  atMs: number;
}

/**
 * The agent's storage. Survives reboots, is gone after an erase. Trusted time = `anchor.atMs` + what the elapsed clock grew since
 * `anchor.elapsedMs`; the holder's wall clock has no part in it.
 */
export interface Agent {
  keyid: string;
  deviceId: string;
  serverUrl: string;
  serverKeyId: string;
  serverKeySpki: string;
  strength: 'enforced' | 'advisory';
  anchor: { atMs: number; elapsedMs: number };
  /** Highest server time ever seen in a signed answer. */
  serverHighMs: number;
  revision: number;
  policy: DesiredPolicy;
  lease: Lease | null;
  /** The end that the document itself named has come. */
  isLockOver?: boolean;
  /** Level that the lease's ladder added to the desired one; 0 when the newest word is the server's. */
  leaseLevel: number;
  passed: PassedStep[];
  noticesShown: ShownNotice[];
  remindersShown: string[];
  banners: Banner[];
  highestSeq: number;
  /** Last word on every order of late, for deduplication; oldest first, bounded. */
  done: Ack[];
  acks: Ack[];
  events: AgentEvent[];
  messages: Message[];
  /** Order that asked for the reboot under way. */
  rebootFor: { id: string; seq: number } | null;
  /** SIM cards seen last: a card changed while the phone was off is noticed at boot. */
  knownSims: Sim[];
  /** The holder said "this is wrong" and no newer lease has answered it: the ladder waits. */
  dispute: { eventId: string; isSent: boolean } | null;
  claimedPaidAtMs: number | null;
  /** When the server had it, by the server's time; null or absent before. */
  claimToldAtMs?: number | null;
  /** The event that says it: the ladder waits for a lease which the server made knowing of it, and no longer than the server would. Null or absent: it does not wait. */
  claimRest?: { eventId: string; untilMs: number } | null;
  /** Of which instalments, by the day since when each is due, it has waited so; newest last, bounded. */
  restedFor?: string[];
  lowBatteryTold: boolean;
}

/** A whole phone. `isOn` false: the elapsed clock stands still, the wall clock (its own battery) goes on. */
export interface Phone {
  hardware: Hardware;
  isOn: boolean;
  bootCount: number;
  /** Since boot; only rises, never settable. */
  elapsedMs: number;
  /** What the holder set, running on. */
  wallMs: number;
  isNetworkOn: boolean;
  sims: Sim[];
  batteryPct: number;
  place: Place;
  /** LINKFL asks its holder for the location and phone permissions. */
  hasPermissions: boolean;
  agent: Agent | null;
}

export const AGENT_VERSION = '1.0.0';

export const FREE_POLICY: DesiredPolicy = {
  lock: { level: 0, cause: null, screen: null },
  toggles: NO_SWITCHES,
  wallpaper_text: null,
  released: false,
};

/** A phone out of its box, switched on for the first time at `wallMs`. */
export function newPhone(hardware: Hardware, wallMs: number, sims: Sim[], place: Place): Phone {
  return {
    hardware,
    isOn: true,
    bootCount: 1,
    elapsedMs: 0,
    wallMs,
    isNetworkOn: true,
    sims,
    batteryPct: 76,
    place,
    hasPermissions: true,
    agent: null,
  };
}
