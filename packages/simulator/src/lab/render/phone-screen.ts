import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { LANGUAGE_TAGS } from '@kist/contract/codes';
import { businessDate, formatDate, formatInstant, isoDate, minuteOfDay } from '@kist/contract/dates';
import { formatRupees } from '@kist/contract/money-text';
import { fill, lockWords } from '#simulator/lab/words/lock-words.ts';
import type { LockWords } from '#simulator/lab/words/lock-words.ts';
import type { ScreenView } from '#simulator/lab/phone-view.ts';
import { KIOSK_APPS } from '#simulator/phones/android/screen.ts';
import type { AppKey, Claim, ScreenModel } from '#simulator/phones/android/screen.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import { agreementLine, callShop, emergencyButton, payButtons, touch } from './parts.ts';
import { sheetOver } from './sheets.ts';

const DOCK: readonly AppKey[] = ['phone', 'messages', 'internet', 'camera'];
const APP_NAMES: Record<AppKey, string> = {
  phone: 'Phone',
  messages: 'Messages',
  internet: 'Internet',
  pay: 'UPI',
  camera: 'Camera',
  maps: 'Maps',
  gallery: 'Photos',
  settings: 'Settings',
  video: 'Videos',
  music: 'Music',
  games: 'Games',
  social: 'Friends',
};

/** What the phone's screen shows, in the language of its agreement. Sizes are in em of the screen, so a thumbnail is the same phone. */
export function phoneScreen(view: ScreenView, wallpaperNo: number): Html {
  const { screen } = view;
  const words = lockWords(screen.language);
  const tag = LANGUAGE_TAGS[screen.language];
  if (view.is_rebooting)
    return html`<div class="phone-screen boot">
      <span class="spinner"></span>
      <p>Starting</p>
    </div>`;
  if (screen.kind === 'off') return html`<div class="phone-screen dark"></div>`;
  const paper = screen.wallpaper ? 'paper' : `wall-${wallpaperNo}`;
  const kind = view.sheet === 'later' && screen.kind === 'reminder' ? 'home' : screen.kind;
  const sheet = sheetOver(view, words);
  // What lies under a sheet can be neither touched nor reached by keyboard.
  return html`<div class="phone-screen ${kind === 'home' ? paper : 'calm'}" lang="${tag}">
    ${statusBar(screen)}
    <div class="stage">
      <div class="under" ${sheet ? html`inert` : null}>
        ${kind === 'setup' ? setup(view) : kind === 'home' ? home(view, words) : held(view, words)}
      </div>
      ${sheet}
    </div>
    ${isRestricted(screen) && view.sheet !== 'emergency' ? html`<div class="sos">${emergencyButton(view.id, words)}</div>` : null}
  </div>`;
}

/** Something of the phone is held back or covered: then the emergency call stands below everything else, outside of what scrolls or opens. */
const isRestricted = ({ kind, apps }: ScreenModel): boolean =>
  kind === 'kiosk' || kind === 'reminder' || apps.some(({ state }) => state !== 'free');

const hhmm = (ms: number): string => {
  const minutes = minuteOfDay(ms);
  return `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, '0')}`;
};

function statusBar(screen: ScreenModel): Html {
  const width = Math.round((screen.batteryPct / 100) * 13);
  return html`<div class="status" lang="en">
    <span>${hhmm(screen.wallMs)}</span>
    <span class="right"
      >${screen.isNetworkOn ? html`${screen.operator ?? 'No SIM'} ${icon('signal')}` : html`${icon('nosignal')}`}
      <svg class="cell" viewBox="0 0 20 10" aria-hidden="true">
        <rect x=".5" y=".5" width="16" height="9" rx="2.5" fill="none" stroke="currentColor" />
        <rect x="2" y="2" width="${width}" height="6" rx="1.2" fill="currentColor" />
        <path d="M18.500 3.500v3" stroke="currentColor" stroke-width="1.500" />
      </svg>
    </span>
  </div>`;
}

function setup(view: ScreenView): Html {
  return html`<div class="welcome" lang="en">
    <p class="hello">Namaste</p>
    <p class="quiet">${view.brand} ${view.model}</p>
    <div class="frame">
      ${icon('qr')}
      <p>Scan the QR that the shop shows</p>
    </div>
    <p class="quiet">IMEI<br /><b>${view.imei[0] ?? 'none'}</b></p>
  </div>`;
}

function home(view: ScreenView, words: LockWords): Html {
  const { screen, id } = view;
  const date = new Intl.DateTimeFormat(LANGUAGE_TAGS[screen.language], {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    timeZone: 'Asia/Kolkata',
    numberingSystem: 'latn',
  }).format(screen.wallMs);
  const shown = screen.apps.filter((app) => !DOCK.includes(app.key));
  return html`<div class="launcher">
    <div class="big-clock"><b>${hhmm(screen.wallMs)}</b><span>${date}</span></div>
    <div class="cards">${cards(view, words)}</div>
    <div class="apps">${shown.map((app) => appButton(id, app))}</div>
    <div class="dock">
      ${DOCK.map((key) =>
        appButton(
          id,
          screen.apps.find((app) => app.key === key)!,
        ),
      )}
    </div>
  </div>`;
}

function appButton(id: string, app: ScreenModel['apps'][number]): Html {
  const sheet = app.state === 'paused' ? 'paused' : app.state === 'off' ? 'camera_off' : null;
  const state = app.state === 'free' ? '' : ', locked';
  const inside = html`<span class="tile-icon"
      >${icon(app.key)}${app.state === 'free' ? null : html`<i class="stop">${icon('lock')}</i>`}</span
    >
    <span class="app-name">${APP_NAMES[app.key]}</span>`;
  return sheet
    ? html`<button
        type="button"
        class="app ${app.key} held-app"
        ${touch(id, 'touch', { sheet })}
        aria-label="${APP_NAMES[app.key]}${state}"
      >
        ${inside}
      </button>`
    : html`<span class="app ${app.key}">${inside}</span>`;
}

/** Cards over the launcher: a message of the shop, a notice or reminder of the lease, the reminder of level 1 and higher. */
function cards(view: ScreenView, words: LockWords): Html {
  const { screen, id } = view;
  return html`${screen.level >= 1 && screen.cause !== null ? reminderCard(view, words) : null}
  ${
    screen.banner
      ? html`<div class="card note">
          <p>${icon('bell')} ${screen.banner.kind === 'notice' ? words.notice : words.reminder}</p>
          <button type="button" class="small" ${touch(id, 'close_banner')}>${words.ok}</button>
        </div>`
      : null
  }
  ${messageCard(view, words)} ${screen.wallpaper?.text ? html`<p class="wall-text">${screen.wallpaper.text}</p>` : null}`;
}

/** What the shop wrote, with the day of it: an old text says what was true then. */
function messageCard({ screen: { message }, id }: ScreenView, words: LockWords): Html | null {
  if (!message) return null;
  return html`<div class="card note">
    <p>${icon('mail')} ${message.text} <time class="quiet">${formatDate(businessDate(message.atMs))}</time></p>
    <button type="button" class="small" ${touch(id, 'seen', { message_id: message.id })}>${words.ok}</button>
  </div>`;
}

/** The reminder: from the first one on its holder can say that it is paid, or wrong; once apps are locked it holds all that the kiosk holds. */
function reminderCard(view: ScreenView, words: LockWords): Html {
  const { screen, id } = view;
  const areAppsHeld = screen.level >= LOCKED_FROM_LEVEL && !screen.isAdvisory;
  const title = areAppsHeld ? words.titleApps : words.titleReminder;
  if (!screen.due) return html`<div class="card"><b class="card-title">${icon('lock')} ${title}</b></div>`;
  return html`<div class="card stitched">
    <b class="card-title">${title}</b>
    <span class="quiet">${agreementLine(screen.due, words)}</span>
    <span class="quiet">${dueLine(screen, words)}</span>
    <span class="money"><i>₹</i>${formatRupees(screen.due.amount_paise)}</span>
    ${screen.nextLockOn ? html`<span>${fill(words.nextLock, { date: formatDate(screen.nextLockOn) })}</span>` : null}
    ${payButtons(id, screen.due, words)} ${isForDebt(screen) ? sayButtons(view, words) : null}
    ${areAppsHeld ? html`<p class="quiet">${words.keeps}</p>` : null}
  </div>`;
}

const isForDebt = ({ cause }: ScreenModel): boolean => cause === 'debt' || cause === 'override';

/** What its holder can answer, and what became of that. */
const sayButtons = (view: ScreenView, words: LockWords): Html =>
  html`<div class="pair">${claimButton(view, words)} ${disputeButton(view, words)}</div>
    ${told(view.screen, words)}`;

const disputeButton = ({ screen, id }: ScreenView, words: LockWords): Html =>
  html`<button type="button" class="wide plain" ${touch(id, 'touch', { sheet: 'dispute' })}>
    ${screen.dispute === 'none' ? null : icon('check')} ${words.isWrong}<small>${words.dispute}</small>
  </button>`;

const claimButton = ({ screen, id }: ScreenView, words: LockWords): Html =>
  html`<button type="button" class="wide plain" ${touch(id, 'claim_paid')}>
    ${screen.claim ? icon('check') : null} ${words.havePaid}
  </button>`;

const dueLine = (screen: ScreenModel, words: LockWords): string =>
  screen.due?.due_since ? fill(words.dueSince, { date: formatDate(isoDate(screen.due.due_since)) }) : '';

/** The whole screen: the kiosk, or an advisory reminder that can be put away. */
function held(view: ScreenView, words: LockWords): Html {
  const { screen, id } = view;
  const title = titleOf(screen, words);
  return html`<div class="held">
    <p class="held-title">${icon('lock')} <b>${title}</b></p>
    ${screen.due ? html`<p class="quiet">${agreementLine(screen.due, words)}</p>` : null}
    ${isForDebt(screen) ? debtBody(view, words) : ownerBody(screen, words)} ${messageCard(view, words)}
    <p class="quiet keeps">${words.keeps}</p>
    <div class="dock kiosk-dock">
      ${KIOSK_APPS.map((key) => html`<span class="app ${key}" role="img" aria-label="${APP_NAMES[key]}"><span class="tile-icon">${icon(key)}</span></span>`)}
    </div>
    ${screen.kind === 'reminder' ? html`<button type="button" class="wide plain" ${touch(id, 'touch', { sheet: 'later' })}>${words.later}</button>` : null}
  </div>`;
}

function titleOf(screen: ScreenModel, words: LockWords): string {
  if (screen.cause === 'theft' || screen.cause === 'customer_request') return words.titleOwner;
  if (screen.cause === 'enrolment_test') return words.titleTest;
  return screen.isAdvisory ? words.titleReminder : words.titleKiosk;
}

function debtBody(view: ScreenView, words: LockWords): Html {
  const { screen, id } = view;
  const due = screen.due;
  if (!due) return html``;
  const n = due.instalments_due;
  return html`<div class="card stitched">
      <span class="quiet">${dueLine(screen, words)}</span>
      <span class="money"><i>₹</i>${formatRupees(due.amount_paise)}</span>
      <span class="quiet">${n === 1 ? words.one : fill(words.many, { n })} ${words.opens}</span>
    </div>
    ${payButtons(id, due, words)} ${sayButtons(view, words)}`;
}

/** What became of the holder's word. */
function told(screen: ScreenModel, words: LockWords): Html | null {
  const shop = screen.due?.shop ?? '';
  if (screen.dispute === 'waiting') return html`<p class="told">${words.disputeWaits}</p>`;
  if (screen.dispute === 'sent') return html`<p class="told">${fill(words.disputeSent, { shop })}</p>`;
  return screen.claim && html`<p class="told">${claimLine(screen, screen.claim, shop, words)}</p>`;
}

/** What is so: that nobody has heard of it yet, when the shop was told, its no, or that money came and what is left. */
function claimLine(screen: ScreenModel, claim: Claim, shop: string, words: LockWords): string {
  if (claim.is === 'waiting') return words.paidWaits;
  const at = formatInstant(claim.atMs);
  if (claim.is === 'refused') return fill(words.paidRefused, { shop, at });
  if (claim.is === 'paid')
    return fill(words.paidPart, { shop, at, amount: formatRupees(screen.due?.amount_paise ?? 0) });
  const told = fill(words.paidTold, { shop, at });
  return screen.level >= LOCKED_FROM_LEVEL && !screen.isAdvisory ? `${told} ${words.paidOpens}` : told;
}

function ownerBody(screen: ScreenModel, words: LockWords): Html {
  const text = screen.cause === 'enrolment_test' ? words.testText : words.ownerText;
  return html`<div class="card stitched owner">
    <p>${text}</p>
    ${screen.due ? callShop(screen.due, words) : null}
  </div>`;
}
