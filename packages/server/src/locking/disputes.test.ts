import { addDays, isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { disputesOf, disputesToDecide } from './locking.ts';

const world = useLockWorld();
let admin: Actor;
beforeAll(() => {
  admin = { ...world.shop, userType: 'admin', visibleOwnerIds: [] };
});
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
});

const DUE = isoDate('2026-03-10');
const { ownerOf, open, answer, further, decide } = disputeActs(() => world);
const fromPhone = ({ deviceId }: Sale) =>
  world.inOrg((tx) => world.locking.disputeFromPhone(tx, { deviceId, text: 'I paid in cash.' }));
const seen = ({ agreement }: Sale) => world.db.read(ORG, (tx) => disputesOf(tx, agreement.agreement_id));
const statesOf = async (sale: Sale) => (await seen(sale)).map(({ state }) => state);
const actionsOf = async ({ agreement }: Sale) =>
  (
    await world.db.asOwner<{ action: string; data: { state: string } }>(
      `select action, data from audit_lines where subject_kind = 'agreement' and subject_id = $1 and action like 'dispute%' order by seq`,
      [agreement.agreement_id],
    )
  ).map(({ action, data }) => `${action} ${data.state}`);
const textsTo = async ({ agreement }: Sale) =>
  (
    await world.db.asOwner<{ body: string }>(
      `select body from notices where agreement_id = $1 and kind = 'dispute' order by created_at, notice_id`,
      [agreement.agreement_id],
    )
  ).map(({ body }) => body);
const instalment = async ({ agreement }: Sale, no: number) =>
  (
    await world.db.asOwner<{ id: string }>(
      'select instalment_id as id from instalments where agreement_id = $1 and no = $2',
      [agreement.agreement_id, no],
    )
  )[0]!.id;
/** The daily run's steps up to the day on which level 3 may be taken, and nothing else is in the way. */
async function climb(): Promise<void> {
  for (const dpd of [1, 2]) await world.day(addDays(DUE, dpd));
}
const byHand = async (sale: Sale, reason: 'EMI_OVERDUE' | 'ORG_OVERRIDE' = 'EMI_OVERDUE', actor = world.shop) => {
  const done = await world.inOrg((tx) =>
    world.locking.requestLock(tx, actor, sale.customerId, { reason, note: 'agreed with the regional head' }),
  );
  return 'refused' in done ? done.refused.failing.map(({ rule }) => rule) : 'locked';
};
const noon = (days: number) => world.at(`${addDays(DUE, days)}T12:00:00`);

describe('from its first word to the last', () => {
  it('no override is written beside a lock that stands already, by one person or two', async () => {
    await world.at('2026-03-08T09:00:00');
    const sale = await world.sell({ policy: { ...POLICY_PRESETS.dealer, overrideAllowed: true } });
    await climb();
    for (const dpd of [3, 4]) await world.day(addDays(DUE, dpd));
    expect(await world.levelOf(sale)).toBe(3);
    expect(await byHand(sale, 'ORG_OVERRIDE')).toContain('OVERRIDE_NEEDS_SECOND');
    await open(sale);
    for (const actor of [world.shop, world.second])
      expect(await byHand(sale, 'ORG_OVERRIDE', actor)).toContain('DISPUTE_OPEN');
    const causes = await world.db.asOwner<{ cause: string }>(
      'select cause from locks where device_id = $1 and level > 0',
      [sale.deviceId],
    );
    expect(causes).toEqual([{ cause: 'debt' }]);
  });

  it('nothing rises while it waits and for seven days after each answer: not by the daily run, by hand, in bulk, by an override of two, nor by a switch', async () => {
    await world.at('2026-03-08T09:00:00');
    const policy = { ...POLICY_PRESETS.dealer, overrideAllowed: true };
    const sale = await world.sell({ policy });
    await climb();
    expect(await world.levelOf(sale)).toBe(2);
    const { dispute_id } = await open(sale);
    const refuses = async (rule: string) => {
      expect(await byHand(sale)).toContain(rule);
      // The first asks, the second agrees.
      expect(await byHand(sale, 'ORG_OVERRIDE')).toContain(rule);
      expect(await byHand(sale, 'ORG_OVERRIDE', world.second)).toContain(rule);
      const order = {
        command: 'lock',
        reason: 'EMI_OVERDUE',
        customer_ids: [sale.customerId],
        dry_run: false,
      } as const;
      const many = await world.inOrg((tx) => world.locking.bulk(tx, world.shop, order));
      expect(many).toMatchObject({ allowed: 0, refusals: [{ rule }] });
      const taken = await world.inOrg((tx) =>
        world.locking.requestSwitch(tx, world.shop, {
          customerId: sale.customerId,
          type: 'app_lock',
          reason: 'EMI_OVERDUE',
        }),
      );
      expect('refused' in taken && taken.refused.failing.map((one) => one.rule)).toContain(rule);
      expect(await world.levelOf(sale)).toBe(2);
    };
    for (const dpd of [3, 4, 9]) {
      await world.day(addDays(DUE, dpd));
      await refuses('DISPUTE_OPEN');
    }
    await answer(dispute_id);
    for (const dpd of [10, 15]) {
      await world.day(addDays(DUE, dpd));
      await refuses('DISPUTE_ANSWERED');
    }
    await further(dispute_id, ownerOf(sale));
    for (const dpd of [17, 30]) {
      await world.day(addDays(DUE, dpd));
      await refuses('DISPUTE_OPEN');
    }
    await answer(dispute_id, admin);
    await world.day(addDays(DUE, 36));
    await refuses('DISPUTE_ANSWERED');
    await world.day(addDays(DUE, 38));
    expect(await world.levelOf(sale)).toBe(3);
    expect(await actionsOf(sale)).toEqual([
      'dispute_opened open',
      'dispute_moved answered',
      'dispute_moved escalated',
      'dispute_moved closed',
    ]);
  });

  it('is about one instalment, the oldest unpaid where none is named, and tells all that was said to both sides', async () => {
    const sale = await world.sell();
    const { dispute_id } = await open(sale);
    await open(sale, ownerOf(sale), await instalment(sale, 3));
    await expect(open(sale)).rejects.toThrow('DISPUTE_ALREADY_OPEN');
    await expect(open(sale, world.shop, await instalment(sale, 3))).rejects.toThrow('DISPUTE_ALREADY_OPEN');
    await expect(open(sale, ownerOf(sale), await instalment(await world.sell(), 1))).rejects.toThrow('NOT_FOUND');
    await world.at('2026-03-06T12:00:00');
    await answer(dispute_id);
    expect(await seen(sale)).toMatchObject([
      { state: 'open', instalment_no: 3, due_on: '2026-05-10', stops_until: null },
      {
        state: 'answered',
        instalment_no: 1,
        due_on: DUE,
        stops_until: expect.stringMatching(/^2026-03-13T06:30/),
        moves: [
          { state: 'open', by: 'customer', text: 'I paid in cash.', at: expect.stringMatching(/^2026-03-05T06:30/) },
          { state: 'answered', by: 'shop', text: 'No payment found.', at: expect.stringMatching(/^2026-03-06T06:30/) },
        ],
      },
    ]);
  });

  it('each answer is told to the customer by the house’s own words in their language, with the day till which nothing rises', async () => {
    const sale = await world.sell({ language: 'hn' });
    const { dispute_id } = await open(sale);
    await answer(dispute_id);
    await further(dispute_id, ownerOf(sale));
    await answer(dispute_id, admin);
    const texts = await textsTo(sale);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('12-03-2026 तक कंपनी से शिकायत करें');
    expect(texts[0]).toContain('10-03-2026 की किस्त');
    expect(texts[1]).toContain('कंपनी ने दे दिया है');
    expect(texts.join(' ')).not.toMatch(/No payment|[{}]/);
  });

  it('is taken further within seven days and not after, by the customer or in their name, never by the organisation', async () => {
    const [late, soon, other] = [await world.sell(), await world.sell(), await world.sell()];
    const ids = [(await open(late)).dispute_id, (await open(soon)).dispute_id] as const;
    await expect(further(ids[0], ownerOf(late))).rejects.toThrow('STATE_CONFLICT');
    for (const id of ids) await answer(id);
    await world.at('2026-03-12T11:59:00');
    await expect(further(ids[1], ownerOf(other))).rejects.toThrow('NOT_FOUND');
    await expect(further(ids[1], admin)).rejects.toThrow('NOT_FOUND');
    expect(await further(ids[1], world.shop)).toMatchObject({ state: 'escalated' });
    await world.at('2026-03-12T12:01:00');
    await expect(further(ids[0], ownerOf(late))).rejects.toThrow('STATE_CONFLICT');
  });

  it('is answered once, by the shop; what was taken further is the organisation’s to answer; never by a customer, a mini-retailer or who may not lock', async () => {
    const sale = await world.sell();
    const { dispute_id } = await open(sale);
    const { shop } = world;
    const barred = { ...shop, lockAccess: { ...shop.lockAccess, lock: '0' as const } };
    await expect(answer(dispute_id, { ...shop, userType: 'miniretailer' })).rejects.toThrow('FORBIDDEN');
    await expect(answer(dispute_id, ownerOf(sale))).rejects.toThrow('FORBIDDEN');
    await expect(answer(dispute_id, { ...shop, visibleOwnerIds: [] })).rejects.toThrow('NOT_FOUND');
    await expect(answer(dispute_id, barred)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    expect(await statesOf(sale)).toEqual(['open']);
    await answer(dispute_id);
    await expect(answer(dispute_id)).rejects.toThrow('STATE_CONFLICT');
    await further(dispute_id, ownerOf(sale));
    await expect(answer(dispute_id)).rejects.toThrow('FORBIDDEN');
    expect(await answer(dispute_id, admin)).toMatchObject({ state: 'closed' });
    await expect(answer(dispute_id, admin)).rejects.toThrow('STATE_CONFLICT');
  });
});

describe('a third time', () => {
  /** The customer has disputed it twice, and both were answered for good. */
  async function disputedTwice(): Promise<Sale> {
    await world.at('2026-03-08T09:00:00');
    const sale = await world.sell();
    await climb();
    for (const days of [2, 10]) {
      await noon(days);
      await answer((await open(sale)).dispute_id);
    }
    await noon(18);
    return sale;
  }

  it('nothing rises until the organisation has decided; if it does not hold, nothing keeps the ladder, and it is not disputed again', async () => {
    const sale = await disputedTwice();
    const { dispute_id, state } = await open(sale);
    expect(state).toBe('undecided');
    await world.day(addDays(DUE, 60));
    expect([await world.levelOf(sale), await byHand(sale)]).toEqual([2, expect.arrayContaining(['DISPUTE_OPEN'])]);
    await expect(open(sale)).rejects.toThrow('DISPUTE_ALREADY_OPEN');
    expect(await world.db.read(ORG, (tx) => disputesToDecide(tx, admin))).toContainEqual(
      expect.objectContaining({ dispute_id, customer_id: sale.customerId, state: 'undecided' }),
    );
    await expect(world.db.read(ORG, (tx) => disputesToDecide(tx, world.shop))).rejects.toThrow('FORBIDDEN');
    for (const by of [world.shop, ownerOf(sale)])
      await expect(decide(dispute_id, true, by)).rejects.toThrow('FORBIDDEN');
    await expect(answer(dispute_id)).rejects.toThrow('STATE_CONFLICT');
    expect(await decide(dispute_id, false)).toMatchObject({ state: 'rejected' });
    await expect(decide(dispute_id, true)).rejects.toThrow('STATE_CONFLICT');
    await world.day(addDays(DUE, 61));
    expect(await world.levelOf(sale)).toBe(3);
    await expect(open(sale)).rejects.toThrow('DISPUTE_DECIDED');
    await fromPhone(sale);
    expect((await statesOf(sale))[0]).toBe('rejected');
    expect((await textsTo(sale)).at(-1)).toContain('did not accept your complaint');
    // Another instalment is another matter, and so is what the shop records.
    await open(sale, ownerOf(sale), await instalment(sale, 2));
    await open(sale, world.shop);
  });

  it('that holds is one like the first: the shop answers it, and it can be taken further', async () => {
    const sale = await disputedTwice();
    const { dispute_id } = await open(sale);
    expect(await decide(dispute_id, true)).toMatchObject({ state: 'open' });
    await answer(dispute_id);
    await world.day(addDays(DUE, 24));
    expect(await world.levelOf(sale)).toBe(2);
    expect(await further(dispute_id, ownerOf(sale))).toMatchObject({ state: 'escalated' });
  });
});

describe('from the phone', () => {
  it('is one dispute however often it is pressed; pressed after an answer it goes further; of an agreement that is over there is none', async () => {
    const [sale, paid] = [await world.sell(), await world.sell({ tenure: 1 })];
    await fromPhone(sale);
    await fromPhone(sale);
    const [one] = await seen(sale);
    expect(one).toMatchObject({ state: 'open', instalment_no: 1, moves: [{ by: 'customer' }] });
    await answer(one!.dispute_id);
    await fromPhone(sale);
    await fromPhone(sale);
    expect(await statesOf(sale)).toEqual(['escalated']);
    expect((await world.pay(paid, 1)).agreement_state).toBe('completed');
    await fromPhone(paid);
    expect(await seen(paid)).toEqual([]);
    const bell = await world.db.asOwner(`select kind from notifications where customer_id = $1`, [sale.customerId]);
    expect(new Set(bell.map(({ kind }) => kind))).toEqual(new Set(['dispute_escalated', 'dispute_opened']));
  });
});

it('words that the phone says once more in its next report, because it heard no answer, are the same dispute', async () => {
  const sale = await world.sell();
  await fromPhone(sale);
  const [one] = await seen(sale);
  await answer(one!.dispute_id);
  const report = { kind: 'dispute', at: '2026-03-05T11:59:00', data: { text: 'I paid in cash.' } };
  await world.tell(sale, report);
  await world.at('2026-03-20T12:00:00');
  await world.tell(sale, report);
  expect(await statesOf(sale)).toEqual(['answered']);
  await world.tell(sale, { ...report, at: '2026-03-20T11:00:00' });
  expect(await statesOf(sale)).toEqual(['open', 'answered']);
});

it.each([{}, { text: '' }, { text: ' \n ' }])(
  'a button that is pressed without words is a dispute: %j',
  async (data) => {
    const sale = await world.sell();
    const at = '2026-03-05T11:59:00';
    await world.tell(sale, { kind: 'dispute', at, data }, { kind: 'dispute', at, data });
    expect((await seen(sale)).map(({ moves }) => moves)).toMatchObject([[{ state: 'open', text: '—' }]]);
  },
);
