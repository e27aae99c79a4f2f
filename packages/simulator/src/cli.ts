import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { imeiSchema } from '@kist/contract/agent';
import { z } from 'zod';
import { serveGateway } from './gateway.ts';
import { guardAccounts } from './guard-accounts.ts';
import { readGuardConfig, serveGuard } from './guard.ts';
import { createJournal, errorFacts } from './journal.ts';
import { writeLoadPhones } from './load.ts';
import { runTerminalPhone } from './phones/android/terminal-phone.ts';
import { serve } from './serve.ts';

const USAGE = `Simulated phones.

  serve --port N --server URL [--state DIR] [--phones N] [--smtp-port N]
      SMS gateway, mail server, phone lab and its live phones. Secret of the gateway: KIST_SMS_SECRET. State: --state, else KIST_DATA_DIR/lab, else none.
      KIST_GUARD_FILE: the server's accounts at a lock service; those whose url is this simulator have the guard cloud here.

  gateway --port N --secret-file FILE [--smtp-port N]
      The SMS gateway alone: for trying a production server out. The secret is made when there is none. Messages: GET /sms/outbox.
      With --smtp-port a mail server beside it (smtp://127.0.0.1:N). Mails: GET /mail/outbox.

  guard --port N --config FILE [--state DIR]
      The guard cloud alone, a vendor's lock service, with its phones. FILE: JSON as guard.ts says, at least
      {tenants: [{id, client_id, client_secret, webhook_url, webhook_secret}]}. Its wire: clouds/guard/protocol.md; switches: GET /lab/api/guard.

  phone enrol --server URL --qr FILE_OR_TEXT [--imei N] [--serial TEXT] [--agent DPC|LINKFL] [--state DIR] [--seconds N]
      One phone in this terminal: scans the QR, stays in contact, prints one JSON line for each change of its state. Ctrl-C ends it.

  load --out FILE --org N --phones N --each N [--created ISO]
      Phones for the bench with their next check-ins signed beforehand, JSON lines: {public_key_spki}, then for each phone
      {keyid, enrolment_id, device_id, imei, requests: [{method, path, headers, body}]}. All share one key.
`;

const DEFAULT_PHONES = 12;
const portSchema = z.coerce.number().int().min(0).max(65_535);
const journal = createJournal((text) => void process.stdout.write(text));
const line = (entry: Record<string, unknown>): void => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
};

/** Every signal ends the program in order; a second one at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve());
    }
  });
}

async function runServe(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      server: { type: 'string' },
      state: { type: 'string' },
      phones: { type: 'string' },
      'smtp-port': { type: 'string' },
    },
  });
  const options = z
    .object({
      port: portSchema,
      server: z.url(),
      state: z.string().optional(),
      phones: z.coerce.number().int().min(0).max(200).default(DEFAULT_PHONES),
      smtpPort: portSchema.optional(),
    })
    .parse({ ...values, smtpPort: values['smtp-port'] });
  const dataDir = process.env['KIST_DATA_DIR'];
  const stateDir = options.state ?? (dataDir ? path.join(dataDir, 'lab') : undefined);
  const serverUrl = options.server.replace(/\/+$/, '');
  const running = await serve({
    port: options.port,
    serverUrl,
    smsSecret: process.env['KIST_SMS_SECRET'] || randomBytes(32).toString('hex'),
    phones: options.phones,
    smtpPort: options.smtpPort,
    guardTenants: guardAccounts(process.env['KIST_GUARD_FILE'], { port: options.port, serverUrl }),
    journal,
    ...(stateDir ? { stateDir } : {}),
  });
  journal({ what: 'serving', port: running.port });
  await untilSignal();
  await running.close();
}

async function runGateway(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { port: { type: 'string' }, 'secret-file': { type: 'string' }, 'smtp-port': { type: 'string' } },
  });
  const options = z
    .object({ port: portSchema, secretFile: z.string().min(1), smtpPort: portSchema.optional() })
    .parse({ port: values.port, secretFile: values['secret-file'], smtpPort: values['smtp-port'] });
  const running = await serveGateway(options);
  line({
    what: 'serving',
    url: `http://127.0.0.1:${running.port}/sms/v1/messages`,
    messages: `http://127.0.0.1:${running.port}/sms/outbox`,
    ...(running.smtpPort !== undefined && {
      smtp: `smtp://127.0.0.1:${running.smtpPort}`,
      mails: `http://127.0.0.1:${running.port}/mail/outbox`,
    }),
  });
  await untilSignal();
  await running.close();
}

async function runGuard(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { port: { type: 'string' }, config: { type: 'string' }, state: { type: 'string' } },
  });
  const { port, config, state } = z
    .object({
      port: portSchema,
      config: z.string().min(1),
      state: z.string().optional(),
    })
    .parse(values);
  const running = await serveGuard({ port, config: readGuardConfig(config), ...(state ? { stateDir: state } : {}) });
  const url = `http://127.0.0.1:${running.port}`;
  line({ what: 'serving', url: `${url}/guard/v1`, switches: `${url}/lab/api/guard` });
  await untilSignal();
  await running.close();
}

async function runPhone([verb, ...args]: string[]): Promise<void> {
  if (verb !== 'enrol') throw new Error(USAGE);
  const { values } = parseArgs({
    args,
    options: {
      server: { type: 'string' },
      qr: { type: 'string' },
      imei: { type: 'string' },
      serial: { type: 'string' },
      agent: { type: 'string' },
      state: { type: 'string' },
      seconds: { type: 'string' },
    },
  });
  const options = z
    .object({
      server: z.url().optional(),
      qr: z.string().min(1),
      imei: imeiSchema.optional(),
      serial: z.string().max(40).optional(),
      agent: z.enum(['DPC', 'LINKFL']).default('DPC'),
      state: z.string().optional(),
      seconds: z.coerce.number().positive().optional(),
    })
    .parse(values);
  const { qr, server, seconds, ...hardware } = options;
  const ended = seconds ? new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1000)) : untilSignal();
  await runTerminalPhone({
    qr: existsSync(qr) ? readFileSync(qr, 'utf8') : qr,
    ...(server ? { serverUrl: server.replace(/\/+$/, '') } : {}),
    ...hardware,
    print: line,
    ended,
  });
}

function runLoad(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      org: { type: 'string' },
      phones: { type: 'string' },
      each: { type: 'string' },
      created: { type: 'string' },
    },
  });
  const options = z
    .object({
      out: z.string().min(1),
      org: z.coerce.number().int().positive(),
      phones: z.coerce.number().int().min(1).max(1_000_000),
      each: z.coerce.number().int().min(1).max(1000).default(1),
      created: z.iso.datetime({ offset: true }).optional(),
    })
    .parse(values);
  const { created, ...rest } = options;
  writeLoadPhones({ ...rest, nowMs: created ? Date.parse(created) : Date.now() });
}

async function main([command, ...args]: string[]): Promise<void> {
  if (command === 'serve') return runServe(args);
  if (command === 'gateway') return runGateway(args);
  if (command === 'guard') return runGuard(args);
  if (command === 'phone') return runPhone(args);
  if (command === 'load') return runLoad(args);
  throw new Error(USAGE);
}

/** What goes to a log file says where it failed, never what it choked on; what a person reads in a terminal says it in words. */
const isServing = process.argv[2] === 'serve';
function endLogged(error: unknown): never {
  journal({ what: 'ended', ...errorFacts(error) });
  process.exit(1);
}
if (isServing) process.on('uncaughtException', endLogged);

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  if (isServing && !(error instanceof z.ZodError)) endLogged(error);
  const words =
    error instanceof z.ZodError
      ? `${z.prettifyError(error)}\n\n${USAGE}`
      : error instanceof Error
        ? error.message
        : 'It did not work.';
  process.stderr.write(`${words}\n`);
  process.exit(1);
}
