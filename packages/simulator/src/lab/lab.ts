import { readFileSync } from 'node:fs';
import path from 'node:path';
import { imeiSchema } from '@kist/contract/agent';
import { LANGUAGES } from '@kist/contract/codes';
import { TOKENS, tokenVars } from '@kist/contract/tokens';
import { z } from 'zod';
import { guardPhoneView, switchRoutes } from '#simulator/clouds/guard/switches.ts';
import type { SwitchPorts } from '#simulator/clouds/guard/switches.ts';
import type { MailServer } from '#simulator/clouds/mail-server.ts';
import type { SmsGateway } from '#simulator/clouds/sms-gateway.ts';
import { HttpError, readBody } from '#simulator/http/http-server.ts';
import type { Asked, Route } from '#simulator/http/http-server.ts';
import { readPng } from '#simulator/qr/png.ts';
import { readQrPicture } from '#simulator/qr/read-picture.ts';
import type { Picture } from '#simulator/qr/read-picture.ts';
import type { World } from '#simulator/world.ts';
import { ACTIONS, isActionName } from './actions.ts';
import type { Fleet, LabPhone } from './fleet.ts';
import { livePages } from './live-regions.ts';
import type { LivePages, Looking, Regions } from './live-regions.ts';
import { phoneView } from './phone-view.ts';
import { guardPanel } from './render/guard.ts';
import { html } from './render/html.ts';
import { messagesPanel } from './render/messages.ts';
import { newPhoneTile, page, worldBar } from './render/page.ts';
import { phonePanel } from './render/panel.ts';
import { REMINDER_NAMES, SCREEN_NAMES, screenPage } from './render/screens-page.ts';
import { tile } from './render/tile.ts';
import { moveWorld, worldMoveSchema } from './world-clock.ts';

/**
 * The phone lab: a page with live phones, and the control API that the page and the browser tests press the same switches with.
 *
 *   GET    /lab                          the page (?phone=ID opens one, ?view=messages the text messages, ?view=guard the vendor’s lock service)
 *   GET    /lab/screens                 {names, reminders}; /lab/screen?name=&language=&text=100|200: one screen alone, for eyes and browser tests
 *   GET    /lab/events                   server-sent events: regions of the page that changed
 *   GET    /lab/api/phones               {phones: [view]}, each as phone-view.ts says
 *   POST   /lab/api/phones               {name?, brand?, model?, serial?, imei?, agent?, qr?} → view; with `qr` it is set up at once
 *   GET    /lab/api/phones/:id           view
 *   DELETE /lab/api/phones/:id           takes the phone off the wall
 *   POST   /lab/api/phones/:id/:action   {phone: view, result?}; actions and bodies: actions.ts
 *          scan {qr, imei?, agent?} · network {on} · power {on} · reboot {} · battery {pct} · sim {slot, card: new|none} · clock {by_ms}|{to} · elapse {ms}
 *          open_link {link, language?} · consent {agreed} · permissions {granted} · erase {} · contact {} · seen {message_id} · close_banner {} · dispute {text} · claim_paid {}
 *          lie {lie: wrong_revision|stale_acks|replay|forged_signature} · touch {sheet}
 *   POST   /lab/api/qr                   image/png → {text}: the camera (a screenshot of the shop's QR will do)
 *   POST   /lab/api/clock                {move: hour|half_past_ten|day} | {to}: the server's demo clock
 *   GET    /lab/api/sms                  ?mobile= text messages, newest first
 *   GET    /lab/api/mail                 mails, newest first
 *   POST   /lab/api/sms                  {is_down?, is_slow?, never_delivers?, duplicates?}
 *   …      /lab/api/guard…               switches of the guard cloud and its phones, where shops have it: clouds/guard/switches.ts
 *
 * Bodies are JSON with content-type application/json; refusals are {error} in words: 400 malformed, 404 no such phone, 409 not possible now.
 */
export interface LabOptions {
  fleet: Fleet;
  gateway: SmsGateway;
  mail: MailServer;
  world: World;
  serverUrl: string;
  /** The vendor’s lock service; absent when no shop has it. */
  guard?: SwitchPorts;
}

const newPhoneSchema = z.strictObject({
  name: z.string().trim().min(1).max(40).optional(),
  brand: z.string().max(40).optional(),
  model: z.string().max(60).optional(),
  serial: z.string().max(40).optional(),
  imei: imeiSchema.optional(),
  agent: z.enum(['DPC', 'LINKFL']).optional(),
  qr: z.string().min(2).max(8000).optional(),
});
const touchSchema = z.strictObject({
  sheet: z.enum(['upi', 'pay', 'dispute', 'emergency', 'paused', 'camera_off', 'later']).nullable(),
});
const faultsSchema = z.strictObject({
  is_down: z.boolean().optional(),
  is_slow: z.boolean().optional(),
  never_delivers: z.boolean().optional(),
  duplicates: z.boolean().optional(),
});

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
const FILES: Record<string, string> = {
  'app.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export interface Lab {
  routes: Route[];
  /** Text messages or the world changed. */
  changed: () => void;
  stop: () => void;
}

export function createLab(options: LabOptions): Lab {
  const markup = new LabMarkup(options);
  const pages = livePages((looking) => markup.regions(looking));
  const unsubscribe = options.fleet.onChange(pages.changed);
  return {
    routes: [
      ...pageRoutes(options.fleet, markup, pages),
      ...phoneRoutes(options.fleet, pages.changed),
      ...worldRoutes(options),
      ...smsRoutes(options.gateway),
      { method: 'GET', path: '/lab/api/mail', handle: () => options.mail.outbox() },
      ...(options.guard ? switchRoutes(options.guard, pages.changed) : []),
    ],
    changed: pages.changed,
    stop: () => {
      unsubscribe();
      pages.stop();
    },
  };
}

/** What stands on the page. */
class LabMarkup {
  readonly #options: LabOptions;
  constructor(options: LabOptions) {
    this.#options = options;
  }
  world() {
    const { world, gateway, guard } = this.#options;
    return worldBar(world.nowMs(), world.isConnected(), gateway.outbox().length, guard?.fleet.list().length);
  }
  panel(looking: Looking) {
    const { fleet, gateway, mail, world, guard } = this.#options;
    const one = looking.phoneId === null ? undefined : fleet.get(looking.phoneId);
    if (one) return phonePanel(phoneView(one), world.nowMs());
    if (guard && looking.view === 'guard')
      return guardPanel(guard.fleet.list().map(guardPhoneView), guard.cloud.devices(), guard.cloud.faults());
    return messagesPanel(gateway.outbox(), gateway.faults(), mail.outbox());
  }
  /** The parts that change, for pages that are open. */
  regions(looking: Looking): Regions {
    const regions: Regions = new Map([
      ['world', this.world().text],
      ['panel', this.panel(looking).text],
    ]);
    for (const one of this.#options.fleet.list())
      regions.set(`tile-${one.id}`, tile(phoneView(one), one.id === looking.phoneId).text);
    return regions;
  }
}

function pageRoutes(fleet: Fleet, markup: LabMarkup, pages: LivePages): Route[] {
  return [
    { method: 'GET', path: '/lab', handle: (asked) => showPage(asked, fleet, markup) },
    {
      method: 'GET',
      path: '/lab/',
      handle: ({ response }) => void response.writeHead(308, { location: '/lab' }).end(),
    },
    { method: 'GET', path: '/lab/screens', handle: () => ({ names: SCREEN_NAMES, reminders: REMINDER_NAMES }) },
    { method: 'GET', path: '/lab/screen', handle: showScreen },
    { method: 'GET', path: '/lab/events', handle: ({ response, url }) => pages.open(response, lookingAt(url)) },
    ...Object.entries(FILES).map(([name, type]): Route => ({
      method: 'GET',
      path: `/lab/${name}`,
      handle: ({ response }) => {
        const file = readFileSync(path.join(import.meta.dirname, 'page', name), 'utf8')
          .replace('/*light*/', `${tokenVars('light')} --house: ${TOKENS.light.accent};`)
          .replace('/*dark*/', tokenVars('dark'));
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(file);
      },
    })),
  ];
}

function phoneRoutes(fleet: Fleet, changed: () => void): Route[] {
  const phoneOf = ({ params }: Asked): LabPhone => {
    const one = fleet.get(params['id'] ?? '');
    if (!one) throw new HttpError(404, 'No such phone.');
    return one;
  };
  return [
    { method: 'GET', path: '/lab/api/phones', handle: () => ({ phones: fleet.list().map(phoneView) }) },
    { method: 'POST', path: '/lab/api/phones', handle: (asked) => addPhone(asked, fleet) },
    { method: 'GET', path: '/lab/api/phones/:id', handle: (asked) => phoneView(phoneOf(asked)) },
    {
      method: 'DELETE',
      path: '/lab/api/phones/:id',
      handle: (asked) => {
        fleet.remove(phoneOf(asked).id);
        return {};
      },
    },
    {
      method: 'POST',
      path: '/lab/api/phones/:id/touch',
      handle: (asked) => {
        const one = phoneOf(asked);
        fleet.touch(one.id, readBody(asked, touchSchema).sheet);
        return { phone: phoneView(one) };
      },
    },
    { method: 'POST', path: '/lab/api/phones/:id/:action', handle: (asked) => act(asked, phoneOf(asked), changed) },
  ];
}

const worldRoutes = ({ world, serverUrl }: LabOptions): Route[] => [
  {
    method: 'POST',
    path: '/lab/api/clock',
    handle: async (asked) => {
      await moveWorld(serverUrl, world, readBody(asked, worldMoveSchema));
      return { now: new Date(world.nowMs()).toISOString() };
    },
  },
  { method: 'POST', path: '/lab/api/qr', handle: readPicture },
];

const smsRoutes = (gateway: SmsGateway): Route[] => [
  {
    method: 'GET',
    path: '/lab/api/sms',
    handle: ({ url }) => gateway.shown(url.searchParams.get('mobile') ?? undefined),
  },
  {
    method: 'POST',
    path: '/lab/api/sms',
    handle: (asked) => {
      gateway.setFaults(readBody(asked, faultsSchema));
      return gateway.faults();
    },
  },
];

const VIEWS = ['messages', 'guard'] as const;
const lookingAt = (url: URL): Looking => ({
  phoneId: url.searchParams.get('phone'),
  view: VIEWS.find((name) => name === url.searchParams.get('view')) ?? null,
});

function showPage({ url, response }: Asked, fleet: Fleet, markup: LabMarkup): void {
  const looking = lookingAt(url);
  const isOpen = looking.phoneId !== null && fleet.get(looking.phoneId) !== undefined;
  const wall = html`${fleet.list().map((one) => tile(phoneView(one), one.id === looking.phoneId))}${newPhoneTile()}`;
  const mode = isOpen ? 'phone' : looking.view ? 'messages' : 'wall';
  const shown = page({ world: markup.world(), wall, panel: markup.panel(looking), mode }).text;
  response.writeHead(200, PAGE_HEADERS).end(shown);
}

const screenAskedSchema = z.object({
  name: z.enum([...SCREEN_NAMES, ...REMINDER_NAMES]),
  language: z.enum(LANGUAGES),
  text: z.enum(['100', '200']).default('100'),
});
function showScreen({ url, response }: Asked): void {
  const asked = screenAskedSchema.safeParse(Object.fromEntries(url.searchParams));
  if (!asked.success) throw new HttpError(400, 'Name a screen of /lab/screens, a language and a size of text.');
  const { name, language, text } = asked.data;
  response.writeHead(200, PAGE_HEADERS).end(screenPage(name, language, Number(text)).text);
}

/** The camera: a picture goes in, the text of its QR comes out. */
async function readPicture({ headers, body }: Asked): Promise<{ text: string }> {
  if (headers['content-type'] !== 'image/png') throw new HttpError(415, 'Send image/png.');
  let picture: Picture;
  try {
    picture = readPng(body);
  } catch (error) {
    throw new HttpError(400, error instanceof Error ? error.message : 'This is no picture.');
  }
  const text = await readQrPicture(picture);
  if (text === undefined) throw new HttpError(422, 'No QR code is seen in this picture.');
  return { text };
}

async function addPhone(asked: Asked, fleet: Fleet) {
  const { qr, ...wanted } = readBody(asked, newPhoneSchema);
  const one = fleet.add(wanted);
  if (qr !== undefined) {
    try {
      await ACTIONS.scan.run(one, { qr });
    } catch (error) {
      fleet.remove(one.id);
      throw error;
    }
  }
  return phoneView(one);
}

async function act(asked: Asked, one: LabPhone, changed: () => void) {
  const name = asked.params['action'] ?? '';
  if (!isActionName(name)) throw new HttpError(404, 'No such switch.');
  const chosen = ACTIONS[name];
  // Each action is called with what its own schema made.
  const body = readBody(asked, chosen.body) as never;
  const result: unknown = await chosen.run(one, body);
  changed();
  return result === undefined ? { phone: phoneView(one) } : { phone: phoneView(one), result };
}
