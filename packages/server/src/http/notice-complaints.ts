import type { Language } from '@kist/contract/codes';
import { formatDate, formatInstant } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { formatInr } from '@kist/contract/money-text';
import type * as reports from '#server/reports/reports.ts';
import { html, type Say } from './public-page.ts';

/** A complaint that was not taken: what was typed, about what, and why not, in a sentence. */
export interface FailedComplaint {
  /** The complaint that was to be taken further; empty: a new one. */
  disputeId: string;
  no: string;
  text: string;
  why: string;
}

/** Where the page is and in which language it is read. */
interface Here {
  path: string;
  language: Language;
}

/** What was complained of and answered, and how to complain or take an answer further: forms that need no script. */
export function complaints(say: Say, here: Here, page: reports.NoticePage, failed?: FailedComplaint): string[] {
  const isHere = (disputeId: string) => failed?.disputeId === disputeId;
  const told = page.disputes.map((one) => complaint(say, here, one, isHere(one.dispute_id) ? failed : undefined));
  const isShown =
    failed && (failed.disputeId === '' ? page.disputable.length > 0 : told.length > 0 && isAmong(page, failed));
  return [
    ...(failed && !isShown ? [`<p class="bad" role="alert">${html(failed.why)}</p>`] : []),
    `<p class="soft">${say('notice_page.wrong_how', { phone: page.pay.shop_phone })}</p>`,
    ...(told.length > 0 ? [`<ul>${told.join('\n')}</ul>`] : []),
    ...(page.disputable.length > 0 ? [newForm(say, here, page, isHere('') ? failed : undefined)] : []),
  ];
}

const isAmong = ({ disputes }: reports.NoticePage, { disputeId }: FailedComplaint): boolean =>
  disputes.some((one) => one.dispute_id === disputeId && one.may_go_further);

function complaint(say: Say, here: Here, one: reports.ShownDispute, failed: FailedComplaint | undefined): string {
  const { dispute_id: id, state, instalment_place: no, due_on: dueOn, stops_until: until, moves } = one;
  const about = no === null ? '' : ` · ${say('dispute.about', { no, date: dueOn ? formatDate(dueOn) : '' })}`;
  const said = moves.map(
    ({ by, at, text }) =>
      `<p class="said"><span class="soft">${say(by === 'customer' ? 'notice_page.by_customer' : `dispute.by_${by}`)} · ${formatInstant(Date.parse(at))}</span><br>${html(text)}</p>`,
  );
  const rests = one.is_waiting
    ? `<p class="ok">${say('dispute.no_lock')}</p>`
    : one.is_resting && until
      ? `<p class="ok">${say('dispute.no_lock_until', { at: formatInstant(Date.parse(until)) })}</p>`
      : '';
  const further = one.may_go_further
    ? form(say, here, failed, {
        id: `further-${id}`,
        title: 'dispute.further',
        hint: 'dispute.further_hint',
        label: 'dispute.further_text',
        fields: `<input type="hidden" name="dispute_id" value="${id}">`,
      })
    : '';
  return `<li><b>${say(`dispute.state_${state}`)}</b>${about}\n${said.join('\n')}\n${rests}${further}</li>`;
}

function newForm(
  say: Say,
  here: Here,
  { disputable }: reports.NoticePage,
  failed: FailedComplaint | undefined,
): string {
  const options = disputable.map(
    ({ no, place, due_on: dueOn, left_paise: paise }) =>
      `<option value="${no}"${String(no) === failed?.no ? ' selected' : ''}>${[place, formatDate(dueOn), ...(paise > 0 ? [formatInr(paise)] : [])].join(' · ')}</option>`,
  );
  return form(say, here, failed, {
    id: 'complaint',
    title: 'dispute.start_own',
    hint: 'dispute.hint',
    label: 'dispute.text_own',
    fields: `<label for="complaint-no">${say('dispute.which')}</label><select id="complaint-no" name="no">${options.join('')}</select>`,
  });
}

interface Form {
  id: string;
  title: string;
  hint: string;
  label: string;
  fields: string;
}

/** Behind a press, and open when it was sent in vain: what was typed stands there still. */
function form(
  say: Say,
  { path, language }: Here,
  failed: FailedComplaint | undefined,
  { id, title, hint, label, fields }: Form,
): string {
  const why = failed ? `<p id="${id}-why" class="bad" role="alert">${html(failed.why)}</p>` : '';
  const wrong = failed ? ' aria-invalid="true"' : '';
  return `<details${failed ? ' open' : ''}><summary>${say(title)}</summary>
<form method="post" action="${path}"><p id="${id}-hint" class="soft">${say(hint)}</p>
${fields}<label for="${id}-text">${say(label)}</label>
<textarea id="${id}-text" name="text" rows="4" maxlength="${LIMITS.noteLength}" required aria-describedby="${id}-hint${failed ? ` ${id}-why` : ''}"${wrong}>${html(failed?.text ?? '')}</textarea>${why}
<input type="hidden" name="lang" value="${language}">
<button>${say('notice_page.send')}</button></form></details>`;
}
