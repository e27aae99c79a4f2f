import type { ProvisioningName } from '@kist/contract/codes';
import type { CommandType, Strength } from '@kist/contract/commands';

/** A phone as the command plane names it. */
export interface DeviceTarget {
  orgId: number;
  deviceId: string;
  enrolmentId: string;
  provisioning: ProvisioningName;
}

/**
 * What became of a call to a phone. 'told': it, or the vendor on its behalf, knows there is something. 'later': not now (quota, outage);
 * come back after `afterMs`. 'unreachable': the vendor does not know this phone.
 */
export type Delivery =
  | { outcome: 'told' }
  | { outcome: 'later'; afterMs: number; why: string }
  | { outcome: 'unreachable'; why: string };

/** The last thing a vendor's side knows of a phone; 'unknown' is a legal answer. */
export type Lookup = { revision: number; lockLevel: number } | 'unknown';

/**
 * How one kind of phone is reached. Desired state and orders live in the database; an adapter only carries them, so it may lose, repeat
 * and reorder whatever it likes and the reconciler still gets there. A new kind is a folder here that passes adapter-suite.ts.
 */
export interface Adapter {
  readonly vendor: string;
  readonly provisioning: readonly ProvisioningName[];
  /** Must agree with CAPABILITIES of the contract: the suite compares them. */
  supports(provisioning: ProvisioningName, type: CommandType): Strength;
  /**
   * Makes phones come and ask, or carries everything to a vendor that keeps it for them. Never throws for a phone: outcomes come in the
   * order of the targets. Harmless to repeat.
   */
  send(targets: readonly DeviceTarget[]): Promise<readonly Delivery[]>;
  lookup(target: DeviceTarget): Promise<Lookup>;
}
