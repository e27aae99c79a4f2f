import { readFileSync } from 'node:fs';
import { NEXT_CHECKIN, ackSchema, agentEventSchema, leaseSchema } from '@kist/contract/agent';
import { ADVISORY_MAX_LEVEL, COMMANDS } from '@kist/contract/commands';
import { ERRORS } from '@kist/contract/errors';
import { AUTOMATIC_HOURS, CLAIM_REST_DAYS, DETAIL_LIMITS, LIMITS, REPORT_LIMITS } from '@kist/contract/limits';
import { REFUSALS } from './agent-refusals.mjs';
import { agentVectors } from './agent-vectors.mjs';
import { PROTOCOL, VECTORS } from './goldens.mjs';
import { inRoot } from './root.mjs';

/** What one-shot orders ask for and what `result` answers. What is part of the desired state is no order on this wire. */
const ORDERS = {
  location: ['where the phone is now', '`latitude`, `longitude`, `accuracy_m`, `at`'],
  sim_info: ['the cards in it', '`sims`: as in the report'],
  reboot: ['start again; `delivered` before, `applied` after', '`boot_count` after it'],
  emi_alert: [
    'show `text` until its holder closed it; then `seen`. A `kind` of `reminder`, `notice` or `alert` is about a debt, with `due_on` about that instalment. Where the lease has no `screen`, or one with a later `due_since`, or the phone was let go, it is paid: not shown any more, and what comes then not at all (`failed`, `EXPIRED`). A notice or an alert also goes when the level for money falls, or with a lock after which no other is to come',
    '',
  ],
};

/** Each kind of event: when it is told, and its `data`. */
const EVENTS = {
  booted: ['the phone started', '`boot_count`; `after`: "enrolment" the first time'],
  sim_changed: ['a card was put in, taken out or changed', '`slot`, `old`, `new`: as in the report, or null'],
  clock_moved: ['somebody set the wall clock', '`from`, `to`, `by_s`'],
  notice_shown: ['a notice of the lease was on the screen', '`no`, `lease_seq`'],
  reminder_shown: ['a reminder of the lease was on the screen', '`key`, `lease_seq`'],
  lease_step: ['a step of the ladder was taken alone', '`level`, `from`, `lease_seq`'],
  dispute: ['its holder says that the lock is wrong', '`text`, which may be missing or blank'],
  payment_claimed: ['its holder says that they paid', '`lock_level`'],
  low_battery: ['15 % or less', '`battery`'],
  agent_removed: [
    'the agent goes: its holder takes it off, or Android took from it that it is the device owner. It holds nothing any more',
    '`by`: "holder" or "android"',
  ],
};

const { fromHour, toHour } = AUTOMATIC_HOURS;
const { notices, reminders, ladder } = leaseSchema.shape;
/** @param {{ toJSONSchema(): { maxItems?: number } }} list @returns {number} its bound, as the schema has it */
const mostOf = (list) => list.toJSONSchema().maxItems ?? Number.NaN;

/** Every number of the page that the product decides, from where the product takes it. @type {[name: string, value: string | number][]} */
const BOUNDS = [
  ['difference of `created` and server time', `${LIMITS.agentSkewS} s`],
  ['body of a request', `${LIMITS.agentBodyBytes / 1024} KB`],
  [
    'check-ins of a phone; polls; disputes',
    `${LIMITS.agentCallsPerMinute} a minute each, ${LIMITS.agentCallsAtOnce} at once`,
  ],
  ['orders in one answer', LIMITS.commandsPerCheckin],
  ['acknowledgements in one report', REPORT_LIMITS.acks],
  ['events in one report', REPORT_LIMITS.events],
  ['events of one kind in a day', `${LIMITS.eventsPerDayAndKind}, the rest is counted only`],
  ['SIM cards in one report', REPORT_LIMITS.sims],
  ['signs of `iccid`; `operator`; `number`', of('iccidLength', 'operatorLength', 'numberLength')],
  ['signs of `agent_version`; `push_token`; `code`', of('agentVersionLength', 'pushTokenLength', 'codeLength')],
  ['`accuracy_m`', REPORT_LIMITS.accuracyM],
  ['values of `data` or `result`; signs of a text in it', `${DETAIL_LIMITS.values}; ${DETAIL_LIMITS.textLength}`],
  ['signs of a dispute', LIMITS.noteLength],
  ['notices; reminders; steps of a lease', [notices, reminders, ladder].map(mostOf).join('; ')],
  ['hours in India in which a late step may be taken', `${fromHour}:00 to ${toHour}:00, ${toHour}:00 not included`],
  ['days in India for which “I have paid” stops the ladder, after the day on which it was said', CLAIM_REST_DAYS],
  ['level that an advisory agent reports', ADVISORY_MAX_LEVEL],
  ['a poll waits', `${LIMITS.longPollS} s`],
  [
    '`next` of a phone that is as it shall be; of another',
    `${NEXT_CHECKIN.afterS} s and ${NEXT_CHECKIN.spreadS} s; ${NEXT_CHECKIN.unsettledAfterS} s and 0`,
  ],
  ['an order lives', `${LIMITS.commandTtlS / 86_400} days, or as its \`expires_at\` says`],
  ['an enrolment code lives', `${LIMITS.enrolmentTokenTtlS / 3600} hours`],
];

/** @param {(keyof typeof REPORT_LIMITS)[]} names */
function of(...names) {
  return names.map((name) => REPORT_LIMITS[name]).join('; ');
}

const table = (/** @type {string[]} */ head, /** @type {(string | number)[][]} */ rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** @returns {Record<string, string>} name of a table in the document → how it should read */
function tables() {
  const oneShots = Object.entries(COMMANDS).filter(([, { kind }]) => kind === 'one-shot');
  const states = ackSchema.shape.status.options.map((state) => `\`${state}\``).join(', ');
  return {
    orders: `${table(
      ['`type`', 'asks for', '`result`'],
      oneShots.map(([type]) => [`\`${type}\``, ...described('order', ORDERS, type)]),
    )}\n\n\`status\` of an acknowledgement: ${states}.`,
    events: table(
      ['`kind`', 'told when', '`data`'],
      agentEventSchema.shape.kind.options.map((kind) => [`\`${kind}\``, ...described('event', EVENTS, kind)]),
    ),
    refusals: table(
      ['`code`', 'HTTP', 'what it means to the phone'],
      REFUSALS.map(({ code, says }) => [`\`${code}\``, ERRORS[code].status, says]),
    ),
    limits: table(['of', 'at most'], BOUNDS),
  };
}

/**
 * @param {string} what @param {Record<string, string[]>} words @param {string} name
 * @throws Error for what stands in the contract and not here
 */
function described(what, words, name) {
  const found = words[name];
  if (!found) throw new Error(`scripts/lib/agent-protocol.mjs does not say what the ${what} ${name} is`);
  return found;
}

/** @returns {Record<string, string>} the files that are made from the contract, as they should read */
export function protocolFiles() {
  const kept = JSON.parse(readFileSync(inRoot(VECTORS), 'utf8'));
  let text = readFileSync(inRoot(PROTOCOL), 'utf8');
  for (const [name, rows] of Object.entries(tables()))
    text = text.replace(
      new RegExp(`(<!-- table: ${name} -->\n)[^]*?(\n<!-- end of table -->)`),
      (_all, begin, end) => `${begin}${rows}${end}`,
    );
  return { [PROTOCOL]: text, [VECTORS]: `${JSON.stringify(agentVectors(kept), undefined, 2)}\n` };
}
