import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { DAY_MS } from '@kist/contract/dates';
import type { Settings } from '#server/config.ts';
import { isEncrypted } from '#server/config-production.ts';
import { checked, fail, type Finding, ok, reasonOf, warn } from './findings.ts';

const withinMs = 4000;
/** Certificates of most makers are renewed 30 days before their end: one with less than 14 left was not. */
const leastCertificateDays = 14;

/** What lies beyond this machine: the gateway, the way in, and where phones fetch the agent. */
export async function networkFindings(settings: Settings): Promise<Finding[]> {
  return Promise.all([
    gateway(settings),
    mailServer(settings),
    publicAddress(settings),
    serving(settings),
    agentPackage(settings),
  ]);
}

const gateway = ({ sms, mode }: Settings): Promise<Finding> =>
  checked('SMS gateway', 'Check KIST_SMS_URL, the network and the gateway.', async () => {
    if (!sms)
      return warn('SMS gateway', 'none is set.', mode === 'demo' ? '"npm start" brings its own.' : 'Set KIST_SMS_URL.');
    const url = new URL(sms.url);
    await reach(url);
    if (!isEncrypted(sms.url))
      return warn(
        'SMS gateway',
        `${url.host} takes connections, without encryption: codes cross the network readable.`,
        'Use its https address.',
      );
    return ok('SMS gateway', `${url.host} takes connections (no message was sent).`);
  });

const MAIL_PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

const mailServer = ({ smtp, mode }: Settings): Promise<Finding> =>
  checked('mail server', 'Check KIST_SMTP_URL, the network and the mail server.', async () => {
    if (!smtp)
      return mode === 'demo'
        ? ok('mail server', 'none is set; "npm start" brings its own.')
        : warn(
            'mail server',
            'none is set: the daily root of the audit is not e-mailed.',
            'Set KIST_SMTP_URL and KIST_MAIL_FROM.',
          );
    const { protocol, hostname, port } = new URL(smtp.url);
    const at = Number(port) || MAIL_PORTS[protocol]!;
    await greeted(hostname, at, protocol === 'smtps:');
    return ok('mail server', `${hostname}:${at} greets (no mail was sent).`);
  });

const publicAddress = ({ publicUrl, mode }: Settings): Promise<Finding> =>
  checked('public address', 'Check KIST_PUBLIC_URL.', async () => {
    const url = new URL(publicUrl);
    if (url.protocol === 'http:')
      return mode === 'demo'
        ? ok('public address', `${url.host}, for this machine only.`)
        : warn(
            'public address',
            'is a loopback address: phones cannot reach it.',
            'For real phones set KIST_PUBLIC_URL to the https address of the reverse proxy.',
          );
    try {
      return certificateFinding(url.host, await peerCertificate(url));
    } catch (error) {
      return warn(
        'public address',
        `${url.host} cannot be reached from here: ${reasonOf(error)}.`,
        'Look from outside; behind some routers this machine cannot see its own address.',
      );
    }
  });

/** @param validTo as the peer's certificate says */
export function certificateFinding(
  host: string,
  { validTo, isTrusted, problem }: PeerCertificate,
  nowMs = Date.now(),
): Finding {
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
  if (days < 0)
    return fail(
      'public address',
      `the certificate of ${host} ended ${-days} days ago.`,
      'Renew it: phones refuse to connect.',
    );
  if (!isTrusted)
    return fail(
      'public address',
      `the certificate of ${host} is not trusted (${problem}).`,
      'Use one that phones trust, with its whole chain.',
    );
  if (days < leastCertificateDays)
    return warn('public address', `the certificate of ${host} ends in ${days} days.`, 'See why it was not renewed.');
  return ok('public address', `${host} answers with a certificate that is good for ${days} days.`);
}

const serving = ({ publicUrl, host, port }: Settings): Promise<Finding> =>
  checked('server', 'Start it with "npm start".', async () => {
    const own = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;
    const reply = await fetch(`${own}/readyz`, { signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
    if (!reply)
      return warn(
        'server',
        `nothing answers on port ${port} of this machine.`,
        `Start it with "npm start"; browsers then open ${publicUrl}.`,
      );
    if (reply.ok) return ok('server', `runs and is ready on port ${port}.`);
    const { checks = {} } = (await reply.json()) as { checks?: Record<string, string> };
    const missing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
    return warn(
      'server',
      `runs and is not ready${missing.length > 0 ? `: ${missing.join(', ')}` : ''}.`,
      'See the log in the data folder.',
    );
  });

const agentPackage = ({ agentPackage: { url }, mode }: Settings): Promise<Finding> =>
  checked('agent package', 'Check KIST_AGENT_PACKAGE_URL.', async () => {
    if (mode === 'demo') return ok('agent package', 'simulated phones fetch none.');
    const reply = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(withinMs) }).catch((error: unknown) =>
      reasonOf(error),
    );
    const state = typeof reply === 'string' ? reply : reply.ok ? undefined : `it answers ${reply.status}`;
    if (state === undefined) return ok('agent package', `${new URL(url).host} has it.`);
    return warn(
      'agent package',
      `${new URL(url).host} does not hand it out: ${state}.`,
      'A factory-fresh phone fetches the agent there: check KIST_AGENT_PACKAGE_URL.',
    );
  });

async function reach(url: URL): Promise<void> {
  const socket = connectTcp({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  });
  await opened(socket, 'connect').finally(() => socket.destroy());
}

/** A mail server speaks first: what says nothing is none. Encrypted from the start, its certificate must be good. */
async function greeted(hostname: string, port: number, isEncryptedAtOnce: boolean): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = isEncryptedAtOnce ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
  try {
    await opened(socket, isEncryptedAtOnce ? 'secureConnect' : 'connect');
    const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(withinMs) })) as [Buffer];
    if (!first.toString('latin1').startsWith('220')) throw new Error('it does not greet as a mail server');
  } finally {
    socket.destroy();
  }
}

interface PeerCertificate {
  validTo: string;
  isTrusted: boolean;
  problem: string;
}

async function peerCertificate(url: URL): Promise<PeerCertificate> {
  const socket: TLSSocket = connectTls({
    host: url.hostname,
    port: Number(url.port) || 443,
    servername: url.hostname,
    // A bad certificate is to be described, not only refused; nothing is sent.
    rejectUnauthorized: false,
  });
  try {
    await opened(socket, 'secureConnect');
    const { valid_to: validTo } = socket.getPeerCertificate();
    return { validTo, isTrusted: socket.authorized, problem: String(socket.authorizationError ?? '') };
  } finally {
    socket.destroy();
  }
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.setTimeout(withinMs, () => reject(new Error(`no answer within ${withinMs / 1000} s`)));
  });
}
