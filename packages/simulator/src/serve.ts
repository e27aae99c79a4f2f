import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { GuardTenant } from './clouds/guard/guard-cloud.ts';
import type { GuardFleet } from './clouds/guard/guard-fleet.ts';
import { openKeptGuard } from './clouds/guard/kept-guard.ts';
import type { SwitchPorts } from './clouds/guard/switches.ts';
import { type KeptMail, MailServer } from './clouds/mail-server.ts';
import { SmsGateway } from './clouds/sms-gateway.ts';
import type { SmsMessage } from './clouds/sms-gateway.ts';
import { sendJson, serveRoutes } from './http/http-server.ts';
import type { Route } from './http/http-server.ts';
import type { Journal } from './journal.ts';
import { setUpDemoPhones } from './lab/demo-phones.ts';
import { Fleet } from './lab/fleet.ts';
import { createLab } from './lab/lab.ts';
import { NO_FOLDER, phoneFolder } from './phones/android/phone-file.ts';
import { World } from './world.ts';

export interface ServeOptions {
  port: number;
  serverUrl: string;
  /** Where phones and messages survive a restart; undefined: nowhere. */
  stateDir?: string;
  smsSecret: string;
  /** Where mail is taken by SMTP; undefined: nowhere. */
  smtpPort?: number | undefined;
  /** Shops that have the vendor's lock service; none: the service is not there. */
  guardTenants?: GuardTenant[];
  /** Demo phones to set up, at most. */
  phones: number;
  journal: Journal;
}

export interface RunningLab {
  port: number;
  close: () => Promise<void>;
}

/** Phones out of their boxes on a new wall, so that there is always one to scan a QR with. */
const SPARE_PHONES = 2;
const SAVE_MS = 500;
/** How often a phone of the vendor's lock service asks it. */
const GUARD_SYNC_MS = 3000;

/** Runs the SMS gateway, the guard cloud, the phones and the lab page. The phones come to life when the server's clock answers. */
export async function serve(options: ServeOptions): Promise<RunningLab> {
  const { serverUrl, stateDir, journal } = options;
  const world = new World(serverUrl);
  const { gateway, mail, flush } = postOffices(options, world, () => lab?.changed());
  const guard = guardBeside(options, world, () => lab?.changed());
  const clouds = [...gateway.routes(), ...mail.routes(), ...guard.routes];
  const stopping = new AbortController();
  const folder = stateDir ? phoneFolder(path.join(stateDir, 'phones')) : NO_FOLDER;
  // The wall's phones are loaded once the world's time is known: else all the time until then would count twice.
  let fleet: Fleet | undefined;
  let lab: ReturnType<typeof createLab> | undefined;

  const running = await serveRoutes([...clouds, ...waitingRoutes()], options.port);
  if (options.smtpPort !== undefined) await mail.listen(options.smtpPort);

  void world.ready.then(async () => {
    if (stopping.signal.aborted) return;
    fleet = new Fleet({ world, folder, serverUrl, journal });
    lab = createLab({ fleet, gateway, mail, world, serverUrl, ...guard.start(running.port) });
    running.replace([...clouds, ...lab.routes]);
    await setUpDemoPhones({ serverUrl, fleet, limit: options.phones, signal: stopping.signal, journal });
    const fresh = fleet.list().filter((one) => !one.live.state().agent && !one.wasManaged);
    for (let missing = SPARE_PHONES - fresh.length; missing > 0 && !stopping.signal.aborted; missing -= 1)
      fleet.add({});
  });

  return {
    port: running.port,
    close: async () => {
      stopping.abort();
      world.stop();
      lab?.stop();
      fleet?.stop();
      await guard.stop();
      gateway.stop();
      await mail.stop();
      flush();
      await running.close();
    },
  };
}

/** Who takes text messages and mails; both are kept where the phones are. */
function postOffices({ smsSecret, stateDir }: ServeOptions, world: World, changed: () => void) {
  const sms = keptFile<SmsMessage>(stateDir, 'sms.json');
  const mails = keptFile<KeptMail>(stateDir, 'mail.json');
  const nowMs = () => world.nowMs();
  const told =
    <Message>({ save }: { save: (messages: readonly Message[]) => void }) =>
    (messages: readonly Message[]) => {
      save(messages);
      changed();
    };
  return {
    gateway: new SmsGateway({ secret: smsSecret, nowMs, kept: sms.load(), onChange: told(sms) }),
    mail: new MailServer({ nowMs, kept: mails.load(), onChange: told(mails) }),
    flush: () => {
      sms.flush();
      mails.flush();
    },
  };
}

/** The guard cloud on the same port, when a shop has it. Its phones ask once the world's time is known. */
function guardBeside({ guardTenants: tenants = [], stateDir }: ServeOptions, world: World, changed: () => void) {
  if (tenants.length === 0) return { routes: [], start: () => ({}), stop: async () => {} };
  const { cloud, openFleet } = openKeptGuard({ tenants, stateDir, nowMs: () => world.nowMs(), changed });
  let fleet: GuardFleet | undefined;
  return {
    routes: cloud.routes(),
    start: (port: number): { guard?: SwitchPorts } => {
      fleet = openFleet(`http://127.0.0.1:${port}`);
      fleet.start(GUARD_SYNC_MS);
      return { guard: { cloud, fleet } };
    },
    stop: async () => {
      fleet?.stop();
      await cloud.stop();
    },
  };
}

/** Before the world's time is known. */
const waitingRoutes = (): Route[] =>
  (['GET', 'POST', 'DELETE'] as const).flatMap((method) =>
    ['/lab', '/lab/*'].map((where) => ({
      method,
      path: where,
      handle: ({ response }) => {
        response.setHeader('retry-after', '1');
        if (where === '/lab') {
          response.setHeader('refresh', '1').writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
          response.end('The phones wait for the server…');
        } else sendJson(response, 503, { error: 'The phones wait for the server.' });
        return undefined;
      },
    })),
  );

/** Messages in a file, written at most twice a second. */
function keptFile<Message>(stateDir: string | undefined, name: string) {
  const file = stateDir && path.join(stateDir, name);
  let waiting: readonly Message[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!file || !waiting) return;
    writeFileSync(`${file}.tmp`, JSON.stringify(waiting), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
    waiting = undefined;
  };
  if (stateDir) mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  return {
    load: (): Message[] => (file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Message[]) : []),
    save: (messages: readonly Message[]) => {
      waiting = messages;
      timer ??= setTimeout(flush, SAVE_MS);
    },
    flush,
  };
}
