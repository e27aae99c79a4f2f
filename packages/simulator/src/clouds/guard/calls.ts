import { HttpError, readBody } from '#simulator/http/http-server.ts';
import type { Asked } from '#simulator/http/http-server.ts';
import type { GuardBooks, GuardDevice } from './books.ts';
import { deviceView, transactionView } from './books.ts';
import type { Limiter } from './limits.ts';
import {
  type GuardFaults,
  GuardRefusal,
  MAX_DEVICES,
  MAX_TARGETS,
  completeCall,
  namedCall,
  pinCall,
  reminderCall,
  targetsCall,
} from './protocol.ts';
import { deviceSecret, pinFor } from './signing.ts';
import type { Transactions } from './transactions.ts';

/** What the calls of a tenant reach. */
export interface CallPorts {
  books: GuardBooks;
  transactions: Transactions;
  limiter: Limiter;
  factoryKey: string;
  nowMs: () => number;
  faults: () => GuardFaults;
}
export interface CallAnswer {
  status: number;
  body: unknown;
}
export interface TenantCall {
  method: 'GET' | 'POST';
  path: string;
  answer: (ports: CallPorts, tenant: string, asked: Asked) => CallAnswer;
}

const ok = (body: unknown): CallAnswer => ({ status: 200, body });
const taken = (body: unknown): CallAnswer => ({ status: 202, body });

function mustBeFew(count: number, most: number): void {
  if (count > most) throw new GuardRefusal(413, 'TOO_MANY', `At most ${most} in one call.`);
}

function takeNamed(kind: 'upload' | 'approve'): TenantCall['answer'] {
  return ({ transactions }, tenant, asked) => {
    const { request_id, devices } = readBody(asked, namedCall);
    mustBeFew(devices.length, MAX_DEVICES);
    return taken(transactions.take(tenant, request_id, () => devices.map((named) => ({ kind, ...named }))));
  };
}

function takeTargets({ transactions, limiter, nowMs, faults }: CallPorts, tenant: string, asked: Asked): CallAnswer {
  if (faults().refuses_targets) throw new GuardRefusal(400, 'INVALID_REQUEST', 'No target is taken.');
  const { request_id, items } = readBody(asked, targetsCall);
  mustBeFew(items.length, MAX_TARGETS);
  // A repeated request costs nothing of the day: its items were counted when it was new.
  return taken(
    transactions.take(tenant, request_id, () => {
      limiter.takeTargets(tenant, items.length, nowMs(), faults().is_full);
      return items.map((item) => ({ kind: 'target', ...item }));
    }),
  );
}

function takeReminder({ transactions }: CallPorts, tenant: string, asked: Asked): CallAnswer {
  const { request_id, device_id, at } = readBody(asked, reminderCall);
  return taken(transactions.take(tenant, request_id, () => [{ kind: 'reminder', device_id, at }]));
}

function takeRelease(kind: 'complete' | 'undo'): TenantCall['answer'] {
  return ({ transactions }, tenant, asked) => {
    const { request_id, device_ids } = readBody(asked, completeCall);
    mustBeFew(device_ids.length, MAX_DEVICES);
    return taken(transactions.take(tenant, request_id, () => device_ids.map((device_id) => ({ kind, device_id }))));
  };
}

function mustExist(device: GuardDevice | undefined): GuardDevice {
  if (!device) throw new GuardRefusal(404, 'NOT_FOUND', 'No such device.');
  return device;
}

function givePin({ books, factoryKey }: CallPorts, tenant: string, asked: Asked): CallAnswer {
  const { device_id, passkey } = readBody(asked, pinCall);
  const { state, imei, serial } = mustExist(books.device(tenant, device_id));
  if (state !== 'enrolled' || imei === null || serial === null)
    throw new GuardRefusal(409, 'NOT_ENROLLED', 'Only an enrolled phone has PINs.');
  return ok({ pin: pinFor(deviceSecret(factoryKey, imei, serial), passkey) });
}

function showNamed({ books }: CallPorts, tenant: string, { url }: Asked): CallAnswer {
  const imei = url.searchParams.get('imei') ?? undefined;
  const serial = url.searchParams.get('serial') ?? undefined;
  if (imei === undefined && serial === undefined) throw new HttpError(400, 'imei: needed');
  return ok(deviceView(mustExist(books.newest(tenant, { imei, serial }))));
}

const showDevice: TenantCall['answer'] = ({ books }, tenant, { params }) =>
  ok(deviceView(mustExist(books.device(tenant, params['device_id'] ?? ''))));

const showTransaction: TenantCall['answer'] = ({ books }, tenant, { params }) => {
  const one = books.transaction(tenant, params['id'] ?? '');
  if (!one) throw new GuardRefusal(404, 'NOT_FOUND', 'No such transaction.');
  return ok(transactionView(one));
};

/** Every call of a tenant that needs a token. */
export const TENANT_CALLS: TenantCall[] = [
  { method: 'POST', path: '/guard/v1/devices/upload', answer: takeNamed('upload') },
  { method: 'POST', path: '/guard/v1/devices/approve', answer: takeNamed('approve') },
  { method: 'POST', path: '/guard/v1/devices/targets', answer: takeTargets },
  { method: 'POST', path: '/guard/v1/devices/relock-reminder', answer: takeReminder },
  { method: 'POST', path: '/guard/v1/devices/complete', answer: takeRelease('complete') },
  { method: 'POST', path: '/guard/v1/devices/complete/undo', answer: takeRelease('undo') },
  { method: 'POST', path: '/guard/v1/devices/pin', answer: givePin },
  { method: 'GET', path: '/guard/v1/devices', answer: showNamed },
  { method: 'GET', path: '/guard/v1/devices/:device_id', answer: showDevice },
  { method: 'GET', path: '/guard/v1/transactions/:id', answer: showTransaction },
];
