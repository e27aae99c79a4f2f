import type { PhoneView } from '#simulator/lab/phone-view.ts';
import { phoneScreen } from './phone-screen.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';

/** How a phone stands, as colour, word and icon. */
export interface Standing {
  tone: 'ok' | 'due' | 'over' | 'locked' | 'quiet';
  word: string;
  icon: IconName;
}

export function standingOf(view: PhoneView): Standing {
  if (view.is_rebooting) return { tone: 'quiet', word: 'Starting', icon: 'boot' };
  if (!view.is_on) return { tone: 'quiet', word: 'Off', icon: 'off' };
  if (!view.managed) {
    return view.screen.kind === 'setup'
      ? { tone: 'quiet', word: 'Not set up', icon: 'qr' }
      : { tone: 'ok', word: 'Released', icon: 'open' };
  }
  const isAdvisory = view.managed.strength === 'advisory';
  switch (view.managed.lock_level) {
    case 0:
      return { tone: 'ok', word: 'Unlocked', icon: 'open' };
    case 1:
      return { tone: 'due', word: 'Reminder', icon: 'bell' };
    case 2:
      return { tone: 'due', word: 'Wallpaper', icon: 'image' };
    case 3:
      return isAdvisory
        ? { tone: 'due', word: 'Reminder', icon: 'bell' }
        : { tone: 'over', word: 'Apps locked', icon: 'lock' };
    default:
      return isAdvisory
        ? { tone: 'due', word: 'Reminder', icon: 'bell' }
        : { tone: 'locked', word: 'Locked', icon: 'lock' };
  }
}

export const chip = ({ tone, word, icon: name }: Standing): Html =>
  html`<span class="chip ${tone}">${icon(name)}${word}</span>`;

/** The line of a phone to its server, seen from the phone. */
export const lineOf = (view: PhoneView): Html =>
  html`<span class="line ${view.is_network_on ? '' : 'cut'}"
    >${icon(view.is_network_on ? 'signal' : 'nosignal')}${view.is_network_on ? 'On the network' : 'No network'}</span
  >`;

/** Six wallpapers, so that a wall of phones is not one phone twelve times. */
export const wallpaperNo = (id: string): number =>
  (id.split('').reduce((sum, char) => sum + char.charCodeAt(0), 0) % 6) + 1;

export const frame = (inside: Html, isLive: boolean): Html =>
  isLive
    ? html`<div class="handset live"><div class="screen">${inside}</div></div>`
    : html`<div class="handset" inert aria-hidden="true"><div class="screen">${inside}</div></div>`;

/** One phone of the wall: its screen as it is, small; the whole tile opens it. */
export function tile(view: PhoneView, isOpen: boolean): Html {
  const quietView = { ...view, sheet: view.sheet === 'later' ? view.sheet : null };
  const standing = standingOf(view);
  const model = `${view.brand} ${view.model}`;
  const label = `${[...new Set([view.name, model])].join(', ')}: ${standing.word}, ${view.is_network_on ? 'on the network' : 'no network'}`;
  return html`<li
    class="tile ${isOpen ? 'open' : ''}"
    id="tile-${view.id}"
    data-name="${view.name}"
    data-imei="${view.imei[0] ?? ''}"
  >
    ${frame(phoneScreen(quietView, wallpaperNo(view.id)), false)}
    <a
      class="cover"
      href="lab?phone=${view.id}"
      data-open="${view.id}"
      aria-label="${label}"
      ${isOpen ? html`aria-current="true"` : null}
    ></a>
    <div class="caption">
      <b>${view.name}</b>${model === view.name ? null : html`<span class="quiet">${model}</span>`}<span class="row"
        >${chip(standing)}${view.is_network_on ? null : html`<span class="cut-mark" title="No network">${icon('nosignal')}</span>`}</span
      >
    </div>
  </li>`;
}
