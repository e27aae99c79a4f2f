import { formatInstant } from '@kist/contract/dates';
import type { DeviceView, GuardFaults } from '#simulator/clouds/guard/protocol.ts';
import type { GuardPhoneView } from '#simulator/clouds/guard/switches.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import { chip } from './tile.ts';
import type { Standing } from './tile.ts';

const FAULTS: [keyof GuardFaults, string][] = [
  ['is_down', 'Down'],
  ['is_slow', 'Slow'],
  ['completes_partially', 'Carries out half'],
  ['sends_twice', 'Webhooks twice'],
  ['reverses_webhooks', 'Webhooks reversed'],
  ['drops_answers', 'Answers get lost'],
  ['rate_limits', 'Refuses calls as too many'],
  ['refuses_targets', 'Refuses what phones shall be'],
  ['is_full', 'Has no room left today'],
];

function standingOf(view: GuardPhoneView): Standing {
  if (!view.is_on) return { tone: 'quiet', word: 'Off', icon: 'off' };
  if (view.is_freed) return { tone: 'ok', word: 'Released', icon: 'open' };
  if (view.is_locked) return { tone: 'locked', word: 'Locked', icon: 'lock' };
  if (!view.target) return { tone: 'quiet', word: 'Nothing ordered', icon: 'phone' };
  if (view.target.locked) return { tone: 'due', word: 'Opened by PIN', icon: 'open' };
  return view.is_reminding
    ? { tone: 'due', word: 'Reminder', icon: 'bell' }
    : { tone: 'ok', word: 'Unlocked', icon: 'open' };
}

const touch = (view: GuardPhoneView, act: string, data: Record<string, unknown> = {}): Html =>
  html`data-phone="${view.id}" data-at="guard/" data-act="${act}" data-body="${JSON.stringify(data)}"`;

const toggle = (view: GuardPhoneView, act: string, isOn: boolean, label: string, name: 'signal' | 'off'): Html =>
  html`<button
    type="button"
    role="switch"
    aria-checked="${isOn ? 'true' : 'false'}"
    class="switch"
    ${touch(view, act, { on: !isOn })}
  >
    ${icon(name)}<span>${label}</span><i class="knob" aria-hidden="true"></i>
  </button>`;

/** What the phone shows over everything while it is locked. */
function lockScreen(view: GuardPhoneView): Html {
  const { target, passkey } = view;
  return html`<div class="guard-screen">
    <b>${target?.title}</b>
    <p>${target?.message}</p>
    ${target?.phone_number ? html`<p>${icon('phone')} ${target.phone_number}</p>` : null}
    <p>Passkey <b class="otp">${passkey}</b></p>
    <form data-phone="${view.id}" data-at="guard/" data-form="pin">
      <div class="pair">
        <label>PIN<input name="pin" inputmode="numeric" maxlength="8" autocomplete="off" /></label>
        <button type="submit" class="press main">${icon('open')}Open</button>
      </div>
    </form>
  </div>`;
}

function reminder({ target }: GuardPhoneView): Html {
  const at = target?.relock_after;
  return html`<p class="quiet">
    ${icon('bell')}${at ? `Locks again: ${formatInstant(Date.parse(at))}` : 'Will lock again soon'}
  </p>`;
}

/** How the service has this phone in its books: what was ordered, and what it heard. */
function recordLine({ state, target, applied }: DeviceView): Html {
  const versions = target && `ordered ${target.version}, done ${applied?.version ?? 'none'}`;
  return html`<span class="quiet">In its books: ${state}${versions && ` · ${versions}`}</span>`;
}

function onePhone(view: GuardPhoneView, record: DeviceView | undefined): Html {
  return html`<li id="guard-${view.id}">
    <div class="row spread"><b>${view.name}</b>${chip(standingOf(view))}</div>
    <span class="quiet">IMEI <span class="imei">${view.imei}</span> · ${view.serial}</span>
    ${record ? recordLine(record) : null} ${view.is_on && view.is_locked ? lockScreen(view) : null}
    ${view.is_on && view.is_reminding ? reminder(view) : null}
    ${toggle(view, 'network', view.is_network_on, 'Network', 'signal')}
    ${toggle(view, 'power', view.is_on, 'Power', 'off')}
    <div class="pair">
      <button type="button" class="press" ${touch(view, 'sim', { card: 'new' })}>${icon('sim')}Change SIM</button>
      <button type="button" class="press danger" data-confirm="Erase everything on this phone?" ${touch(view, 'erase')}>
        ${icon('trash')}Erase
      </button>
    </div>
  </li>`;
}

/** The phones that a vendor's lock service is on, as they are and as it has them in its books, and the service's bad days. */
export function guardPanel(phones: GuardPhoneView[], records: DeviceView[], faults: GuardFaults): Html {
  const recordOf = ({ imei, serial }: GuardPhoneView) =>
    records.findLast((one) => one.imei === imei || one.serial === serial);
  return html`<div class="messages">
    <header class="bench-head">
      <a class="icon-link narrow" href="lab" data-open="" aria-label="Back to all phones">${icon('back')}</a>
      <div>
        <h2>Vendor’s lock service</h2>
        <p class="quiet">Its phones ask it by themselves, without an agent of the shop</p>
      </div>
    </header>
    ${phones.length === 0 ? html`<p class="empty">${icon('lock')}<span>No phone yet. Add one, and give its IMEI to the shop’s app.</span></p>` : null}
    <ol class="sms">
      ${phones.map((view) => onePhone(view, recordOf(view)))}
    </ol>
    <button type="button" class="press" data-guard-new="">${icon('plus')}New phone</button>
    <details class="group more">
      <summary>The service’s bad days</summary>
      ${FAULTS.map(([name, label]) => html`<button type="button" role="switch" aria-checked="${faults[name] ? 'true' : 'false'}" class="switch" data-guard="${name}" data-on="${faults[name] ? 'true' : 'false'}"><span>${label}</span><i class="knob" aria-hidden="true"></i></button>`)}
    </details>
  </div>`;
}
