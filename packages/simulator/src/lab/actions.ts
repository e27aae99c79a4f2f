import { imeiSchema } from '@kist/contract/agent';
import { LANGUAGES } from '@kist/contract/codes';
import { DAY_MS } from '@kist/contract/dates';
import { z } from 'zod';
import { HttpError } from '#simulator/http/http-server.ts';
import { LIES } from '#simulator/phones/android/report.ts';
import { installLinkedAgent } from '#simulator/phones/android/linked-install.ts';
import { Refused } from '#simulator/phones/android/server-link.ts';
import type { LabPhone } from './fleet.ts';
import { newSim, nextOperatorIndex } from './fleet.ts';
import { nameByOwner } from './owner.ts';

/** A month at most: what a test or a person needs at once. */
const maxJumpMs = 400 * DAY_MS;

const none = z.strictObject({});

/** One switch of a phone: what it takes and what it does. Errors are sentences for whoever pressed it. */
interface Action<S extends z.ZodType> {
  body: S;
  run: (one: LabPhone, body: z.output<S>) => unknown;
}
const action = <S extends z.ZodType>(value: Action<S>): Action<S> => value;

/** Every switch by its name in `POST /lab/api/phones/:id/:action`. */
export const ACTIONS = {
  scan: action({
    body: z.strictObject({
      qr: z.string().trim().min(2, 'Paste the QR’s text, or take its picture.').max(8000),
      /** Another box: the IMEI that the shop typed, the way in which the plan reaches its phone. */
      imei: z
        .string()
        .trim()
        .refine((text) => imeiSchema.safeParse(text).success, 'An IMEI has 15 digits.')
        .optional(),
      agent: z.enum(['DPC', 'LINKFL']).optional(),
    }),
    run: async (one, { qr, imei, agent }) => {
      const { hardware } = one.live.state();
      one.live.happen({ kind: 'box', imei: imei ?? hardware.imei[0] ?? '', agent: agent ?? hardware.agent });
      await inWords(one.live.scan(qr));
      await nameByOwner(one);
    },
  }),
  open_link: action({
    body: z.strictObject({
      link: z.string().trim().min(10).max(600),
      /** The language that the phone speaks already. */
      language: z.enum(LANGUAGES).default('en'),
    }),
    /** The phone is in use and stays as it is: the link fetches the agent, and the agent asks first. */
    run: async (one, { link, language }) => {
      const { isOn, isNetworkOn, agent, hardware } = one.live.state();
      if (!isOn || !isNetworkOn) throw new HttpError(409, 'The phone is off or has no network.');
      if (agent) throw new HttpError(409, 'The phone is set up already.');
      if (hardware.agent !== 'LINKFL') throw new HttpError(409, 'A link sets up a phone in use: choose LINKFL.');
      await inWords(installLinkedAgent(link, one.serverUrl));
      Object.assign(one, { offer: { link, language }, sheet: 'consent' });
    },
  }),
  consent: action({
    body: z.strictObject({ agreed: z.boolean() }),
    run: async (one, { agreed }) => {
      if (!one.offer) throw new HttpError(409, 'Nothing was asked.');
      if (agreed) {
        await inWords(one.live.scan(one.offer.link));
        await nameByOwner(one);
      }
      Object.assign(one, { offer: null, sheet: null });
    },
  }),
  network: action({
    body: z.strictObject({ on: z.boolean() }),
    run: (one, { on }) => one.live.happen({ kind: 'network', isOn: on }),
  }),
  power: action({
    body: z.strictObject({ on: z.boolean() }),
    run: (one, { on }) => one.live.happen({ kind: on ? 'power_on' : 'power_off' }),
  }),
  reboot: action({ body: none, run: (one) => one.live.reboot() }),
  battery: action({
    body: z.strictObject({ pct: z.int().min(0).max(100) }),
    run: (one, { pct }) => one.live.happen({ kind: 'battery', pct }),
  }),
  sim: action({
    body: z.strictObject({
      slot: z.int().min(0).max(1).default(0),
      /** Without it: a new card of the next operator. */
      card: z.enum(['new', 'none']).default('new'),
    }),
    run: (one, { slot, card }) => {
      const old = one.live.state().sims.find((sim) => sim.slot === slot);
      const sim = card === 'none' ? null : newSim(slot, nextOperatorIndex(old?.operator));
      one.live.happen({ kind: 'swap_sim', slot, sim });
    },
  }),
  clock: action({
    body: z.union([
      z.strictObject({ by_ms: z.int().min(-maxJumpMs).max(maxJumpMs) }),
      z.strictObject({ to: z.iso.datetime({ offset: true }) }),
    ]),
    run: (one, body) => {
      if (!one.live.state().isOn) throw new HttpError(409, 'The phone is off.');
      const wallMs = 'to' in body ? Date.parse(body.to) : one.live.state().wallMs + body.by_ms;
      one.live.happen({ kind: 'set_wall_clock', wallMs });
    },
  }),
  elapse: action({
    body: z.strictObject({ ms: z.int().min(0).max(maxJumpMs) }),
    run: (one, { ms }) => one.live.happen({ kind: 'elapse', ms }),
  }),
  permissions: action({
    body: z.strictObject({ granted: z.boolean() }),
    run: (one, { granted }) => one.live.happen({ kind: 'permissions', areGranted: granted }),
  }),
  erase: action({
    body: none,
    run: (one) => {
      one.live.happen({ kind: 'erase' });
      one.wasManaged = false;
    },
  }),
  contact: action({ body: none, run: (one) => one.live.contact() }),
  seen: action({
    body: z.strictObject({ message_id: z.uuid() }),
    run: (one, { message_id }) => one.live.happen({ kind: 'message_seen', id: message_id }),
  }),
  close_banner: action({ body: none, run: (one) => one.live.happen({ kind: 'banner_closed' }) }),
  dispute: action({
    body: z.strictObject({ text: z.string().trim().min(1).max(500) }),
    run: (one, { text }) => {
      mustBeManaged(one);
      one.live.happen({ kind: 'dispute', text });
      one.sheet = null;
    },
  }),
  claim_paid: action({
    body: none,
    run: (one) => {
      mustBeManaged(one);
      one.live.happen({ kind: 'payment_claimed' });
    },
  }),
  lie: action({
    body: z.strictObject({ lie: z.enum(LIES as [(typeof LIES)[number], ...(typeof LIES)[number][]]) }),
    /** A refusal is what the switch is for, so it is the answer and no error. */
    run: async (one, { lie }) => {
      mustBeManaged(one);
      const said = await one.live.lie(lie).then(() => 'accepted', textOf);
      return { server_said: said };
    },
  }),
} as const;
export type ActionName = keyof typeof ACTIONS;
export const isActionName = (name: string): name is ActionName => Object.hasOwn(ACTIONS, name);

function mustBeManaged(one: LabPhone): void {
  if (!one.live.state().isOn) throw new HttpError(409, 'The phone is off.');
  if (!one.live.state().agent) throw new HttpError(409, 'The phone is not enrolled.');
}

/** What a refused enrolment means to whoever holds the phone. */
const REFUSALS: Record<string, string> = {
  ENROLMENT_PHONE_MISMATCH: 'This is not the phone on the agreement: its IMEI, its serial or its type differs.',
  ENROLMENT_TOKEN_USED: 'This QR was used already: let the shop show a new one.',
  ENROLMENT_TOKEN_EXPIRED: 'This QR is older than a day: let the shop show a new one.',
  AGENT_UNKNOWN: 'The server does not know this QR.',
  STATE_CONFLICT: 'This phone was released for good.',
};
const textOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

async function inWords(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const refusal = error instanceof Refused ? REFUSALS[error.code] : undefined;
    throw new HttpError(409, refusal ?? textOf(error));
  }
}
