import type { Grade } from './agent.ts';
import type { ProvisioningName } from './codes.ts';
import { COMMANDS, type CommandType, type Strength, strengthOf } from './commands.ts';
import type { Feature } from './features.ts';
import { isGivingBack } from './offered.ts';

/** Which orders each vendor carries to its phones; the phones of our own agent are asked for everything that they can do themselves. */
export const VENDORS = {
  'android-agent': 'all',
  guard: ['lock', 'unlock', 'sim_info'],
} as const satisfies Record<string, 'all' | readonly CommandType[]>;
export type Vendor = keyof typeof VENDORS;
/** The vendor whose phones speak for themselves, with a key of their own. */
export const OWN_AGENT = 'android-agent' satisfies Vendor;
const carriedBy = (vendor: string): 'all' | readonly CommandType[] =>
  vendor in VENDORS ? VENDORS[vendor as Vendor] : [];

/** What is known of one phone and the way to it, by which what it can do is judged. Null: it did not say. */
export interface PhoneChannel {
  provisioning: ProvisioningName;
  /** Who carries to it. Null: it was never set up, and is judged as if our agent would. */
  vendor: string | null;
  grade: Grade | null;
  /** Whether the digest it says is that of the document it shall apply. Null: it said nothing yet. */
  saysDigest: boolean | null;
  /** Of our agent, `major.minor.patch`. */
  agentVersion: string | null;
  /** Android's API level. */
  androidApi: number | null;
  /** Whether the phone itself made the agent its device owner. */
  isOwner: boolean | null;
}

/** The ways to one phone, that in charge first. */
export type Channels = readonly [PhoneChannel, ...PhoneChannel[]];

/** Features that a phone's Android or agent may be too old for (docs/architecture.md): API level with the number that people know, agent's version. */
const SINCE: Partial<Record<Feature, { api?: number; android?: string; agent?: string }>> = {
  app_lock: { api: 24, android: '7' },
  wallpaper: { api: 24, android: '7' },
  reboot: { api: 24, android: '7' },
  emi_alert: { agent: '1.0.0' },
};

/**
 * What one phone can do of a feature. `unproven`: as enforced, by an agent whose key does not lead to Google's roots or that does not say that it applied the
 * document. `why`: the locale key of the sentence that says why it cannot; `needs` fills it; `onlyIn`: where it could.
 */
export type Capability =
  | { strength: 'enforced' | 'unproven' | 'advisory' }
  | { strength: 'no'; why: string; needs?: string; onlyIn?: 'lost_mode' };

const no = (why: string, rest: { needs?: string; onlyIn?: 'lost_mode' } = {}): Capability => ({
  strength: 'no',
  why: `devices.why.${why}`,
  ...rest,
});

/** Whether a version is below another; one that cannot be read is not. */
function isBelow(version: string | null, least: string): boolean {
  const [own, other] = [version ?? '', least].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number));
  if (!own || !other) return false;
  const at = own.findIndex((part, index) => part !== other[index]);
  return at >= 0 && own[at]! < other[at]!;
}

/** What this very phone can do of an order. Nothing but its type and its vendor stands in the way of what is given back. */
export function capabilityOf(type: CommandType, phone: PhoneChannel): Capability {
  const { feature } = COMMANDS[type];
  const { provisioning, vendor } = phone;
  const carried = carriedBy(vendor ?? OWN_AGENT);
  const own = carried === 'all';
  if (!own && !carried.includes(type)) return no('vendor');
  const isOwner = !own || phone.isOwner !== false || isGivingBack(type);
  const byType = strengthOf(provisioning, feature);
  // An agent that rules nothing can do as much as one that only asks.
  const strength: Strength = provisioning === 'DPC' && !isOwner ? strengthOf('LINKFL', feature) : byType;
  if (byType === 'lost_mode') return no(`${provisioning}.${feature}`, { onlyIn: byType });
  if (byType === 'no') return no(`${provisioning}.${feature}`);
  if (strength === 'no' || strength === 'lost_mode') return no('owner');
  const old = own && !isGivingBack(type) ? tooOld(feature, phone) : undefined;
  if (old) return old;
  const isVouchedFor = phone.grade === null || phone.grade === 'hardware';
  const isUnproven = own && (!isVouchedFor || phone.saysDigest === false);
  return { strength: isUnproven && strength === 'enforced' ? 'unproven' : strength };
}

/**
 * What a phone can do of an order through the ways to it, that in charge first: a question goes to whoever carries it, while what the phone is held to is
 * for the one in charge alone. The refusal is that of the one in charge.
 */
export function capabilityAmong(type: CommandType, [inCharge, ...beside]: Channels): Capability {
  const own = capabilityOf(type, inCharge);
  if (own.strength !== 'no' || COMMANDS[type].kind !== 'one-shot') return own;
  return beside.map((channel) => capabilityOf(type, channel)).find(({ strength }) => strength !== 'no') ?? own;
}

function tooOld(feature: Feature, { androidApi, agentVersion }: PhoneChannel): Capability | undefined {
  const since = SINCE[feature];
  if (since?.api !== undefined && androidApi !== null && androidApi < since.api)
    return no('android', { needs: since.android! });
  if (since?.agent !== undefined && isBelow(agentVersion, since.agent)) return no('agent', { needs: since.agent });
  return undefined;
}
