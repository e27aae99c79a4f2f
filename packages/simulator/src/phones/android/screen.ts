import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { ClaimAnswer, LockCause, LockScreen } from '@kist/contract/agent';
import { businessDate } from '@kist/contract/dates';
import type { IsoDate } from '@kist/contract/dates';
import { LANGUAGES } from '@kist/contract/codes';
import type { Language } from '@kist/contract/codes';
import { enforcedToggles, lockCause } from './desired.ts';
import { effectiveLevel, nextLockMs } from './lease.ts';
import type { Agent, Banner, Phone } from './state.ts';
import { trustedNow } from './trusted-time.ts';

/** Apps of a phone; a lock may pause the leisure ones only (level 3), never what keeps a person reachable, informed, safe or able to pay. */
export const APPS = [
  { key: 'phone', isLeisure: false },
  { key: 'messages', isLeisure: false },
  { key: 'internet', isLeisure: false },
  { key: 'pay', isLeisure: false },
  { key: 'camera', isLeisure: false },
  { key: 'maps', isLeisure: false },
  { key: 'gallery', isLeisure: false },
  { key: 'settings', isLeisure: false },
  { key: 'video', isLeisure: true },
  { key: 'music', isLeisure: true },
  { key: 'games', isLeisure: true },
  { key: 'social', isLeisure: true },
] as const;
export type AppKey = (typeof APPS)[number]['key'];

/** What stays in the kiosk: calls, messages, internet, paying, accessibility (in settings). */
export const KIOSK_APPS: readonly AppKey[] = ['phone', 'messages', 'internet', 'pay', 'settings'];

export type AppState = 'free' | 'paused' | 'off';

/** `home`: the launcher, whatever of it is paused. `kiosk`: only the lock screen and what it allows. `reminder`: full screen, can be put away. */
export type ScreenKind = 'off' | 'setup' | 'home' | 'kiosk' | 'reminder';

/** `waiting`: on this phone alone. Then when the server heard of it, and when the shop said no or money came into its books. */
export type Claim = { is: 'waiting' } | { is: 'told' | ClaimAnswer['is']; atMs: number };

/** What a phone's screen shows, in facts; words and pixels are the lab's. */
export interface ScreenModel {
  kind: ScreenKind;
  level: number;
  cause: LockCause | null;
  language: Language;
  wallMs: number;
  batteryPct: number;
  isNetworkOn: boolean;
  operator: string | null;
  apps: { key: AppKey; state: AppState }[];
  /** Wallpaper fixed by the desired state or by level 2 and higher; null: the holder's own. */
  wallpaper: { text: string | null } | null;
  due: LockScreen | null;
  /** The day on which more is locked by itself when nothing is paid; an advisory agent locks nothing. */
  nextLockOn: IsoDate | null;
  banner: Banner | null;
  message: { id: string; text: string; atMs: number } | null;
  isAdvisory: boolean;
  dispute: 'none' | 'waiting' | 'sent';
  /** What became of the holder's word that it is paid. */
  claim: Claim | null;
}

const bare = (phone: Phone, kind: ScreenKind): ScreenModel => ({
  kind,
  level: 0,
  cause: null,
  language: 'en',
  wallMs: phone.wallMs,
  batteryPct: phone.batteryPct,
  isNetworkOn: phone.isNetworkOn,
  operator: phone.sims[0]?.operator ?? null,
  apps: APPS.map(({ key }) => ({ key, state: 'free' })),
  wallpaper: null,
  due: null,
  nextLockOn: null,
  banner: null,
  message: null,
  isAdvisory: false,
  dispute: 'none',
  claim: null,
});

/** @returns what the screen shows now. `wasManaged`: released phones are plain phones, not boxes fresh from the factory. */
export function screenOf(phone: Phone, wasManaged = false): ScreenModel {
  if (!phone.isOn) return bare(phone, 'off');
  const agent = phone.agent;
  if (!agent) return bare(phone, wasManaged ? 'home' : 'setup');
  const level = effectiveLevel(agent);
  const due = agent.policy.lock.screen ?? agent.lease?.screen ?? null;
  const message = agent.messages.findLast((one) => !one.isSeen);
  const toggles = enforcedToggles(agent, phone.hardware.agent);
  const isAdvisory = agent.strength === 'advisory';
  const nextMs = nextLockMs(agent, trustedNow(agent, phone.elapsedMs));
  return {
    ...bare(phone, kindOf(level, isAdvisory)),
    level,
    cause: lockCause(agent),
    language: languageOf(due),
    apps: APPS.map(({ key, isLeisure }) => ({ key, state: appState(key, isLeisure, level, isAdvisory, toggles) })),
    wallpaper: toggles.wallpaper || level >= 2 ? { text: agent.policy.wallpaper_text } : null,
    due,
    nextLockOn: isAdvisory || nextMs === null ? null : businessDate(nextMs),
    banner: agent.banners.at(-1) ?? null,
    message: message ? { id: message.id, text: message.text, atMs: message.atMs } : null,
    isAdvisory,
    dispute: disputeState(agent),
    claim: claimState(agent),
  };
}

function claimState(agent: Agent): ScreenModel['claim'] {
  const { claimedPaidAtMs, claimToldAtMs, events, lease } = agent;
  if (claimedPaidAtMs === null) return null;
  if (events.some(({ kind }) => kind === 'payment_claimed')) return { is: 'waiting' };
  const answer = lease?.claim_answer;
  // One of before is the answer to an earlier word.
  if (answer && Date.parse(answer.at) >= claimedPaidAtMs) return { is: answer.is, atMs: Date.parse(answer.at) };
  return { is: 'told', atMs: claimToldAtMs ?? claimedPaidAtMs };
}

function kindOf(level: number, isAdvisory: boolean): ScreenKind {
  if (isAdvisory) return level >= LOCKED_FROM_LEVEL ? 'reminder' : 'home';
  return level >= 4 ? 'kiosk' : 'home';
}

function appState(
  key: AppKey,
  isLeisure: boolean,
  level: number,
  isAdvisory: boolean,
  toggles: { app_lock: boolean; camera_lock: boolean },
): AppState {
  if (key === 'camera' && toggles.camera_lock) return 'off';
  if (isAdvisory) return 'free';
  if (level >= 4 && !KIOSK_APPS.includes(key)) return 'paused';
  return isLeisure && (level >= LOCKED_FROM_LEVEL || toggles.app_lock) ? 'paused' : 'free';
}

const languageOf = (due: LockScreen | null): Language =>
  LANGUAGES.find((language) => language === due?.language) ?? 'en';

function disputeState(agent: Agent): ScreenModel['dispute'] {
  if (!agent.dispute) return 'none';
  return agent.dispute.isSent ? 'sent' : 'waiting';
}
