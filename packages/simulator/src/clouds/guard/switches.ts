import { imeiSchema } from '@kist/contract/agent';
import { z } from 'zod';
import { HttpError, readBody } from '#simulator/http/http-server.ts';
import type { Asked, Route } from '#simulator/http/http-server.ts';
import type { GuardCloud } from './guard-cloud.ts';
import { newSim } from './guard-fleet.ts';
import type { FleetPhone, GuardFleet } from './guard-fleet.ts';
import { NO_GUARD_FAULTS } from './protocol.ts';
import type { GuardFaults } from './protocol.ts';

/**
 * The switches of the guard cloud and its phones, for the lab's page and for tests in another process. No tenant sees them.
 *
 *   GET    /lab/api/guard                     {faults, phones: [view], devices: [the cloud's records]}
 *   POST   /lab/api/guard/faults              {is_down?, …} → faults
 *   POST   /lab/api/guard/phones              {name?, imei?, serial?} → view
 *   DELETE /lab/api/guard/phones/:id
 *   POST   /lab/api/guard/phones/:id/:action  {phone: view, result?}: sync {} · settle {} · network {on} · power {on} · sim {slot?, card?: new|none} · pin {pin} · erase {}
 */
const faultsSchema = z.strictObject(
  Object.fromEntries(Object.keys(NO_GUARD_FAULTS).map((name) => [name, z.boolean().optional()])) as Record<
    keyof GuardFaults,
    z.ZodOptional<z.ZodBoolean>
  >,
);
const newPhoneSchema = z.strictObject({
  name: z.string().trim().min(1).max(40).optional(),
  imei: imeiSchema.optional(),
  serial: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional(),
});
const none = z.strictObject({});
const onOff = z.strictObject({ on: z.boolean() });

export interface SwitchPorts {
  cloud: GuardCloud;
  fleet: GuardFleet;
}

interface Action<S extends z.ZodType> {
  body: S;
  run: (one: FleetPhone, body: z.output<S>, ports: SwitchPorts) => unknown;
}
const action = <S extends z.ZodType>(value: Action<S>): Action<S> => value;

const ACTIONS = {
  sync: action({ body: none, run: ({ phone }) => phone.sync() }),
  settle: action({ body: none, run: ({ phone }) => phone.settle() }),
  network: action({
    body: onOff,
    run: ({ id, phone }, { on }, { fleet }) => {
      phone.setOnline(on);
      fleet.wake(id);
    },
  }),
  power: action({
    body: onOff,
    run: ({ id, phone }, { on }, { fleet }) => {
      phone.setPower(on);
      fleet.wake(id);
    },
  }),
  sim: action({
    body: z.strictObject({ slot: z.int().min(0).max(1).default(0), card: z.enum(['new', 'none']).default('new') }),
    run: ({ phone }, { slot, card }) => {
      const old = phone.view().sims.find((sim) => sim.slot === slot);
      phone.changeSim(slot, card === 'new' ? newSim(old?.operator) : null);
    },
  }),
  pin: action({
    body: z.strictObject({ pin: z.string().trim().max(20) }),
    run: ({ phone }, { pin }) => ({ is_open: phone.enterPin(pin) }),
  }),
  erase: action({
    body: none,
    run: ({ id, phone }, _body, { fleet }) => {
      phone.erase();
      fleet.wake(id);
    },
  }),
} as const;

/** A phone as these switches show it: what its holder sees, nothing of the cloud's. */
export function guardPhoneView({ id, name, phone }: FleetPhone) {
  const { imei, serial, boot, sims, isOn, isOnline, isLocked, isReminding, isFreed, target, passkey } = phone.view();
  return {
    id,
    name,
    imei,
    serial,
    boot,
    sims,
    target,
    passkey,
    is_on: isOn,
    is_network_on: isOnline,
    is_locked: isLocked,
    is_reminding: isReminding,
    is_freed: isFreed,
  };
}
export type GuardPhoneView = ReturnType<typeof guardPhoneView>;

/** @param changed something that a page may show is other now */
export function switchRoutes(ports: SwitchPorts, changed: () => void = () => {}): Route[] {
  const { cloud, fleet } = ports;
  const phoneOf = ({ params }: Asked): FleetPhone => {
    const one = fleet.get(params['id'] ?? '');
    if (!one) throw new HttpError(404, 'No such phone.');
    return one;
  };
  const act = async (asked: Asked) => {
    const one = phoneOf(asked);
    const name = asked.params['action'] ?? '';
    if (!Object.hasOwn(ACTIONS, name)) throw new HttpError(404, 'No such switch.');
    const chosen = ACTIONS[name as keyof typeof ACTIONS];
    // Each action is called with what its own schema made.
    const result: unknown = await chosen.run(one, readBody(asked, chosen.body) as never, ports);
    changed();
    return result === undefined ? { phone: guardPhoneView(one) } : { phone: guardPhoneView(one), result };
  };
  return [
    {
      method: 'GET',
      path: '/lab/api/guard',
      handle: () => ({ faults: cloud.faults(), phones: fleet.list().map(guardPhoneView), devices: cloud.devices() }),
    },
    {
      method: 'POST',
      path: '/lab/api/guard/faults',
      handle: (asked) => {
        cloud.setFaults(readBody(asked, faultsSchema));
        changed();
        return cloud.faults();
      },
    },
    {
      method: 'POST',
      path: '/lab/api/guard/phones',
      handle: (asked) => guardPhoneView(fleet.add(readBody(asked, newPhoneSchema))),
    },
    {
      method: 'DELETE',
      path: '/lab/api/guard/phones/:id',
      handle: (asked) => {
        fleet.remove(phoneOf(asked).id);
        return {};
      },
    },
    { method: 'POST', path: '/lab/api/guard/phones/:id/:action', handle: act },
  ];
}
