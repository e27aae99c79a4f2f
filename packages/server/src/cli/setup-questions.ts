import { createInterface } from 'node:readline/promises';
import { LOCK_PRESETS } from '@kist/contract/lock-policy';

/** One answer: its place in the file of answers, its flag, and how a person is asked. */
interface Question {
  path: string;
  flag: string;
  asks: string;
  fallback?: string;
  isNumber?: boolean;
  /** Left out when nothing is answered. */
  isOptional?: boolean;
}

const QUESTIONS: readonly Question[] = [
  { path: 'organisation.org_id', flag: 'org-id', asks: 'Number of the organisation', fallback: '20', isNumber: true },
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
  { path: 'organisation.theme.accent', flag: 'accent', asks: 'Colour of the brand', fallback: '#3538a6' },
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
    fallback: 'EMI Secure (Android)',
  },
  { path: 'lock_policy', flag: 'lock-policy', asks: `Lock policy (${LOCK_PRESETS.join(' or ')})`, fallback: 'dealer' },
  {
    path: 'server.public_url',
    flag: 'public-url',
    asks: 'Address that phones and browsers reach this server by (https://…)',
    isOptional: true,
  },
  { path: 'server.port', flag: 'port', asks: 'Port to listen on', fallback: '3000', isNumber: true },
  { path: 'server.sms_url', flag: 'sms-url', asks: 'Address of the SMS gateway', isOptional: true },
  {
    path: 'server.sms_secret_file',
    flag: 'sms-secret-file',
    asks: 'File that holds the SMS gateway’s secret',
    isOptional: true,
  },
  {
    path: 'server.agent_package_url',
    flag: 'agent-url',
    asks: 'Address of the Android agent (https://…/agent.apk)',
    isOptional: true,
  },
  {
    path: 'server.agent_signature_checksum',
    flag: 'agent-checksum',
    asks: 'URL-safe base64 SHA-256 of the certificate that signs it',
    isOptional: true,
  },
];

/** For `parseArgs`. */
export const questionFlags: Record<string, { type: 'string' }> = Object.fromEntries(
  QUESTIONS.map(({ flag }) => [flag, { type: 'string' }]),
);

/** Each flag with what it means, for the help. */
export const flagHelp = (): string[] =>
  QUESTIONS.map(({ flag, asks, fallback }) => `  --${flag.padEnd(20)} ${asks}${fallback ? ` [${fallback}]` : ''}`);

/** How a question is put to a person. */
export type Ask = (question: string) => Promise<string>;

/** A person at a terminal. */
export async function withPerson<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await work((question) => lines.question(question));
  } finally {
    lines.close();
  }
}

/**
 * The answers of flags and, for what they leave out, of a person; not yet checked.
 * @param ask undefined when nobody can be asked: then fallbacks count
 */
export async function collectAnswers(flags: Readonly<Record<string, unknown>>, ask: Ask | undefined): Promise<unknown> {
  const answers: Record<string, unknown> = {};
  for (const question of QUESTIONS) {
    const given = flags[question.flag];
    const isOfNobody = question.path.startsWith('admin.') && question.path !== 'admin.mobile' && !answers['admin'];
    const text = typeof given === 'string' ? given : isOfNobody ? '' : await answerOf(question, ask);
    if (text !== '') put(answers, question.path.split('.'), question.isNumber ? Number(text) : text);
  }
  put(answers, ['retailers', '0', 'keys', '0', 'id'], 'start');
  put(answers, ['retailers', '0', 'keys', '0', 'plan_type'], 'DPC');
  put(answers, ['plans', '0', 'plan_id'], 1);
  put(answers, ['plans', '0', 'plan_type'], 'DPC');
  return answers;
}

async function answerOf({ asks, fallback = '', isOptional }: Question, ask: Ask | undefined): Promise<string> {
  if (!ask) return fallback;
  for (;;) {
    const typed = (await ask(`${asks}${fallback ? ` [${fallback}]` : isOptional ? ' (optional)' : ''}: `)).trim();
    if (typed !== '' || fallback !== '' || isOptional) return typed || fallback;
  }
}

/** Numbers in a path are places in a list. */
function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else put((target[name] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {}) as Record<string, unknown>, rest, value);
}
