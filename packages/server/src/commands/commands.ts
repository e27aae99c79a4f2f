import { needsOfCommand } from '@kist/contract/access';
import { provisioningName } from '@kist/contract/codes';
import {
  COMMANDS,
  type CommandState,
  type CommandType,
  type OneShot,
  type SwitchCommand,
  familyOf,
} from '@kist/contract/commands';
import { KistError } from '@kist/contract/errors';
import type { LockReason } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import * as accounts from './account-store.ts';
import type { Waker } from './wake.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { ordersKept, unlockedFrom } from './kept-store.ts';
import { assertCan, assertOffered } from './offered.ts';
import { forgetNotes, forgetRefusals } from './retention-store.ts';
import { type CommandInsert, expireOpen, failFetched, findWaiting, insertCommands } from './store.ts';

export interface NewCommand {
  deviceId: string;
  type: CommandType;
  /** The desired revision that a state order made. */
  revision?: number;
  args?: object;
  reason: string;
  note?: string;
  /** Null: the server itself. */
  requestedBy: string | null;
  verdict?: object;
  /** REFUSED keeps the gate's answer in the history and orders nothing. */
  state?: 'QUEUED' | 'REFUSED';
  batchId?: string;
}

/** What request() takes: levels and switches are the locking slice's, because the gate judges what they take away. */
export type PlainCommand = OneShot;

export interface Requested {
  commandId: string;
  state: CommandState;
  revision: number | null;
}

/** Orders in one statement; its parameter stays a few megabytes even with a verdict each. */
const CHUNK = 5000;
/** A phone that fetched an order and was then switched off may still answer; after this it is not expected any more. */
const RESULT_GRACE_S = 24 * 3600;
/** Orders given up in one transaction; the job goes on until none is left. */
const EXPIRE_LIMIT = 1000;

/**
 * Writes orders, one statement for every 5,000. State orders name the revision that setDesired gave; they end older orders of their
 * family. Does not wake the phones: the caller tells its waker.
 * @returns ids in the order given
 * @throws RangeError when a phone is named twice, or a state order has no revision
 */
export async function createMany(tx: Tx, commands: readonly NewCommand[]): Promise<string[]> {
  if (new Set(commands.map((command) => command.deviceId)).size !== commands.length)
    throw new RangeError('a phone is named twice');
  const rows = await mapInSlices(commands, toInsert);
  for (let at = 0; at < rows.length; at += CHUNK) await insertCommands(tx, rows.slice(at, at + CHUNK));
  return rows.map((row) => row.command_id);
}

/** As createMany, for one phone. */
export async function create(tx: Tx, command: NewCommand): Promise<string> {
  const [commandId] = await createMany(tx, [command]);
  return commandId!;
}

function toInsert(command: NewCommand): CommandInsert {
  const { state = 'QUEUED', type, revision = null } = command;
  const { kind, ttlS } = COMMANDS[type];
  const isState = kind === 'state';
  if (isState && state === 'QUEUED' && revision === null) throw new RangeError('a state order carries its revision');
  return {
    command_id: newId(),
    device_id: command.deviceId,
    type,
    is_state: isState,
    family: state === 'QUEUED' ? familyOf(type) : [],
    revision,
    args: command.args ?? {},
    reason: command.reason,
    note: command.note ?? null,
    state,
    verdict: command.verdict ?? null,
    requested_by: command.requestedBy,
    batch_id: command.batchId ?? null,
    ttl_s: ttlS,
  };
}

/**
 * The phone that this person may give this order to.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED (details: the cell), UNSUPPORTED_ON_DEVICE (details.why: the locale key of the reason),
 * STATE_CONFLICT (no phone, not enrolled, or released)
 */
export async function phoneToOrder(
  tx: Tx,
  actor: Actor,
  customerId: string,
  type: PlainCommand | SwitchCommand,
): Promise<string> {
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  identity.requires(actor, needsOfCommand(type));
  const device = await devices.deviceOfCustomer(tx, customer.customer_id);
  const name = device && provisioningName(device.provisioningType);
  if (!device || !name) throw new KistError('STATE_CONFLICT');
  await assertOffered(tx, actor, device.deviceId, type);
  await assertCan(tx, device.deviceId, type);
  if (!device.enrolledAt || device.releasedAt) throw new KistError('STATE_CONFLICT');
  return device.deviceId;
}

/**
 * A person asks the phone for something, once: a place, a restart, its SIM cards, a reminder.
 * @throws KistError as phoneToOrder; INVALID_INPUT (a reminder without text)
 */
export async function request(
  tx: Tx,
  waker: Waker,
  actor: Actor,
  order: { customerId: string; type: PlainCommand; reason: LockReason; note?: string; value?: string },
): Promise<Requested> {
  const { type } = order;
  const deviceId = await phoneToOrder(tx, actor, order.customerId, type);
  const { takesText, isEachOne } = COMMANDS[type];
  if (takesText && !order.value)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'value', key: 'field.required' }] });

  // Asking again for what was not fetched yet is the same order.
  const waiting = isEachOne ? undefined : await findWaiting(tx, deviceId, type);
  if (waiting) return { commandId: waiting, state: 'QUEUED', revision: null };
  const commandId = await create(tx, {
    deviceId,
    type,
    reason: order.reason,
    note: order.note,
    requestedBy: actor.userId,
    args: takesText ? { text: order.value } : {},
  });
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor,
    action: 'command_requested',
    data: { command_id: commandId, type, reason: order.reason },
  });
  waker.wake(tx, [deviceId]);
  return { commandId, state: 'QUEUED', revision: null };
}

/** Gives up on orders whose time is over, in this organisation. @returns phones whose orders ended */
export async function expire(tx: Tx): Promise<string[]> {
  const gone: string[] = [];
  for (;;) {
    const rows = await expireOpen(tx, RESULT_GRACE_S, EXPIRE_LIMIT);
    gone.push(...rows.map((row) => row.deviceId));
    if (rows.length < EXPIRE_LIMIT) return [...new Set(gone)];
  }
}

/** To be called when a phone enrols again: what it had fetched before it was erased will never give a result. */
export const phoneErased = (tx: Tx, deviceId: string): Promise<void> => failFetched(tx, deviceId);

export {
  type OpenBatch,
  type Part,
  type PartResult,
  type Refusal,
  askBatch,
  beginBatch,
  decideBatch,
  finishBatch,
  finishPart,
  freedSince,
  goOnAfterCanary,
  keepBatch,
  lockedLast,
  noteStopped,
  openBatches,
  postponePart,
  stopBatch,
  stopLocks,
  takePart,
} from './batches.ts';
export { ordersKept };
/** When a phone had carried out the first unlock that was ordered from a moment on; null: it never said so. */
export const unlockedAt = async (tx: Tx, device_id: string, since: Date): Promise<Date | null> =>
  (await unlockedFrom.one(tx, { device_id, since })).applied_at;
export { forgetOrders } from './retention-store.ts';
/** Of an erased customer. */
export async function forgetNotesAbout(tx: Tx, of: { customer_id: string }): Promise<void> {
  await forgetNotes.run(tx, of);
  await forgetRefusals.run(tx, of);
}

/** Accounts of the organisation that their vendors refuse: none of their phones is reached. */
export const refusedAccounts = (tx: Tx): ReturnType<(typeof accounts.refusedAccounts)['all']> =>
  accounts.refusedAccounts.all(tx, {});
