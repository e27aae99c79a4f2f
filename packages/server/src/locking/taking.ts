import { NEEDS_OF_PREVIEW } from '@kist/contract/access';
import { COMMANDS, type SwitchCommand, type TakingCommand } from '@kist/contract/commands';
import { KistError } from '@kist/contract/errors';
import type { Verdict } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as commands from '#server/commands/commands.ts';
import { setDesired } from '#server/devices/desired.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as notices from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { brief, recordRefusals, verdictRow } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, causeOf, lookAtPhones, takePhoneOf } from './facts.ts';
import type { TakenRow } from './facts-store.ts';
import type { Order, Refused } from './manual.ts';
import { releasePaid } from './release.ts';
import type { GateFacts } from './rules/facts.ts';
import { judgeTaking } from './rules/taking.ts';
import { insertVerdicts } from './store.ts';
import { switchChange } from './switches.ts';
import { endRestrictions, insertRestriction } from './taking-store.ts';

export interface SwitchOrder extends Order {
  customerId: string;
  type: SwitchCommand;
  /** Of a wallpaper: the name of the organisation's template that it shows. Words of the caller's own there are none. */
  value?: string | undefined;
}
export interface Switched {
  commandId: string;
  state: 'QUEUED';
  revision: number;
}

/**
 * A person turns one of the phone's switches. Taking something away is judged by the gate like a lock, recorded with its cause, and goes back with it;
 * giving it back is never refused.
 * @returns the order, or the gate's refusal, which is on record and must commit
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, UNSUPPORTED_ON_DEVICE, STATE_CONFLICT, INVALID_INPUT (words for the wallpaper that are no template's name)
 */
export async function requestSwitch(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker' | 'onReleased'>,
  actor: Actor,
  order: SwitchOrder,
): Promise<Switched | Refused> {
  const template = await templateOf(tx, order);
  const deviceId = await commands.phoneToOrder(tx, actor, order.customerId, order.type);
  const phone = await takePhoneOf(tx, actor, deviceId);
  return COMMANDS[order.type].value
    ? take(tx, deps, actor, phone, { ...order, template })
    : giveBack(tx, deps, actor, phone, order);
}

/** @throws KistError INVALID_INPUT for whatever is not the name of one in use */
async function templateOf(tx: Tx, { type, value }: SwitchOrder) {
  if (value === undefined) return undefined;
  const found = type === 'set_wallpaper' ? await notices.liveTemplate(tx, value) : undefined;
  if (!found) throw new KistError('INVALID_INPUT', { fields: [{ path: 'value', key: 'field.own_words' }] });
  return found;
}

/**
 * What the gate would say now if this were to be taken. Orders and keeps nothing.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, UNSUPPORTED_ON_DEVICE, STATE_CONFLICT
 */
export async function previewSwitch(
  tx: Tx,
  actor: Actor,
  { customerId, type, reason, note }: Order & { customerId: string; type: TakingCommand },
): Promise<Verdict> {
  identity.requires(actor, NEEDS_OF_PREVIEW[type]);
  const [phone] = await lookAtPhones(tx, [await commands.phoneToOrder(tx, actor, customerId, type)]);
  if (!phone) throw new KistError('NOT_FOUND');
  return judgeTaking(askedOf(phone, reason, note), COMMANDS[type].toggle).verdict;
}

/** Taking is asked for by a person; its level is found by `judgeTaking`. */
const askedOf = (phone: Phone, reason: Order['reason'], note?: string): GateFacts =>
  phone.facts({ reason, level: 0, trigger: 'manual', note });

async function take(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker'>,
  actor: Actor,
  phone: Phone,
  { type, reason, note, template }: SwitchOrder & { template: Awaited<ReturnType<typeof templateOf>> },
): Promise<Switched | Refused> {
  const taken = COMMANDS[type].toggle;
  const { facts, verdict } = judgeTaking(askedOf(phone, reason, note), taken);
  if (!verdict.allowed) {
    await recordRefusals(tx, [{ phone, reason, verdict, facts, type }], { actor, note });
    return { refused: verdict };
  }
  const cause = causeOf(reason);
  const others = (phone.row.restrictions ?? []).filter((one) => one.taken !== taken || one.cause !== cause);
  const done = await turn(tx, deps, actor, phone, { type, reason, note, verdict: brief(verdict) }, [
    ...others,
    { taken, cause, reason, texts: template?.texts ?? null },
  ]);
  const { agreementId } = phone.row;
  const verdictId = newId();
  await insertVerdicts(tx, [verdictRow(verdictId, phone, { verdict, facts }, done.revision, done.commandId)]);
  await insertRestriction.run(tx, {
    device_id: phone.row.deviceId,
    taken,
    cause,
    agreement_id: agreementId,
    reason,
    verdict_id: verdictId,
    template_id: template?.template_id ?? null,
  });
  await log(tx, actor, phone, 'restriction_taken', {
    causes: [{ cause, reason, trigger: verdict.trigger, rule: verdict.rule, verdict_id: verdictId }],
    taken,
    revision: done.revision,
    agreement_id: agreementId,
    command_id: done.commandId,
    ...(template && { template: template.name }),
  });
  return done;
}

async function giveBack(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker' | 'onReleased'>,
  actor: Actor,
  phone: Phone,
  { type, reason, note }: SwitchOrder,
): Promise<Switched> {
  const taken = COMMANDS[type].toggle;
  const all = phone.row.restrictions ?? [];
  // What was taken because the phone was stolen is its owner's to give back.
  const isBack = (one: TakenRow) => one.taken === taken && one.cause !== 'theft';
  if (all.some((one) => one.taken === taken) && !all.some(isBack)) throw new KistError('FEATURE_NOT_ALLOWED');
  const kept = all.filter((one) => !isBack(one));
  const done = await turn(tx, deps, actor, phone, { type, reason, note }, kept);
  const back = all.filter(isBack);
  await endRestrictions(
    tx,
    back.map(({ cause }) => ({ device_id: phone.row.deviceId, taken, cause })),
  );
  await log(tx, actor, phone, 'restriction_given_back', {
    taken,
    causes: back.map(({ cause }) => ({ cause })),
    revision: done.revision,
    command_id: done.commandId,
  });
  await releasePaid(tx, deps, actor, [{ phone }]);
  return done;
}

/** The switches as they shall be from now on, as a new revision and an order, whether or not they were so before. */
async function turn(
  tx: Tx,
  { waker }: Pick<LockingDeps, 'waker'>,
  actor: Actor,
  { row }: Phone,
  order: { type: SwitchCommand; reason: Order['reason']; note?: string | undefined; verdict?: object },
  taken: readonly TakenRow[],
): Promise<Switched> {
  const { deviceId } = row;
  const { revision } = await setDesired(tx, deviceId, { toggles: {}, ...switchChange(row, taken) });
  const { note, ...rest } = order;
  const commandId = await commands.create(tx, {
    ...rest,
    ...(note === undefined ? {} : { note }),
    deviceId,
    revision,
    requestedBy: actor.userId,
  });
  waker.wake(tx, [deviceId]);
  return { commandId, state: 'QUEUED', revision };
}

const log = (
  tx: Tx,
  actor: Actor,
  { row }: Phone,
  action: 'restriction_taken' | 'restriction_given_back',
  data: Record<string, unknown>,
): Promise<void> => audit.append(tx, { kind: 'device', id: row.deviceId, actor, action, data });
