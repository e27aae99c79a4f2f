import { type PhoneChannel, type Vendor, capabilityOf } from '@kist/contract/capabilities';
import type { CommandType } from '@kist/contract/commands';
import type { LockView } from '@kist/contract/customers';
import type { Adapter, Channel, Pulled } from './adapter.ts';
import type { Dispatcher } from './dispatch.ts';

/** A vendor that keeps phones for us, with bad days. Absent where phones come to us by themselves. */
export interface VendorHarness {
  setDown(isDown: boolean): void;
  /** Takes calls and loses the answers. */
  setDropping(isDropping: boolean): void;
  /** Says everything twice, and the newest first. */
  setConfused(isConfused: boolean): void;
  /** Carries out half of what it took, the rest when this ends. */
  setPartial(isPartial: boolean): void;
  /** Allows no more calls for now. */
  setLimited(isLimited: boolean): void;
  /** Has no room left today for what phones shall be. */
  setFull(isFull: boolean): void;
  /** Takes nothing of what phones shall be, and says that it never will. */
  setRefusing(isRefusing: boolean): void;
  /** Stops where it is, with what it has in hand, and starts again from what it kept; `losing` calls that it took is no call of them carried out after. */
  restart(losing?: 'calls'): Promise<void>;
  /** Forgets this phone. */
  forget(phone: Channel): Promise<void>;
  /** What it holds the phone to be. */
  isLocked(phone: Channel): boolean;
  isReleased(phone: Channel): Promise<boolean>;
  /** A phone of another organisation with another account. */
  foreignPhone(): Promise<Channel>;
}

/** What a vendor needs to be put through the suite. The phones are real to it: they act only when told to. */
export interface AdapterHarness {
  adapter: Adapter;
  dispatcher: Dispatcher;
  /** A phone that is enrolled and has reported once. */
  phone: () => Promise<Channel>;
  /** The phone wakes up, fetches what lies there for it, obeys and tells, and its vendor tells us. */
  phoneActs: (phone: Channel) => Promise<void>;
  order: (phone: Channel, level: 0 | 4) => Promise<void>;
  oneShot: (phone: Channel, type: 'sim_info' | 'reboot') => Promise<string>;
  /** An order that the phone, or its vendor on its behalf, says it will never carry out. */
  refused: (phone: Channel) => Promise<string>;
  /** What became of its last lock or unlock. */
  lastOrder: (phone: Channel) => Promise<{ state: string; failCode: string | null }>;
  stateOf: (commandId: string) => Promise<{ state: string; failCode: string | null; results: number }>;
  release: (phone: Channel) => Promise<void>;
  lock: (phone: Channel) => Promise<LockView>;
  /** The delivery's row: when it is carried next, and what came of it last. */
  waiting: (phone: Channel) => Promise<{ nextInMs: number | null; why: string | null }>;
  /** What waits for a time is carried now. */
  hurry: () => Promise<void>;
  /** Nobody confirmed for long: the reconciler looks. */
  reconcile: () => Promise<void>;
  hasEnded: (phone: Channel) => Promise<boolean>;
  /** A channel of another vendor begins on the same phone. */
  beside: (phone: Channel) => Promise<Channel & { vendor: Vendor }>;
  /** What a channel says of its phone, and what it is handed. */
  says: (channel: Channel, word: { revision: number; level: number; documentDigest?: string }) => Promise<Pulled>;
  /** The digest of what the phone shall be, in hex. */
  digest: (phone: Channel) => Promise<string>;
  revision: (phone: Channel) => Promise<number>;
  /** Its vendor knows it no more. */
  end: (phone: Channel) => Promise<void>;
  vendor?: VendorHarness;
}

/** Carry, obey, tell: some rounds are enough for every vendor, whether its phones come to us or to it. */
export async function settle({ dispatcher, hurry, phoneActs }: AdapterHarness, phone: Channel): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await hurry();
    await dispatcher.drain();
    await phoneActs(phone);
  }
}

/** A phone of this vendor whose word is vouched for, and that says nothing of its age. */
export const provenPhone = ({ adapter }: Pick<AdapterHarness, 'adapter'>): PhoneChannel => ({
  provisioning: 'DPC',
  vendor: adapter.vendor,
  grade: 'hardware',
  saysDigest: null,
  agentVersion: null,
  androidApi: null,
  isOwner: null,
});

/** Whether the contract's table says that this vendor carries it: what is really carried is held against that. */
export const isCarriedBy = (harness: AdapterHarness, type: CommandType): boolean =>
  capabilityOf(type, provenPhone(harness)).strength !== 'no';

export const FREE = { level: 0, desired_level: 0, pending: null };
export const LOCKED = { level: 4, desired_level: 4, pending: null };
