import { createInterface } from 'node:readline/promises';
import { DEFAULT_ORG_ID } from '@kist/contract/codes';
import { LOCK_PRESETS } from '@kist/contract/lock-policy';
import { TOKENS } from '@kist/contract/tokens';
import { UsageError } from './command.ts';
import { PLAN_NAME, problemsOf } from './setup-answers.ts';
import { readSecretFile } from './secret-file.ts';

/** One answer: its place in the file of answers, its flag, and how a person is asked. */
interface Question {
  path: string;
  flag: string;
  asks: string;
  fallback?: string;
  /** The fallback is what a new one gets by itself: it is no answer, or it would be written over what was set. */
  isOfNew?: boolean;
  isNumber?: boolean;
  /** Left out when nothing is answered. */
  isOptional?: boolean;
  /** The same, but nothing starts without it. */
  isNeededLater?: boolean;
  /** Throws when what the answer names cannot be used. */
  read?: (answer: string) => unknown;
}

const QUESTIONS: readonly Question[] = [
  {
    path: 'organisation.org_id',
    flag: 'org-id',
    asks: 'Number of the organisation',
    fallback: String(DEFAULT_ORG_ID),
    isNumber: true,
  },
  { path: 'organisation.name', flag: 'name', asks: 'Name of the brand, as customers see it' },
  { path: 'organisation.slug', flag: 'slug', asks: 'Short name for addresses (small letters, hyphens)' },
  { path: 'organisation.company_name', flag: 'company', asks: 'Company on receipts and agreements', isOptional: true },
  {
    path: 'organisation.host',
    flag: 'host',
    asks: 'Host name of this brand, when several share the server',
    isOptional: true,
  },
  { path: 'organisation.support.phone', flag: 'support-phone', asks: 'Support phone', isOptional: true },
  { path: 'organisation.support.email', flag: 'support-email', asks: 'Support e-mail', isOptional: true },
  {
    path: 'organisation.audit_emails.0',
    flag: 'audit-email',
    asks: 'E-mail address to which the daily root of the audit goes',
    isOptional: true,
  },
  {
    path: 'organisation.theme.accent',
    flag: 'accent',
    asks: 'Colour of the brand',
    fallback: TOKENS.light.accent,
    isOfNew: true,
  },
  {
    path: 'admin.mobile',
    flag: 'admin-mobile',
    asks: 'Administrator: mobile number (empty: none yet)',
    isOptional: true,
  },
  { path: 'admin.first_name', flag: 'admin-first-name', asks: 'Administrator: first name', isOptional: true },
  { path: 'admin.last_name', flag: 'admin-last-name', asks: 'Administrator: last name', isOptional: true },
  { path: 'retailers.0.mobile', flag: 'retailer-mobile', asks: 'First retailer: mobile number' },
  { path: 'retailers.0.first_name', flag: 'retailer-first-name', asks: 'First retailer: first name' },
  { path: 'retailers.0.last_name', flag: 'retailer-last-name', asks: 'First retailer: last name', isOptional: true },
  { path: 'retailers.0.shop_name', flag: 'shop', asks: 'First retailer: name of the shop' },
  { path: 'retailers.0.upi_id', flag: 'upi', asks: 'First retailer: UPI id', isOptional: true },
  {
    path: 'retailers.0.keys.0.count',
    flag: 'keys',
    asks: 'Keys to start with (each sets up one Android phone)',
    fallback: '10',
    isNumber: true,
  },
  {
    path: 'plans.0.name',
    flag: 'plan',
    asks: 'Name of the plan for Android phones on EMI',
    fallback: PLAN_NAME,
    isOfNew: true,
  },
  {
    path: 'lock_policy',
    flag: 'lock-policy',
    asks: `Lock policy (${LOCK_PRESETS.join(' or ')})`,
    fallback: 'dealer',
    isOfNew: true,
  },
  {
    path: 'server.public_url',
    flag: 'public-url',
    asks: 'Address that phones and browsers reach this server by (https://…)',
    isNeededLater: true,
  },
  { path: 'server.port', flag: 'port', asks: 'Port to listen on', fallback: '3000', isOfNew: true, isNumber: true },
  { path: 'server.sms_url', flag: 'sms-url', asks: 'Address of the SMS gateway', isNeededLater: true },
  {
    path: 'server.sms_secret_file',
    flag: 'sms-secret-file',
    asks: 'File that holds the SMS gateway’s secret',
    read: readSecretFile,
    isNeededLater: true,
  },
  {
    path: 'server.smtp_url',
    flag: 'smtp-url',
    asks: 'Mail server (smtps://… or smtp://…:587) for the daily root of the audit',
    isOptional: true,
  },
  { path: 'server.smtp_user', flag: 'smtp-user', asks: 'Account at the mail server', isOptional: true },
  {
    path: 'server.smtp_password_file',
    flag: 'smtp-password-file',
    asks: 'File that holds its password',
    read: readSecretFile,
    isOptional: true,
  },
  { path: 'server.mail_from', flag: 'mail-from', asks: 'Address that mails are from', isOptional: true },
  {
    path: 'server.agent_package_url',
    flag: 'agent-url',
    asks: 'Address of the Android agent (https://…/agent.apk)',
    isNeededLater: true,
  },
  {
    path: 'server.agent_signature_checksum',
    flag: 'agent-checksum',
    asks: 'URL-safe base64 SHA-256 of the certificate that signs it',
    isNeededLater: true,
  },
];

/** For `parseArgs`. */
export const questionFlags: Record<string, { type: 'string' }> = Object.fromEntries(
  QUESTIONS.map(({ flag }) => [flag, { type: 'string' }]),
);

/** Each flag with what it means, for the help. */
export const flagHelp = (): string[] =>
  QUESTIONS.map((question) => `  --${question.flag.padEnd(20)} ${question.asks}${hintOf(question)}`);

/** A place in the answers, as whoever types them knows it. */
export function questionName(path: string): string {
  const question = QUESTIONS.find((one) => one.path === path);
  return question ? `${question.asks} (--${question.flag})` : path;
}

function hintOf({ fallback, isOfNew, isOptional, isNeededLater }: Question): string {
  if (fallback) return isOfNew ? ` [${fallback}, or what is set already]` : ` [${fallback}]`;
  if (isNeededLater) return ' (may wait; needed before the first start in production)';
  return isOptional ? ' (optional)' : '';
}

/** How a question is put to a person. */
export type Ask = (question: string) => Promise<string>;

/** A person at a terminal. @throws UsageError when they leave before the end */
export async function withPerson<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new UsageError('Ended before the last question. Nothing was changed.')));
  });
  left.catch(() => undefined);
  try {
    return await work((question) => Promise.race([lines.question(question), left]));
  } finally {
    lines.close();
  }
}

type Draft = Record<string, unknown>;

/**
 * The answers of flags and, for what they leave out, of a person. What a person answers is checked at once and asked again until it can be used; what nobody
 * can be asked about is checked by `parseAnswers`.
 * @param ask undefined when nobody can be asked: then fallbacks count
 */
export async function collectAnswers(flags: Readonly<Record<string, unknown>>, ask: Ask | undefined): Promise<unknown> {
  const answers: Draft = {};
  put(answers, ['retailers', '0', 'keys', '0', 'id'], 'start');
  put(answers, ['retailers', '0', 'keys', '0', 'plan_type'], 'DPC');
  put(answers, ['plans', '0', 'plan_id'], 1);
  put(answers, ['plans', '0', 'plan_type'], 'DPC');
  for (const question of QUESTIONS) {
    const { flag, path } = question;
    const given = flags[flag];
    const isOfNobody = path.startsWith('admin.') && path !== 'admin.mobile' && !answers['admin'];
    if (typeof given === 'string') take(answers, question, given);
    if (typeof given === 'string' ? !ask || !problemAt(answers, question) : isOfNobody) continue;
    if (ask) await askUntilRight(answers, question, ask);
    else take(answers, question, unsaid(question));
  }
  // What is right by itself may not be so beside the others: one number for two people.
  const wrong = () => QUESTIONS.find((question) => problemAt(answers, question));
  for (let next = wrong(); ask && next; next = wrong()) await askUntilRight(answers, next, ask);
  return answers;
}

/** Says what is wrong with an answer that is there already, also one that a flag gave. */
async function askUntilRight(answers: Draft, question: Question, ask: Ask): Promise<void> {
  let isAnswered = valueAt(answers, question.path) !== undefined;
  for (;;) {
    const problem = isAnswered ? problemAt(answers, question) : undefined;
    const before = problem ? `  ${questionName(question.path)}: ${problem}.\n` : '';
    const typed = (await ask(`${before}${question.asks}${hintOf(question)}: `)).trim();
    take(answers, question, typed || unsaid(question));
    if (!problemAt(answers, question)) return;
    isAnswered = typed !== '';
  }
}

function problemAt(answers: Draft, { path, read }: Question): string | undefined {
  const value = valueAt(answers, path);
  try {
    if (typeof value === 'string') read?.(value);
  } catch (error) {
    return (error as Error).message;
  }
  return problemsOf(answers).find((problem) => problem.path === path)?.says;
}

/** What stands for an answer that nobody gave. */
const unsaid = ({ fallback = '', isOfNew }: Question): string => (isOfNew ? '' : fallback);

/** Puts an answer in its place; an empty one takes away what stands there. */
function take(answers: Draft, { path, isNumber }: Question, text: string): void {
  put(answers, path.split('.'), text === '' ? undefined : isNumber && /^\d+$/.test(text) ? Number(text) : text);
  // Nobody is declared by naming nobody.
  if (valueAt(answers, 'admin.mobile') === undefined) delete answers['admin'];
  if (valueAt(answers, 'organisation.audit_emails.0') === undefined)
    put(answers, ['organisation', 'audit_emails'], undefined);
}

const valueAt = (answers: Draft, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Draft | undefined)?.[name], answers);

/** Numbers in a path are places in a list. */
function put(target: Draft, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else put((target[name] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {}) as Draft, rest, value);
}
