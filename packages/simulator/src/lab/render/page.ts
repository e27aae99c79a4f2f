import { businessDate, formatDate, minuteOfDay } from '@kist/contract/dates';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';

/** The shell; every region is filled at once and kept alive by server-sent events. No inline script or style (strict CSP). */
export const page = (regions: { world: Html; wall: Html; panel: Html; mode: string }): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Phone lab</title>
        <link rel="icon" href="lab/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="lab/style.css" />
        <script type="module" src="lab/app.js"></script>
      </head>
      <body data-mode="${regions.mode}">
        <a class="skip" href="#wall">Skip to the phones</a>
        <header class="top">
          <h1>Phone lab</h1>
          <div id="world" class="world">${regions.world}</div>
        </header>
        <main class="desk">
          <section class="wall-side" aria-labelledby="wall-title">
            <h2 id="wall-title" class="offscreen">All phones</h2>
            <ul id="wall" class="wall">
              ${regions.wall}
            </ul>
          </section>
          <aside id="panel" class="panel" aria-label="Details">${regions.panel}</aside>
        </main>
        <p id="toast" class="toast" role="status" aria-live="polite"></p>
      </body>
    </html>`;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * The world's date and time in India, and the buttons that move it.
 * @param guardedCount phones of the vendor's lock service; undefined where no shop has it
 */
export function worldBar(nowMs: number, isConnected: boolean, messageCount: number, guardedCount?: number): Html {
  const minutes = minuteOfDay(nowMs);
  const hour = Math.floor(minutes / 60);
  const day = businessDate(nowMs);
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()];
  return html`<div class="now" data-now="${new Date(nowMs).toISOString()}">
      <b>${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}</b
      ><span>${weekday} ${formatDate(day)}</span>
    </div>
    <div class="move" role="group" aria-label="Move the demo’s time">
      <button type="button" class="press" data-clock="hour">+1 h</button>
      <button type="button" class="press" data-clock="half_past_ten">Next 10:30</button>
      <button type="button" class="press main" data-clock="day">+1 day</button>
    </div>
    ${isConnected ? null : html`<span class="chip due">${icon('clock')}Waiting for the server</span>`}
    <div class="move">
      ${guardedCount === undefined ? null : to('guard', 'lock', 'Lock service', guardedCount)}
      ${to('messages', 'mail', 'Messages', messageCount)}
    </div>`;
}

const to = (view: string, name: IconName, word: string, count: number): Html =>
  html`<a class="press to-messages" href="lab?view=${view}" data-view="${view}"
    >${icon(name)}<span class="word">${word}</span><span class="count">${count}</span></a
  >`;

/** The last tile of the wall. */
export const newPhoneTile = (): Html =>
  html`<li class="tile new" id="tile-new">
    <button type="button" class="box" data-new="DPC">
      ${icon('plus')}<b>New phone</b><span class="quiet">out of its box</span>
    </button>
    <button type="button" class="box" data-new="LINKFL">
      ${icon('plus')}<b>Phone in use</b><span class="quiet">set up by a link</span>
    </button>
  </li>`;
