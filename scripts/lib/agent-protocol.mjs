import { readFileSync } from 'node:fs';
import { agentEventSchema, ackSchema } from '@kist/contract/agent';
import { COMMANDS } from '@kist/contract/commands';
import { ERRORS } from '@kist/contract/errors';
import { LIMITS, REPORT_LIMITS } from '@kist/contract/limits';
import { agentVectors } from './agent-vectors.mjs';
import { PROTOCOL, VECTORS } from './goldens.mjs';
import { inRoot } from './root.mjs';

/** What one-shot orders ask for and what `result` answers. What is part of the desired state is no order on this wire. */
const ORDERS = {
  location: ['where the phone is now', '`latitude`, `longitude`, `accuracy_m`, `at`'],
  sim_info: ['the cards in it', '`sims`: as in the report'],
  reboot: ['start again; `delivered` before, `applied` after', '`boot_count` after it'],
  emi_alert: ['show `text` until its holder closed it; then `seen`', ''],
};

/** Each kind of event: when it is told, and its `data`. */
const EVENTS = {
  booted: ['the phone started', '`boot_count`; `after`: "enrolment" the first time'],
  sim_changed: ['a card was put in, taken out or changed', '`slot`, `old`, `new`: as in the report, or null'],
  clock_moved: ['somebody set the wall clock', '`from`, `to`, `by_s`'],
  notice_shown: ['a notice of the lease was on the screen', '`no`, `lease_seq`'],
  reminder_shown: ['a reminder of the lease was on the screen', '`key`, `lease_seq`'],
  lease_step: ['a step of the ladder was taken alone', '`level`, `from`, `lease_seq`'],
  dispute: ['its holder says that the lock is wrong', '`text`'],
  payment_claimed: ['its holder says that they paid', '`lock_level`'],
  low_battery: ['15 % or less', '`battery`'],
};

/** What a phone does with a refusal. */
const REFUSALS = {
  AGENT_SIGNATURE_INVALID: 'headers missing or malformed, body and digest differ, or another key signed: sign anew',
  STALE_REQUEST:
    '`created` is too far off: take `details.server_time` (the answer is signed) and ask again with a new nonce',
  AGENT_REPLAYED: 'this nonce was used: ask again with a new one',
  AGENT_UNKNOWN:
    'no such enrolment or token, or it ended. Changes nothing on the phone: keep the state, ask again later',
  ENROLMENT_TOKEN_USED: 'another phone enrolled with this code: ask the shop for a new one',
  ENROLMENT_TOKEN_EXPIRED: 'ask the shop for a new code',
  ENROLMENT_PHONE_MISMATCH: 'IMEI, serial or kind of agent are not those of the agreement',
  STATE_CONFLICT: 'the phone was released: nothing to enrol',
  INVALID_JSON: 'the body is no JSON',
  INVALID_INPUT: '`errors` name the fields; only `proto` can do this to a check-in',
  TOO_LARGE: 'send fewer events and acknowledgements at once',
  RATE_LIMITED: 'wait for `Retry-After` seconds. Unsigned when the phone has not proved who it is',
  UNAVAILABLE: 'the database is away: wait for `Retry-After`. May be unsigned',
};

/** @type {[name: string, value: string | number][]} */
const BOUNDS = [
  ['difference of `created` and server time', `${LIMITS.agentSkewS} s`],
  ['body of a request', `${LIMITS.agentBodyBytes / 1024} KB`],
  ['orders in one answer', LIMITS.commandsPerCheckin],
  ['acknowledgements in one report', REPORT_LIMITS.acks],
  ['events in one report', REPORT_LIMITS.events],
  ['events of one kind in a day', `${LIMITS.eventsPerDayAndKind}, the rest is counted only`],
  ['a poll waits', `${LIMITS.longPollS} s`],
  ['an order lives', `${LIMITS.commandTtlS / 86_400} days, or as its \`expires_at\` says`],
  ['an enrolment code lives', `${LIMITS.enrolmentTokenTtlS / 3600} hours`],
];

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
      Object.entries(REFUSALS).map(([code, text]) => [
        `\`${code}\``,
        ERRORS[/** @type {keyof typeof ERRORS} */ (code)].status,
        text,
      ]),
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
