import { type Language, LANGUAGE_TAGS } from '@kist/contract/codes';
import { businessDate, DAY_MS, formatDate, formatInstant } from '@kist/contract/dates';
import { formatInr } from '@kist/contract/money-text';
import { ownersLock, wordOfCustomer } from '@kist/contract/lock-events';
import { upiLink } from '@kist/contract/upi';
import { newId } from '#server/platform/ids.ts';
import type * as reports from '#server/reports/reports.ts';
import { type FailedComplaint, complaints } from './notice-complaints.ts';
import { html, publicPage, type Say } from './public-page.ts';

/** Of a list. */
const SHOWN = 6;

/** The page that a link opens, with why a complaint was not taken if one was sent in vain. */
export function noticePageText(
  say: Say,
  language: Language,
  path: string,
  page: reports.NoticePage,
  failed?: FailedComplaint,
): string {
  const parts = [
    owed(say, page),
    next(say, page),
    page.pay.amount_paise > 0 ? howToPay(say, page) : '',
    section(say('notice_page.wrong'), complaints(say, { path, language }, page, failed)),
    done(say, language, page),
    messages(say, page),
    `<p class="soft">${say('notice_page.private')}</p>`,
  ];
  return publicPage({ language, title: html(page.pay.shop), body: parts.join('\n'), path });
}

const section = (title: string, lines: readonly string[], kind = ''): string =>
  `<section${kind && ` class="${kind}"`}><h2>${title}</h2>\n${lines.join('\n')}</section>`;

function owed(say: Say, page: reports.NoticePage): string {
  const isOverdue = page.overdue_paise > 0;
  const phone = [page.device, page.imei_tail && `IMEI …${page.imei_tail}`].filter(Boolean).join(' · ');
  const title =
    page.state === 'completed'
      ? say('emi.all_paid')
      : isOverdue
        ? say('emi.overdue_since', { date: formatDate(page.due_on ?? businessDate(page.now.getTime())) })
        : page.due_on
          ? say('emi.next_on', { date: formatDate(page.due_on) })
          : say('emi.title');
  return section(
    title,
    [
      ...(page.pay.amount_paise > 0 ? [`<p class="money">${formatInr(page.pay.amount_paise)}</p>`] : []),
      ...(page.penal_left_paise > 0
        ? [
            `<p class="soft">${say('emi.penal_left', { amount: formatInr(page.penal_left_paise) })} · ${say('mine.fee_locks_nothing')}</p>`,
          ]
        : []),
      `<p class="soft">${html([page.name, phone].filter(Boolean).join(' · '))}</p>`,
      `<p class="soft">${say('emi.no')} ${html(page.pay.agreement_no)}</p>`,
    ],
    'owed',
  );
}

/** What will be locked and when, how many days that is, and what stays on whatever happens. */
function next(say: Say, page: reports.NoticePage): string {
  const { next: step, level, pay } = page;
  const lines: string[] = [];
  if (level > 0) lines.push(`<p class="bad">${say('notice_page.now')} ${say(`lock.level_${level}`)}</p>`);
  if (page.is_owners) lines.push(`<p>${say('lock_timeline.owners')}</p>`);
  if (step?.at && pay.amount_paise > 0) {
    const at = Date.parse(step.at);
    const days = Math.max(0, Math.round((dayOf(at) - dayOf(page.now.getTime())) / DAY_MS));
    const words = { level: say(`lock.level_short_${step.level}`), date: formatDate(businessDate(at)) };
    lines.push(`<p><b>${say('mine.next_step', words)}</b></p>`);
    lines.push(`<p>${say('notice_page.days_left', { days })}</p>`, `<p>${say(`lock.level_${step.level}`)}</p>`);
  }
  if (pay.rests_until_on)
    lines.push(`<p class="ok">${say('mine.rests', { date: formatDate(pay.rests_until_on) })}</p>`);
  lines.push(`<p class="soft">${say('lock.stays_on')}</p>`);
  return section(say('customer.phone_state'), lines);
}
const dayOf = (ms: number): number => Date.parse(`${businessDate(ms)}T00:00:00Z`);

function howToPay(say: Say, { pay }: reports.NoticePage): string {
  const amount = formatInr(pay.amount_paise);
  const { upi_id: upiId, shop: payee, amount_paise: amountPaise, agreement_no: agreementNo } = pay;
  // A `tr` of its own each time that the page is opened.
  const link = upiId && upiLink({ upiId, payee, amountPaise, agreementNo }, newId().slice(-12));
  const call = `<a class="main plain" href="tel:${html(pay.shop_phone.replaceAll(/[^\d+]/g, ''))}">${say('mine.call_shop')}</a>`;
  return section(say('mine.pay'), [
    ...(link
      ? [
          `<a class="main" href="${html(link)}">${say('mine.pay_upi', { amount })}</a>`,
          `<p class="soft">UPI: ${html(upiId)}</p>`,
        ]
      : []),
    `<p>${say('mine.pay_at_shop', { amount })}</p>`,
    call,
  ]);
}

/** What was done and by whom: the lock rules by themselves, the shop, or the customer. */
function done(say: Say, language: Language, page: reports.NoticePage): string {
  if (page.done.length === 0) return '';
  const rules = new Intl.PluralRules(LANGUAGE_TAGS[language]);
  const lines = page.done.map(({ at, kind, params }) => {
    const { level, until_on: untilOn, days_past_due: count, taken } = params;
    const plain = kind === 'level' ? `level_${rules.select(Number(count ?? 0))}` : kind;
    const key = wordOfCustomer({ kind, params }) ?? `lock_timeline.${plain}`;
    const text = say(key, {
      count: Number(count ?? 0),
      level: level === undefined ? '' : say(`lock.level_short_${level}`),
      until_on: typeof untilOn === 'string' ? formatDate(untilOn) : '',
      what: taken === undefined ? '' : say(`feature.${taken}`),
    });
    const by = whoOf({ kind, params });
    return `<li>${text}<br><span class="soft">${formatInstant(Date.parse(at))}${by && ` · ${say(`notice_page.by_${by}`)}`}</span></li>`;
  });
  return section(say('notice_page.done'), folded(say, lines));
}

function whoOf(event: Pick<reports.DoneEvent, 'kind' | 'params'>): string {
  const { kind, params } = event;
  if (wordOfCustomer(event)) return 'customer';
  // Who took a lost phone's lock off is not in what was decided.
  if (kind === 'freed' && ownersLock(params)) return '';
  if (kind === 'level' || kind === 'freed' || kind === 'taken')
    return params['trigger'] === 'manual' ? 'shop' : 'rules';
  return typeof params['by'] === 'string' ? params['by'] : '';
}

function messages(say: Say, { messages: told }: reports.NoticePage): string {
  if (told.length === 0) return section(say('notice_page.messages'), [`<p>${say('notice_page.no_messages')}</p>`]);
  const lines = told.map(({ body, channel, created_at, delivered_at, failed_at }) => {
    const state = delivered_at ? 'delivered' : failed_at ? 'failed' : 'sent';
    const at = formatInstant((delivered_at ?? created_at).getTime());
    return `<li>${html(body)}<br><span class="soft">${at} · ${say(`emi.channel_${channel}`)} · ${say(`notice_page.${state}`)}</span></li>`;
  });
  return section(say('notice_page.messages'), folded(say, lines));
}

/** The last ones in sight, those before behind a press. */
function folded(say: Say, lines: readonly string[]): string[] {
  const older = lines.slice(SHOWN);
  const list = (some: readonly string[]) => `<ul>${some.join('\n')}</ul>`;
  const more = `<details><summary>${say('lock_timeline.earlier', { n: older.length })}</summary>${list(older)}</details>`;
  return [list(lines.slice(0, SHOWN)), ...(older.length > 0 ? [more] : [])];
}
