import { formatRupees } from '@kist/contract/money-text';
import { fill } from '#simulator/lab/words/lock-words.ts';
import type { LockWords } from '#simulator/lab/words/lock-words.ts';
import type { ScreenView } from '#simulator/lab/phone-view.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';
import { agreementLine, callShop, touch, upiCode } from './parts.ts';

/** What a touch opened over the phone's screen. */
export function sheetOver(view: ScreenView, words: LockWords): Html | null {
  const close = html`<button type="button" class="wide plain" ${touch(view.id, 'touch', { sheet: null })}>
    ${words.back}
  </button>`;
  switch (view.sheet) {
    case 'pay':
      return sheet(html`${payBody(view, words)} ${close}`);
    case 'consent':
      return sheet(html`${consentBody(view.id, words)}`);
    case 'upi':
      return sheet(html`${upiApp(view)} ${close}`);
    case 'dispute':
      return sheet(html`${disputeBody(view, words)} ${close}`);
    case 'paused':
      return sheet(
        html`<p class="lead">${icon('lock')} ${words.appPaused}</p>
          ${close}`,
      );
    case 'camera_off':
      return sheet(
        html`<p class="lead">${icon('camera')} ${words.cameraOff}</p>
          ${close}`,
      );
    case 'emergency':
      return html`<div class="sheet call">
        <p class="lead">${icon('phone')} ${words.calling}</p>
        <button type="button" class="wide emergency" ${touch(view.id, 'touch', { sheet: null })}>
          ${words.endCall}
        </button>
      </div>`;
    case 'later':
    case null:
      return null;
  }
}

const sheet = (body: Html): Html => html`<div class="sheet">${body}</div>`;

/** A phone in use: its holder is asked before anything is set up. */
const consentBody = (id: string, words: LockWords): Html =>
  html`<p class="lead">${words.consentTitle}</p>
    <p>${words.consentText}</p>
    <button type="button" class="wide pay-now" ${touch(id, 'consent', { agreed: true })}>${words.agree}</button>
    <button type="button" class="wide plain" ${touch(id, 'consent', { agreed: false })}>${words.back}</button>`;

/** The UPI app of this phone as the link opened it: it knows nothing but what the link says. */
function upiApp({ screen }: ScreenView): Html {
  const said = new URLSearchParams(screen.due?.upi_uri?.split('?')[1] ?? '');
  return html`<p class="lead" lang="en">${icon('pay')} UPI</p>
    <div class="card stitched">
      <b>${said.get('pn')}</b>
      <span class="quiet">${said.get('pa')}</span>
      <span class="money"><i>₹</i>${said.get('am')}</span>
      <span class="quiet">${said.get('tn')}</span>
      <span class="quiet">${said.get('tr')}</span>
    </div>`;
}

function payBody({ screen }: ScreenView, words: LockWords): Html {
  const due = screen.due;
  if (!due) return html`<p class="lead">${words.appPaused}</p>`;
  return html`<p class="quiet">${agreementLine(due, words)}</p>
    <span class="money"><i>₹</i>${formatRupees(due.amount_paise)}</span>
    ${
      due.upi_uri
        ? html`<div class="code large">${upiCode(due.upi_uri)}</div>
            <p class="quiet">${words.scanUpi}</p>`
        : null
    }
    ${callShop(due, words)}`;
}

function disputeBody({ id, screen }: ScreenView, words: LockWords): Html {
  const shop = screen.due?.shop ?? '';
  if (screen.dispute === 'waiting') return html`<p class="lead">${words.disputeWaits}</p>`;
  const sent = screen.dispute === 'sent' ? html`<p class="told">${fill(words.disputeSent, { shop })}</p>` : null;
  return html`${sent}
    <form data-phone="${id}" data-form="dispute">
      <label class="lead" for="dispute-${id}">${words.disputeAsk}</label>
      <textarea id="dispute-${id}" name="text" rows="4" maxlength="500" required></textarea>
      <p class="quiet">${words.disputeHint}</p>
      <button type="submit" class="wide pay-now">${words.send}</button>
    </form>`;
}
