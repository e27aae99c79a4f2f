import { formatInstant } from '@kist/contract/dates';
import type { KeptMail } from '#simulator/clouds/mail-server.ts';
import type { SmsFaults, SmsMessage } from '#simulator/clouds/sms-gateway.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { icon } from './icons.ts';

const SHOWN = 40;
const FAULTS: [keyof SmsFaults, string][] = [
  ['is_down', 'Down'],
  ['is_slow', 'Slow'],
  ['never_delivers', 'Delivers nothing'],
  ['duplicates', 'Receipts twice'],
];

/** A one-time code stands out: it is what people look here for. */
function bodyOf(text: string): Html {
  const [, before, code, after] = /^(.*?)\b(\d{6})\b(.*)$/s.exec(text) ?? [];
  return code ? html`<p>${before}<b class="otp">${code}</b>${after}</p>` : html`<p>${text}</p>`;
}

/** What a mail server of the demo was given, newest first. */
const mailsGroup = (mails: KeptMail[]): Html =>
  html`<details class="group more">
    <summary>E-mails (${mails.length})</summary>
    <ol class="sms">
      ${mails.slice(0, SHOWN).map(
        (one) =>
          html`<li id="mail-${one.mail_id}">
            <div class="row spread">
              <b>${one.subject}</b><span class="quiet">${formatInstant(Date.parse(one.at))}</span>
            </div>
            <span class="quiet">${one.to.join(', ')}</span>
            <pre class="mail">${one.text}</pre>
          </li>`,
      )}
    </ol>
  </details>`;

/** Text messages that a real provider would have sent, newest first, and e-mails. */
export function messagesPanel(messages: SmsMessage[], faults: SmsFaults, mails: KeptMail[]): Html {
  return html`<div class="messages">
    <header class="bench-head">
      <a class="icon-link narrow" href="lab" data-open="" aria-label="Back to all phones">${icon('back')}</a>
      <div>
        <h2>Text messages</h2>
        <p class="quiet">One-time codes, notices, receipts</p>
      </div>
    </header>
    ${messages.length === 0 ? html`<p class="empty">${icon('mail')}<span>No message yet. Log in to the shop’s app with a mobile number: the OTP appears here.</span></p>` : null}
    <ol class="sms">
      ${messages.slice(0, SHOWN).map(
        (message) =>
          html`<li id="sms-${message.message_id}" data-to="${message.to}">
            <div class="row spread">
              <b>${message.to}</b><span class="quiet">${formatInstant(Date.parse(message.at))}</span>
            </div>
            ${bodyOf(message.body)}
            <span class="quiet"
              >${message.delivered_at ? html`${icon('check')}delivered` : html`${icon('clock')}on its way`}</span
            >
          </li>`,
      )}
    </ol>
    ${mails.length > 0 ? mailsGroup(mails) : null}
    <details class="group more">
      <summary>The gateway’s bad days</summary>
      ${FAULTS.map(([name, label]) => html`<button type="button" role="switch" aria-checked="${faults[name] ? 'true' : 'false'}" class="switch" data-sms="${name}" data-on="${faults[name] ? 'true' : 'false'}"><span>${label}</span><i class="knob" aria-hidden="true"></i></button>`)}
    </details>
  </div>`;
}
