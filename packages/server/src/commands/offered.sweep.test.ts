import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN, PROVISIONING, PROVISIONING_NAMES, type PlanName, type ProvisioningName } from '@kist/contract/codes';
import { COMMANDS, COMMAND_TYPES, type CommandType, type SwitchCommand } from '@kist/contract/commands';
import { KistError } from '@kist/contract/errors';
import { FEATURES } from '@kist/contract/features';
import { getDevice } from '#server/commands/history.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import { LOCK_STATES, STATUSES, isOfferedBySentences } from '#test/feature-sentences.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { moveStatus } from '#test/status-moves.ts';
import { type PlainCommand, request } from './commands.ts';

/** Section 6 as the server enforces it, cell by cell, through the very services that orders come in by. */
let world: LockWorld;
const phones = new Map<ProvisioningName, Sale>();
/** Of agreements whose last instalment is due in three days. */
const maturing = new Map<ProvisioningName, Sale>();

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  for (const name of PROVISIONING_NAMES) {
    phones.set(name, await world.sell({ provisioningType: PROVISIONING[name] }));
    maturing.set(name, await world.sell({ provisioningType: PROVISIONING[name] }));
  }
  await world.db.plant(
    ['agreements'],
    'update agreements set last_due_on = kist_now()::date + 3 where customer_id = any($1)',
    [[...maturing.values()].map(({ customerId }) => customerId)],
  );
});
afterAll(() => world.close());

const MATURING = 6;

interface Cell {
  provisioning: ProvisioningName;
  lockState: (typeof LOCK_STATES)[number];
  status: number;
  plan: PlanName;
}

/** From an installed phone to each status, as the database lets them follow one another. */
const STEPS: Record<number, readonly number[]> = { 0: [3, 0], 2: [2], 3: [3], 4: [4] };

/** Puts the phone into a cell, as far as rows tell; the transaction is rolled back. */
async function place(tx: Tx, { customerId, deviceId }: Sale, cell: Cell): Promise<void> {
  const isPaid = cell.status === 5;
  await tx.query('update customers set plan_type = $2 where customer_id = $1', [customerId, PLAN[cell.plan]]);
  // A phone that was uninstalled begins anew with a key.
  await tx.query(
    `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at)
     select org_id, customer_id, owner_user_id, plan_type, 'paid', 'reserved', kist_now(), kist_now() + interval '1 day' from customers where customer_id = $1`,
    [customerId],
  );
  for (const status of STEPS[cell.status] ?? [])
    await moveStatus((text, values) => tx.query(text, values), customerId, status);
  await tx.query('update device_reports set lock_level = $2, is_strong = true where device_id = $1', [
    deviceId,
    cell.lockState === 'locked' ? 4 : 0,
  ]);
  if (isPaid)
    await tx.query(
      `update agreements set state = 'completed', completed_at = kist_now(), outstanding_paise = 0 where customer_id = $1`,
      [customerId],
    );
}

function order(tx: Tx, actor: Actor, { customerId }: Sale, type: CommandType): Promise<unknown> {
  const reason = 'CUSTOMER_REQUEST' as const;
  if (type === 'lock') return world.locking.requestLock(tx, actor, customerId, { reason });
  if (type === 'unlock') return world.locking.requestUnlock(tx, actor, customerId, { reason });
  if ('toggle' in COMMANDS[type])
    return world.locking.requestSwitch(tx, actor, { customerId, type: type as SwitchCommand, reason });
  return request(tx, world.waker, actor, { customerId, type: type as PlainCommand, reason, value: 'text' });
}

/** @returns the error it met, if any; what it wrote is undone. */
async function attempt(tx: Tx, work: () => Promise<unknown>): Promise<unknown> {
  await tx.query('savepoint attempt');
  const outcome = await work().then(
    () => undefined,
    (error: unknown) => error,
  );
  await tx.query('rollback to savepoint attempt');
  return outcome;
}
const isNotOffered = (error: unknown): error is KistError =>
  error instanceof KistError && error.code === 'FEATURE_NOT_OFFERED';

async function inCell(cell: Cell, work: (tx: Tx, sale: Sale) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  const sale = (cell.status === MATURING ? maturing : phones).get(cell.provisioning)!;
  // What an organisation may do is written by its operator, who may do what the server may besides.
  await world.db.operator
    .transaction(ORG, async (tx) => {
      await place(tx, sale, cell);
      await work(tx, sale);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}
const cells = PROVISIONING_NAMES.flatMap((provisioning) =>
  LOCK_STATES.flatMap((lockState) =>
    STATUSES.map((status): Cell => ({ provisioning, lockState, status, plan: 'DPC' })),
  ),
);
/** Each order at its feature; lists with and without it. */
const listOf = (type: CommandType, list: 'with' | 'without') =>
  list === 'with' ? [COMMANDS[type].feature] : FEATURES.filter((feature) => feature !== COMMANDS[type].feature);
const allow = (tx: Tx, provisioning: ProvisioningName, list: readonly string[] | undefined) =>
  tx.query('update organisations set allowed_features = $1 where org_id = kist_org()', [
    JSON.stringify(list ? { [provisioning]: list } : {}),
  ]);
const GIVES_BACK = /^(unlock|remove_.*|.*_unlock|.*_unhide)$/;

/** By turns over the orders and the cells: each cell tries every order once, and each order meets every list in many cells. The table itself is tested whole in offered-table.test.ts. */
const LISTS = [undefined, 'with', 'without'] as const;

test.each(cells.map((cell, turn) => ({ ...cell, turn })))(
  'a shop’s orders to a $provisioning phone, $lockState, of status $status',
  { timeout: 60_000 },
  async ({ turn, ...cell }) => {
    const wrong: string[] = [];
    await inCell(cell, async (tx, sale) => {
      for (const [nth, type] of COMMAND_TYPES.entries()) {
        const { feature } = COMMANDS[type];
        const list = LISTS[(turn + nth) % LISTS.length];
        await allow(tx, cell.provisioning, list && listOf(type, list));
        const error = await attempt(tx, () => order(tx, world.shop, sale, type));
        const expected = GIVES_BACK.test(type) || isOfferedBySentences(feature, cell, list);
        if (isNotOffered(error) === expected) wrong.push(`${type}, list ${list}: ${String(error)}`);
        if (isNotOffered(error))
          expect(error.options.details).toEqual({
            feature,
            provisioning: cell.provisioning,
            lock_state: cell.lockState,
            // Maturing is judged as installed and told as such.
            status: cell.status === MATURING ? 1 : cell.status,
          });
      }
    });
    expect(wrong).toEqual([]);
  },
);

test(
  'what the app is told to show is what the server takes: of each cell what there is an order for',
  { timeout: 60_000 },
  async () => {
    for (const cell of cells)
      await inCell(cell, async (tx, sale) => {
        const { device } = await getDevice(tx, world.shop, sale.deviceId, await organisations.allowedFeatures(tx));
        const shown = [...device.features.toggles, ...device.features.actions].toSorted();
        const ordered: readonly string[] = COMMAND_TYPES.map((type) => COMMANDS[type].feature);
        const expected = FEATURES.filter(
          (feature) => ordered.includes(feature) && isOfferedBySentences(feature, cell),
        ).toSorted();
        expect([cell, shown]).toEqual([cell, expected]);
      });
  },
);

test(
  'the server’s own orders and the customer’s requests are not the shop’s: no cell refuses them',
  { timeout: 120_000 },
  async () => {
    for (const status of STATUSES)
      for (const provisioning of PROVISIONING_NAMES)
        await inCell({ provisioning, lockState: 'locked', status, plan: 'DPC' }, async (tx, sale) => {
          const customer: Actor = {
            ...world.shop,
            userType: 'customer',
            customerIds: [sale.customerId],
            visibleOwnerIds: [],
          };
          for (const actor of [customer, SYSTEM(ORG)])
            for (const type of COMMAND_TYPES)
              expect([type, status, isNotOffered(await attempt(tx, () => order(tx, actor, sale, type)))]).toEqual([
                type,
                status,
                false,
              ]);
        });
  },
);

test('an OLD_FL phone is read and released only', async () => {
  await inCell({ provisioning: 'LINKFL', lockState: 'unlocked', status: 1, plan: 'OLD_FL' }, async (tx, sale) => {
    for (const type of ['lock', 'location', 'sim_info'] as const)
      expect(isNotOffered(await attempt(tx, () => order(tx, world.shop, sale, type)))).toBe(true);
    expect(await attempt(tx, () => order(tx, world.shop, sale, 'unlock'))).toBeUndefined();
  });
});

test('an order to a phone that was released or is not set up yet is answered with its cell, a lock like the others', async () => {
  for (const [status, change] of [
    [0, 'enrolled_at = null'],
    [2, 'released_at = kist_now()'],
    [4, 'enrolled_at = enrolled_at'],
  ] as const)
    await inCell({ provisioning: 'DPC', lockState: 'unlocked', status, plan: 'DPC' }, async (tx, sale) => {
      await tx.query(`update devices set ${change} where device_id = $1`, [sale.deviceId]);
      for (const type of ['lock', 'camera_lock', 'reboot'] as const)
        expect([type, status, await attempt(tx, () => order(tx, world.shop, sale, type))]).toMatchObject([
          type,
          status,
          { code: 'FEATURE_NOT_OFFERED', options: { details: { feature: COMMANDS[type].feature, status } } },
        ]);
      const { device } = await getDevice(tx, world.shop, sale.deviceId, await organisations.allowedFeatures(tx));
      expect(device.features).toEqual({ toggles: [], actions: [], cannot: {} });
    });
});

test('the app is told of nothing to order of a phone that is not set up, or is free, whatever its customer’s status', async () => {
  for (const change of ['enrolled_at = null', 'released_at = kist_now()'])
    await inCell({ provisioning: 'DPC', lockState: 'unlocked', status: 1, plan: 'DPC' }, async (tx, sale) => {
      await tx.query(`update devices set ${change} where device_id = $1`, [sale.deviceId]);
      const { device } = await getDevice(tx, world.shop, sale.deviceId, await organisations.allowedFeatures(tx));
      expect(device.features).toEqual({ toggles: [], actions: [], cannot: {} });
    });
});

test('a preview says so too, and a bulk lock names the rule for each phone and goes on with the others', async () => {
  const [gone, other] = [await world.sell(), await world.sell()];
  await world.inOrg((tx) => moveStatus((text, values) => tx.query(text, values), gone.customerId, 3));
  const reason = 'EMI_OVERDUE' as const;
  await expect(
    world.inOrg((tx) => world.locking.previewLock(tx, world.shop, gone.customerId, { reason })),
  ).rejects.toMatchObject({ code: 'FEATURE_NOT_OFFERED' });
  const bulk = (command: 'lock' | 'unlock', sales: Sale[], dry_run: boolean) =>
    world.inOrg((tx) =>
      world.locking.bulk(tx, world.shop, {
        command,
        reason,
        customer_ids: sales.map(({ customerId }) => customerId),
        dry_run,
      }),
    );
  for (const isDry of [true, false]) {
    const { refusals, allowed } = await bulk('lock', [gone, other], isDry);
    expect(allowed).toBe(0);
    expect(refusals.toSorted((a, b) => a.rule.localeCompare(b.rule))).toEqual([
      { customer_id: gone.customerId, rule: 'FEATURE_NOT_OFFERED' },
      { customer_id: other.customerId, rule: 'NOT_OVERDUE' },
    ]);
  }
  expect(await bulk('unlock', [gone], true)).toMatchObject({ allowed: 1, refused: 0 });
});
