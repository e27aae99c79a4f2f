import { shownAnew } from '@kist/contract/upi';
import { type Ahead, aheadOf, effectiveLevel, nextLeaseMoment } from '#simulator/phones/android/lease.ts';
import { enforcedLevel } from '#simulator/phones/android/desired.ts';
import type { ContactStatus } from '#simulator/phones/android/phone.ts';
import { screenOf, type ScreenModel } from '#simulator/phones/android/screen.ts';
import type { Agent } from '#simulator/phones/android/state.ts';
import { trustedNow } from '#simulator/phones/android/trusted-time.ts';
import type { LabPhone } from './fleet.ts';

const iso = (ms: number) => new Date(ms).toISOString();

/** A lab phone as the control API shows it; the phone's own knowledge, nothing of the server's. */
export function phoneView(one: LabPhone) {
  const phone = one.live.state();
  const agent = phone.agent;
  const { hardware } = phone;
  return {
    id: one.id,
    name: one.name,
    brand: hardware.brand,
    model: hardware.model,
    serial: hardware.serial,
    imei: hardware.imei,
    agent: hardware.agent,
    is_on: phone.isOn,
    is_rebooting: one.live.isRebooting(),
    is_network_on: phone.isNetworkOn,
    battery: phone.batteryPct,
    boot_count: phone.bootCount,
    elapsed_ms: Math.floor(phone.elapsedMs),
    wall_clock: iso(phone.wallMs),
    sims: phone.sims,
    place: phone.place,
    has_permissions: phone.hasPermissions,
    is_enrolled: agent !== null,
    contact: contactView(one.live.contactStatus()),
    /** What the agent keeps; null before enrolment and after an erase or a release. */
    managed: agent && managedView(agent, phone.elapsedMs),
    screen: {
      ...marked(screenOf(phone, one.wasManaged), one.payMark),
      ...(one.offer && { language: one.offer.language }),
    },
    sheet: one.sheet,
  };
}
export type PhoneView = ReturnType<typeof phoneView>;
/** What of it its screen is drawn from. */
export type ScreenView = Pick<PhoneView, 'id' | 'brand' | 'model' | 'imei' | 'is_rebooting' | 'screen' | 'sheet'>;

/** The kept UPI link as it is shown: under a `tr` of its own. */
const marked = (screen: ScreenModel, mark: string): ScreenModel =>
  screen.due?.upi_uri
    ? { ...screen, due: { ...screen.due, upi_uri: shownAnew(screen.due.upi_uri, screen.due.agreement_no, mark) } }
    : screen;

const contactView = ({ lastOkAtMs, lastError, failures }: ContactStatus) => ({
  last_ok_at: lastOkAtMs === null ? null : iso(lastOkAtMs),
  last_error: lastError,
  failures,
});

function managedView(agent: Agent, elapsedMs: number) {
  const nowMs = trustedNow(agent, elapsedMs);
  const { lease } = agent;
  return {
    keyid: agent.keyid,
    device_id: agent.deviceId,
    strength: agent.strength,
    trusted_time: iso(nowMs),
    revision: agent.revision,
    lock_level: effectiveLevel(agent),
    reported_level: enforcedLevel(agent),
    lease: lease && {
      seq: lease.seq,
      valid_until: lease.valid_until,
      next: nextOf(nextLeaseMoment(agent, nowMs)),
    },
    ahead: aheadView(aheadOf(agent, nowMs)),
    toggles: agent.policy.toggles,
    acks_waiting: agent.acks.length,
    events_waiting: agent.events.length,
    messages: agent.messages.map(({ id, text, atMs, isSeen }) => ({ id, text, at: iso(atMs), is_seen: isSeen })),
  };
}

const aheadView = ({ due, notice, lock }: Ahead) => ({
  due: due === null ? null : iso(due),
  notice: notice === null ? null : iso(notice),
  lock: lock === null ? null : iso(lock),
});

function nextOf(moment: ReturnType<typeof nextLeaseMoment>) {
  if (!moment) return null;
  const level = moment.kind === 'step' ? moment.level : null;
  return { kind: moment.kind, level, what: level === null ? moment.kind : `level ${level}`, at: iso(moment.atMs) };
}
