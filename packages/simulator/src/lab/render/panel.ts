import { DAY_MS, formatInstant } from '@kist/contract/dates';
import type { PhoneView } from '#simulator/lab/phone-view.ts';
import { phoneScreen } from './phone-screen.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { touch } from './parts.ts';
import { chip, frame, lineOf, standingOf, wallpaperNo } from './tile.ts';

const HOUR_MS = 3_600_000;

const at = (iso: string | null): string => (iso === null ? 'never' : formatInstant(Date.parse(iso)));

/** The open phone: its live screen, its switches, what it knows. */
export function phonePanel(view: PhoneView, worldMs: number): Html {
  return html`<div class="bench" data-panel="${view.id}">
    <header class="bench-head">
      <a class="icon-link" href="lab" data-open="" aria-label="Back to all phones">${icon('back')}</a>
      <div>
        <h2>${view.name}</h2>
        <p class="quiet">${view.brand} ${view.model} · IMEI <span class="imei">${view.imei[0] ?? ''}</span></p>
      </div>
      ${chip(standingOf(view))}
    </header>
    <div class="bench-body">
      <section class="bench-phone" aria-label="Screen of ${view.name}">
        ${frame(phoneScreen(view, wallpaperNo(view.id)), true)}${lineOf(view)}
      </section>
      <div class="switches">
        ${view.managed ? null : view.agent === 'LINKFL' ? html`${linkGroup(view)} ${setupGroup(view)}` : setupGroup(view)}
        ${view.managed ? aheadGroup(view.managed.ahead) : null} ${powerGroup(view)} ${clockGroup(view, worldMs)}
        ${view.managed ? knows(view) : null} ${moreGroup(view)}
      </div>
    </div>
  </div>`;
}

const press = (id: string, act: string, data: Record<string, unknown>, label: string, name?: IconName): Html =>
  html`<button type="button" class="press" ${touch(id, act, data)}>${name ? icon(name) : null}${label}</button>`;

function toggle(id: string, act: string, field: string, isOn: boolean, label: string, name: IconName): Html {
  return html`<button
    type="button"
    role="switch"
    aria-checked="${isOn ? 'true' : 'false'}"
    class="switch"
    ${touch(id, act, { [field]: !isOn })}
  >
    ${icon(name)}<span>${label}</span><i class="knob" aria-hidden="true"></i>
  </button>`;
}

function setupGroup(view: PhoneView): Html {
  return html`<section class="group">
    <h3>Set up</h3>
    <form data-phone="${view.id}" data-form="scan">
      <label for="qr-${view.id}">Scan the shop’s QR: paste its text, take its picture, or type its code</label>
      <textarea id="qr-${view.id}" name="qr" rows="3" spellcheck="false" autocomplete="off"></textarea>
      <div class="pair">
        <label
          >IMEI on the agreement<input
            name="imei"
            inputmode="numeric"
            maxlength="15"
            autocomplete="off"
            value="${view.imei[0] ?? ''}"
        /></label>
        <label
          >How it is set up<select name="agent">
            <option value="DPC" ${view.agent === 'DPC' ? html`selected` : null}>New phone, out of its box</option>
            <option value="LINKFL" ${view.agent === 'LINKFL' ? html`selected` : null}>Phone in use, by a link</option>
          </select></label
        >
      </div>
      <div class="pair">
        <label class="press file"
          >${icon('camera')}Picture<input type="file" accept="image/*" capture="environment" data-scan="qr-${view.id}"
        /></label>
        <button type="submit" class="press main">${icon('qr')}Scan</button>
      </div>
    </form>
  </section>`;
}

/** A phone that is in use already: its holder opens the link that the shop sent. */
const linkGroup = ({ id }: PhoneView): Html =>
  html`<section class="group">
    <h3>Open the shop’s link</h3>
    <form data-phone="${id}" data-form="open_link">
      <label for="link-${id}">The link as it was sent; the phone asks its holder, nothing is erased</label>
      <input id="link-${id}" name="link" type="url" required maxlength="600" autocomplete="off" />
      <button type="submit" class="press main">Open</button>
    </form>
  </section>`;

function powerGroup(view: PhoneView): Html {
  const { id } = view;
  return html`<section class="group">
    <h3>Phone</h3>
    ${toggle(id, 'network', 'on', view.is_network_on, 'Network', view.is_network_on ? 'signal' : 'nosignal')}
    ${toggle(id, 'power', 'on', view.is_on, 'Power', 'off')}
    <div class="pair">
      ${press(id, 'reboot', {}, 'Restart', 'boot')}
      ${press(id, 'sim', { slot: 0, card: 'new' }, view.sims.length > 0 ? 'Change SIM' : 'Put SIM in', 'sim')}
    </div>
    <label class="slider"
      >${icon('battery')}<span>Battery</span
      ><input
        type="range"
        min="0"
        max="100"
        step="1"
        value="${view.battery}"
        data-phone="${id}"
        data-range="battery"
        aria-label="Battery, per cent"
      /><output>${view.battery} %</output></label
    >
    ${view.agent === 'LINKFL' ? toggle(id, 'permissions', 'granted', view.has_permissions, 'Permissions given', 'check') : null}
  </section>`;
}

/** The holder's clock against the world's: what cheating with it looks like. */
function clockGroup(view: PhoneView, worldMs: number): Html {
  const { id } = view;
  const offMs = Date.parse(view.wall_clock) - worldMs;
  const off = Math.abs(offMs) < 60_000 ? 'right' : `${offMs > 0 ? 'ahead' : 'behind'} by ${span(Math.abs(offMs))}`;
  return html`<section class="group">
    <h3>Its clock, set by hand <span class="quiet">${off}</span></h3>
    <div class="quad">
      ${press(id, 'clock', { by_ms: -DAY_MS }, '−1 day')} ${press(id, 'clock', { by_ms: -HOUR_MS }, '−1 h')}
      ${press(id, 'clock', { by_ms: HOUR_MS }, '+1 h')} ${press(id, 'clock', { by_ms: DAY_MS }, '+1 day')}
    </div>
    ${Math.abs(offMs) < 60_000 ? null : press(id, 'clock', { to: new Date(worldMs).toISOString() }, 'Set it right', 'clock')}
  </section>`;
}

const span = (ms: number): string =>
  ms >= DAY_MS ? `${(ms / DAY_MS).toFixed(1).replace('.0', '')} days` : `${Math.max(1, Math.round(ms / HOUR_MS))} h`;

const AHEAD = [
  ['due', 'Next due date', 'clock'],
  ['notice', 'Next notice', 'bell'],
  ['lock', 'Next lock', 'lock'],
] as const;

/** What comes if nothing is paid; one press moves the demo's time there, for all phones. */
const aheadGroup = (ahead: NonNullable<PhoneView['managed']>['ahead']): Html =>
  html`<section class="group">
    <h3>Jump ahead</h3>
    <p class="quiet">If nothing is paid. The demo’s time moves for every phone.</p>
    ${AHEAD.map(([name, word, picture]) => {
      const moment = ahead[name];
      return moment === null
        ? html`<p class="quiet">${word}: none ahead</p>`
        : html`<button type="button" class="press" data-clock="to" data-ahead="${name}" data-to="${moment}">
            ${icon(picture)}${word}, ${at(moment)}
          </button>`;
    })}
  </section>`;

/** What the phone does next without being told, and the way there. */
const NEXT_WORDS: Record<string, string> = { notice: 'shows the notice', reminder: 'shows a reminder' };
const LEVEL_WORDS = ['unlocks', 'shows a reminder', 'sets the wallpaper', 'locks some apps', 'locks'];

const nextStep = (next: { kind: string; level: number | null; at: string }): Html =>
  html`${next.level === null ? NEXT_WORDS[next.kind] : LEVEL_WORDS[next.level]}, ${at(next.at)}
    <button type="button" class="press" data-clock="to" data-to="${next.at}">Jump there</button>`;

/** Facts of the agent: what it was told, what it will do alone. */
function knows(view: PhoneView): Html {
  const managed = view.managed!;
  const rows: [string, string | Html][] = [
    [
      'Last order from the server',
      `no. ${managed.revision}: ${standingOf(view).word.toLowerCase()}${managed.strength === 'advisory' ? ', reminds only' : ''}`,
    ],
    ['May act alone until', managed.lease ? at(managed.lease.valid_until) : 'never'],
    ['Does next by itself', managed.lease?.next ? nextStep(managed.lease.next) : 'nothing'],
    ['Time it goes by', html`<span class="trusted">${at(managed.trusted_time)}</span>`],
    ['Waits to be sent', `${managed.events_waiting} news, ${managed.acks_waiting} answers`],
    [
      'Last talk with the server',
      view.contact.last_error
        ? `failed: ${view.contact.last_error}`
        : view.contact.last_ok_at
          ? 'went well'
          : 'none yet',
    ],
  ];
  return html`<section class="group">
    <h3>What the phone knows</h3>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** What is rare or drastic, folded away. */
function moreGroup(view: PhoneView): Html {
  const { id } = view;
  const managed = view.managed;
  return html`<details class="group more">
    <summary>Rarely needed</summary>
    <p class="quiet">Let time pass for this phone alone</p>
    <div class="pair">
      ${press(id, 'elapse', { ms: HOUR_MS }, '+1 h', 'clock')} ${press(id, 'elapse', { ms: DAY_MS }, '+1 day', 'clock')}
    </div>
    ${
      managed
        ? html`<p class="quiet">Make it lie to the server</p>
            <div class="quad lies">
              ${press(id, 'lie', { lie: 'wrong_revision' }, 'Revision')}
              ${press(id, 'lie', { lie: 'stale_acks' }, 'Old answers')} ${press(id, 'lie', { lie: 'replay' }, 'Replay')}
              ${press(id, 'lie', { lie: 'forged_signature' }, 'Forge')}
            </div>`
        : null
    }
    <div class="pair">
      ${press(id, 'sim', { slot: 0, card: 'none' }, 'Take SIM out', 'sim')}
      <button
        type="button"
        class="press danger"
        data-confirm="Erase ${view.name}? Its agent and key are gone; it must scan a new QR."
        ${touch(id, 'erase')}
      >
        ${icon('trash')}Erase
      </button>
    </div>
  </details>`;
}
