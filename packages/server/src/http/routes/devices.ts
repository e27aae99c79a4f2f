import type { z } from 'zod';
import { COMMANDS, type SwitchCommand, type TakingCommand } from '@kist/contract/commands';
import { type deviceEndpoints, OWNERS_COMMAND } from '@kist/contract/devices';
import { DEVICE_EVENTS_PATH } from '@kist/contract/paths';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { LockReason, Verdict } from '@kist/contract/lock-policy';
import type { PlainCommand, Requested } from '#server/commands/commands.ts';
import * as commands from '#server/commands/commands.ts';
import { batch, getDevice, timeline } from '#server/commands/history.ts';
import type { Waker } from '#server/commands/wake.ts';
import { admission, bearerToken } from '#server/http/admission.ts';
import type { App } from '#server/http/app-types.ts';
import { parseAddress } from '#server/http/input.ts';
import { createLiveStreams } from '#server/http/live-streams.ts';
import { gateRefusal } from '#server/http/gate-refusal.ts';
import { route } from '#server/http/route.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Notices } from '#server/notices/notices.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import * as reports from '#server/reports/reports.ts';

type BulkBody = z.output<typeof deviceEndpoints.bulkCommand.body>;

export interface LockOrder {
  reason: LockReason;
  note?: string | undefined;
}

/**
 * Orders that the lock gate has a word in, and what it would say of them. A refused one is on record when they return, so the refusal commits; a preview
 * writes nothing.
 */
export interface LockOrders {
  requestLock(tx: Tx, actor: Actor, customerId: string, order: LockOrder): Promise<Requested | { refused: Verdict }>;
  requestUnlock(tx: Tx, actor: Actor, customerId: string, order: LockOrder): Promise<Requested>;
  requestSwitch(
    tx: Tx,
    actor: Actor,
    order: LockOrder & { customerId: string; type: SwitchCommand; value?: string | undefined },
  ): Promise<Requested | { refused: Verdict }>;
  /** The owner’s own word, of the own phone only. */
  reportLost(
    tx: Tx,
    actor: Actor,
    told: { customerId: string; kind: 'lost'; note: string },
  ): Promise<Requested | { refused: Verdict }>;
  previewLock(tx: Tx, actor: Actor, customerId: string, order: LockOrder): Promise<Verdict>;
  previewSwitch(tx: Tx, actor: Actor, order: LockOrder & { customerId: string; type: TakingCommand }): Promise<Verdict>;
  bulk(
    tx: Tx,
    actor: Actor,
    order: Pick<BulkBody, 'command' | 'reason' | 'dry_run' | 'preview'> & { customer_ids: readonly string[] },
  ): Promise<z.input<typeof deviceEndpoints.bulkCommand.reply>>;
  decideBulk(
    tx: Tx,
    actor: Actor,
    given: { batchId: string; isApproved: boolean; note?: string | undefined },
  ): Promise<z.input<typeof deviceEndpoints.decideBatch.reply>>;
}

export interface DeviceRouteDeps {
  locking: LockOrders;
  waker: Waker;
  /** The reminder, throttled; `order` is given its words. And what may be said by it. */
  notices: Pick<Notices, 'alertOnPhone' | 'phoneMessages'>;
}

/** Orders to phones, their state and history. */
export function deviceRoutes(app: App, deps: DeviceRouteDeps): void {
  const { locking, waker, notices } = deps;
  route(app, 'sendCommand', ({ tx, actor, params, body }) =>
    ordered(deps, tx, actor, { ...body, type: params.command }),
  );
  route(
    app,
    'previewCommand',
    async ({ db, actor, params: { command: type }, body: { customer_id: customerId, reason, note } }) => ({
      verdict: await db.read(actor.orgId, (tx) =>
        type === 'lock'
          ? locking.previewLock(tx, actor, customerId, { reason, note })
          : locking.previewSwitch(tx, actor, { customerId, type, reason, note }),
      ),
    }),
  );
  route(app, 'getPhoneMessages', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => notices.phoneMessages(tx, actor, query.customer_id)),
  );
  const bulkOrder = async (tx: Tx, actor: Actor, order: BulkBody) =>
    locking.bulk(tx, actor, {
      ...order,
      customer_ids:
        'filter' in order
          ? await reports.customerIds(tx, actor, { filter: order.filter, max: LIMITS.bulkDevices })
          : order.customer_ids,
    });
  route(app, 'bulkCommand', ({ tx, actor, body }) => bulkOrder(tx, actor, body));
  route(app, 'decideBatch', ({ tx, actor, params, body }) =>
    locking.decideBulk(tx, actor, { batchId: params.batch_id, isApproved: body.is_approved, note: body.note }),
  );
  route(app, 'getBatch', ({ db, actor, params }) => db.read(actor.orgId, (tx) => batch(tx, actor, params.batch_id)));
  route(app, 'getDevice', ({ db, actor, params }) =>
    db.read(actor.orgId, async (tx) => getDevice(tx, actor, params.device_id, await organisations.allowedFeatures(tx))),
  );
  route(app, 'getTimeline', ({ db, actor, params, query }) =>
    db.read(actor.orgId, (tx) => timeline(tx, actor, params.device_id, query)),
  );
  liveState(app, waker);
}

type OneOrder = z.output<typeof deviceEndpoints.sendCommand.body> & {
  type: z.output<typeof deviceEndpoints.sendCommand.params>['command'];
};

/** An order to one phone, by whoever decides about its kind. */
async function ordered({ locking, waker, notices }: DeviceRouteDeps, tx: Tx, actor: Actor, order: OneOrder) {
  const { type, customer_id: customerId, reason, note, value } = order;
  if (actor.userType === 'customer' || type === OWNERS_COMMAND) {
    assertOwners(actor, type, reason);
    return orRefusal(actor, await locking.reportLost(tx, actor, { customerId, kind: 'lost', note: note ?? '' }));
  }
  if (type === 'lock') return orRefusal(actor, await locking.requestLock(tx, actor, customerId, { reason, note }));
  if (type === 'unlock') return toReply(await locking.requestUnlock(tx, actor, customerId, { reason, note }));
  if ('toggle' in COMMANDS[type])
    return orRefusal(
      actor,
      await locking.requestSwitch(tx, actor, { customerId, type: type as SwitchCommand, reason, note, value }),
    );
  const plain = type as PlainCommand;
  const send = (text?: string) =>
    commands.request(tx, waker, actor, { customerId, type: plain, reason, note, value: text });
  return toReply(
    await (plain === 'emi_alert' ? notices.alertOnPhone(tx, actor, { customerId, message: value }, send) : send()),
  );
}

/** A customer orders one thing, and that is nobody else’s to order. @throws KistError FORBIDDEN */
function assertOwners({ userType }: Actor, type: string, reason: LockReason): void {
  if (userType !== 'customer' || type !== OWNERS_COMMAND || reason !== 'CUSTOMER_REQUEST')
    throw new KistError('FORBIDDEN');
}

const orRefusal = (actor: Actor, outcome: Requested | { refused: Verdict }) =>
  'refused' in outcome ? gateRefusal(actor, outcome.refused) : toReply(outcome);

const toReply = ({ commandId, state, revision }: Requested) => ({ command_id: commandId, state, revision });

/** What getDevice answers, again whenever it changes. Who may see the phone is asked each time, the session all the while. */
function liveState(app: App, waker: Waker): void {
  const endpoint = ENDPOINTS.getDevice;
  const stopping = new AbortController();
  app.fastify.addHook('preClose', async () => stopping.abort());
  const streams = createLiveStreams({
    authenticate: (token, ip) => identity.authenticate(app.deps.db, { token, ip, isChanging: true }),
    lifeMs: LIMITS.liveStreamS * 1000,
    stopping: stopping.signal,
  });
  app.fastify.get(
    DEVICE_EVENTS_PATH,
    { exposeHeadRoute: false, onRequest: admission(app, { ...endpoint, path: DEVICE_EVENTS_PATH }) },
    async (incoming, reply) => {
      const { device_id: deviceId } = parseAddress(endpoint.params, incoming.params);
      const { actor } = incoming;
      const token = bearerToken(incoming);
      if (!actor || token === undefined) throw new KistError('SESSION_REQUIRED');
      await streams.send(reply, {
        actor,
        token,
        subject: deviceId,
        read: () =>
          app.deps.db.read(actor.orgId, async (tx) =>
            endpoint.reply.parse(await getDevice(tx, actor, deviceId, await organisations.allowedFeatures(tx))),
          ),
        listen: (changed) => {
          const ends = [waker.on('wake', deviceId, changed), waker.on('changed', deviceId, changed)];
          return () => ends.forEach((end) => end());
        },
      });
    },
  );
}
