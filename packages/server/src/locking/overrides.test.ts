import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import type { Actor } from '#server/identity/identity.ts';
import { LATE_POLICY as late } from '#test/asked-of-two.ts';
import { makeAdmin, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { bellLines } from '#test/rung.ts';
import { forgetWordsAbout } from './erasure-store.ts';
import { overrideOf } from './override-asks.ts';
import { whatWaits } from './waiting.ts';

const NOTE = 'the owner agreed in writing';

let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell({ policy: late });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.at('2026-03-13T14:00:00');
});

const order = (by: Actor, note = NOTE) =>
  world.inOrg(async (tx) => {
    const outcome = await world.locking.requestLock(tx, by, sale.customerId, { reason: 'ORG_OVERRIDE', note });
    return 'refused' in outcome ? outcome.refused.rule : 'ordered';
  });
const preview = (by: Actor) =>
  world.inOrg(async (tx) => {
    const asked = { reason: 'ORG_OVERRIDE' as const, note: NOTE };
    return (await world.locking.previewLock(tx, by, sale.customerId, asked)).rule;
  });
const seenBy = (by: Actor) => world.inOrg((tx) => overrideOf(tx, by, sale.deviceId));
const decide = (by: Actor, ask_id: string, is_agreed: boolean, note?: string) =>
  world.inOrg((tx) => world.locking.decideOverride(tx, by, { ask_id, is_agreed, note }));
const bellOf = async ({ userId }: Actor) =>
  (
    await world.db.asOwner<{ kind: string }>(
      `select kind from notifications where user_id = $1 and customer_id = $2 and kind like 'override%' order by created_at`,
      [userId, sale.customerId],
    )
  ).map(({ kind }) => kind);
const audited = async () =>
  (
    await world.db.asOwner<{ action: string }>(
      `select action from audit_lines where subject_id = $1 and action like 'override%' order by seq`,
      [sale.deviceId],
    )
  ).map(({ action }) => action);

/** The shop asks. @returns what waits */
async function askedId(): Promise<string> {
  expect(await order(world.shop)).toBe('OVERRIDE_NEEDS_SECOND');
  return (await seenBy(world.shop))!.asked!.ask_id;
}

it('waits for a second person, who hears of it and is told that the gate would let it pass', async () => {
  expect([await seenBy(world.shop), await preview(world.shop)]).toEqual([{ asked: null }, 'OVERRIDE_NEEDS_SECOND']);
  expect(await order(world.shop)).toBe('OVERRIDE_NEEDS_SECOND');
  expect(await order(world.shop, 'said once more, in other words')).toBe('OVERRIDE_NEEDS_SECOND');
  expect((await seenBy(world.shop))!.asked).toMatchObject({ is_own: true, may_agree: false, reason: NOTE });
  expect((await seenBy(world.second))!.asked).toMatchObject({
    is_own: false,
    may_agree: true,
    ends_at: expect.stringMatching(/^2026-03-14T08:30:0/),
  });
  const admin = await makeAdmin(world.db, ORG);
  const mini = await makeRetailer(world.db, ORG, world.shop);
  await decide(world.shop, (await seenBy(world.shop))!.asked!.ask_id, false);
  const theirs = await world.sell({ policy: late, actor: mini });
  for (const day of ['2026-03-14', '2026-03-15', '2026-03-16']) await world.day(day);
  await world.inOrg((tx) =>
    world.locking.requestLock(tx, mini, theirs.customerId, { reason: 'ORG_OVERRIDE', note: NOTE }),
  );
  // The administrator, who is told of no customer, and not the retailer whose mini-retailer asks.
  const rung = await world.db.asOwner<{ user_id: string; customer_id: string | null }>(
    `select user_id, customer_id from notifications where kind = 'override_asked' and user_id = any($1) order by customer_id nulls last`,
    [[world.shop.userId, admin.userId, mini.userId]],
  );
  expect(rung).toEqual([{ user_id: admin.userId, customer_id: null }]);
  expect([await preview(world.shop), await preview(world.second)]).toEqual([
    'OVERRIDE_NEEDS_SECOND',
    'OVERRIDE_NEEDS_SECOND',
  ]);
  expect(await seenBy(customerOf(world, sale))).toBeNull();
  expect(await audited()).toEqual(['override_asked', 'override_refused']);
});

it('takes a second who answers for a shop of its own: a mini-retailer, which its retailer makes, is no second person', async () => {
  const mini = await makeRetailer(world.db, ORG, world.shop);
  await world.db.plant(
    ['customers', 'agreements'],
    `with moved as (update customers set owner_user_id = $2 where customer_id = $1)
     update agreements set owner_user_id = $2 where customer_id = $1`,
    [sale.customerId, mini.userId],
  );
  // As the retailer's session says by now.
  world.shop.visibleOwnerIds.push(mini.userId);
  const ask_id = await askedId();
  expect((await seenBy(mini))!.asked).toMatchObject({ is_own: false, may_agree: false });
  await expect(decide(mini, ask_id, true)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  expect(await order(mini)).toBe('OVERRIDE_NEEDS_SECOND');
  expect(await world.levelOf(sale)).toBe(2);
  const byHand = world.inOrg((tx) =>
    tx.query(`update override_asks set state = 'agreed', decided_by = $2 where org_id = kist_org() and ask_id = $1`, [
      ask_id,
      mini.userId,
    ]),
  );
  await expect(byHand).rejects.toThrow('it takes two');
});

it('is one person’s word where a retailer agrees to what its own mini-retailer asks: another is asked', async () => {
  const mini = await makeRetailer(world.db, ORG, world.shop);
  await world.db.plant(
    ['customers', 'agreements'],
    `with moved as (update customers set owner_user_id = $2 where customer_id = $1)
     update agreements set owner_user_id = $2 where customer_id = $1`,
    [sale.customerId, mini.userId],
  );
  world.shop.visibleOwnerIds.push(mini.userId);
  expect(await order(mini)).toBe('OVERRIDE_NEEDS_SECOND');
  const asked = (await seenBy(world.shop))!.asked!;
  expect(asked).toMatchObject({ is_own: false, may_agree: false });
  const { list } = await world.db.read(ORG, (tx) => whatWaits(tx, world.shop, { page: 1, page_size: 100 }));
  expect(list.find(({ id }) => id === asked.ask_id)).toMatchObject({ is_own: false, may_agree: false });
  await expect(decide(world.shop, asked.ask_id, true)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  // Nor does it become the second by asking for the same.
  expect([await preview(world.shop), await order(world.shop)]).toEqual([
    'OVERRIDE_NEEDS_SECOND',
    'OVERRIDE_NEEDS_SECOND',
  ]);
  const byHand = world.inOrg((tx) =>
    tx.query(`update override_asks set state = 'agreed', decided_by = $2 where org_id = kist_org() and ask_id = $1`, [
      asked.ask_id,
      world.shop.userId,
    ]),
  );
  await expect(byHand).rejects.toThrow('it takes two');
  expect(await world.levelOf(sale)).toBe(2);
  expect(await decide(await makeAdmin(world.db, ORG), asked.ask_id, true)).toMatchObject({ state: 'agreed' });
  expect(await world.levelOf(sale)).toBe(3);
});

it.each([
  [
    'was suspended',
    () => world.db.asOwner('update users set is_active = false where user_id = $1', [world.shop.userId]),
  ],
  [
    'has given the customer away',
    () =>
      world.db.plant(['agreements'], 'update agreements set owner_user_id = $2 where agreement_id = $1', [
        sale.agreement.agreement_id,
        world.second.userId,
      ]),
  ],
])('is nobody’s word any more once who asked %s', async (_why, happen) => {
  const ask_id = await askedId();
  await happen();
  expect(await seenBy(world.second)).toEqual({ asked: null });
  await expect(decide(await makeAdmin(world.db, ORG), ask_id, true)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await world.levelOf(sale)).toBe(2);
  await world.db.asOwner('update users set is_active = true where user_id = $1', [world.shop.userId]);
});

it('locks when another agrees, once, and who asked hears of it', async () => {
  const ask_id = await askedId();
  await expect(decide(world.shop, ask_id, true)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  expect(await world.levelOf(sale)).toBe(2);
  expect(await decide(world.second, ask_id, true)).toMatchObject({
    ask_id,
    state: 'agreed',
    revision: expect.any(Number),
  });
  expect(await world.levelOf(sale)).toBe(3);
  expect([await bellOf(world.shop), await audited()]).toEqual([
    ['override_decided'],
    ['override_asked', 'override_agreed'],
  ]);
  expect(await seenBy(world.shop)).toEqual({ asked: null });
  await expect(decide(world.second, ask_id, false)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await world.violations()).toEqual([]);
});

it('ends with nobody else’s no: who may not agree may not refuse', async () => {
  const ask_id = await askedId();
  const mini = await makeRetailer(world.db, ORG, world.second);
  const third = { ...mini, visibleOwnerIds: [world.shop.userId, mini.userId] };
  await expect(decide(third, ask_id, false, 'not now')).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  expect((await seenBy(world.second))!.asked).toMatchObject({ ask_id });
  expect(await decide(world.second, ask_id, false)).toMatchObject({ state: 'refused' });
});

it('is asked for some times a day for one agreement, and not again before the first is a day old', async () => {
  const admin = await makeAdmin(world.db, ORG);
  const rung = async () =>
    (await world.db.asOwner(`select from notifications where user_id = $1 and kind = 'override_asked'`, [admin.userId]))
      .length;
  for (let n = 0; n < LIMITS.overrideAsksPerDay; n += 1) await decide(world.shop, await askedId(), false);
  await expect(order(world.shop)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    options: { retryAfterS: expect.any(Number) },
  });
  expect([await rung(), await seenBy(world.shop)]).toEqual([LIMITS.overrideAsksPerDay, { asked: null }]);
  await world.at('2026-03-14T14:00:10');
  expect(await order(world.shop)).toBe('OVERRIDE_NEEDS_SECOND');
});

it('ends with a no, of the second person or of who asked', async () => {
  for (const by of [world.second, world.shop]) {
    const ask_id = await askedId();
    expect(await decide(by, ask_id, false)).toEqual({ ask_id, state: 'refused', command_id: null, revision: null });
    await expect(decide(world.second, ask_id, true)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  }
  expect(await world.levelOf(sale)).toBe(2);
  expect(await bellOf(world.shop)).toEqual(['override_decided']);
});

it('a no says why to who asked, in the bell; the history knows that it does, and no words', async () => {
  const ask_id = await askedId();
  await decide(world.second, ask_id, false, 'she has paid in cash');
  const line = (await bellLines(world.db, world.shop)).find(({ data }) => data['ask_id'] === ask_id);
  expect(line).toMatchObject({
    kind: 'override_decided',
    data: { ask_id, is_approved: 0 },
    note: 'she has paid in cash',
  });
  const [refused] = await world.db.asOwner(
    `select data from audit_lines where subject_id = $1 and action = 'override_refused' order by seq desc limit 1`,
    [sale.deviceId],
  );
  expect(refused).toEqual({ data: { ask_id, asked_by: world.shop.userId, has_note: true } });
  const change = (note: string | null) =>
    world.inOrg((tx) => tx.query('update override_asks set refusal_note = $2 where ask_id = $1', [ask_id, note]));
  for (const note of ['another', null]) await expect(change(note)).rejects.toThrow('facts stay as they were written');
  await world.inOrg((tx) => forgetWordsAbout(tx, { customer_id: sale.customerId }));
  const [kept] = await world.db.asOwner('select refusal_note from override_asks where ask_id = $1', [ask_id]);
  expect(kept).toEqual({ refusal_note: '—' });
});

it('ends by itself after a day', async () => {
  const ask_id = await askedId();
  await world.at('2026-03-14T14:00:10');
  expect(await seenBy(world.shop)).toEqual({ asked: null });
  await expect(decide(world.second, ask_id, true)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await askedId()).not.toBe(ask_id);
});

it('never passes what came between, whoever agrees, and waits on', async () => {
  const ask_id = await askedId();
  await world.inOrg((tx) =>
    world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid in cash.' }),
  );
  expect(await decide(world.second, ask_id, true)).toMatchObject({ refused: { rule: 'DISPUTE_OPEN' } });
  expect(await world.levelOf(sale)).toBe(2);
  expect((await seenBy(world.second))!.asked).toMatchObject({ ask_id });
});

it('never passes what came between where the second asks for the same, and waits on', async () => {
  const ask_id = await askedId();
  await world.inOrg((tx) =>
    world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I paid in cash.' }),
  );
  expect([await order(world.second), await world.levelOf(sale)]).toEqual(['DISPUTE_OPEN', 2]);
  expect((await seenBy(world.second))!.asked).toMatchObject({ ask_id });
});

it('locks nothing of an agreement that is over meanwhile, whoever agrees', async () => {
  const ask_id = await askedId();
  for (let no = 1; no <= 6; no += 1) await world.pay(sale, no);
  expect(await world.levelOf(sale)).toBe(0);
  await expect(decide(world.second, ask_id, true)).rejects.toMatchObject({ code: 'FEATURE_NOT_OFFERED' });
  expect(await world.levelOf(sale)).toBe(0);
  expect(await world.violations()).toEqual([]);
});

it('takes a phone that the lock is offered for by now, and that is there to be locked', async () => {
  const ask_id = await askedId();
  const offer = (lists: object) =>
    world.db.asOwner('update organisations set allowed_features = $2 where org_id = $1', [ORG, JSON.stringify(lists)]);
  await offer({ DPC: ['app_lock'] });
  await expect(decide(world.second, ask_id, true)).rejects.toMatchObject({ code: 'FEATURE_NOT_OFFERED' });
  await offer({});
  await world.db.plant(['devices'], 'update devices set enrolled_at = null where device_id = $1', [sale.deviceId]);
  await expect(decide(world.second, ask_id, true)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await world.levelOf(sale)).toBe(2);
});

it('is for who looks after the customer, and the organisation’s administrator', async () => {
  const ask_id = await askedId();
  const rival = await makeRetailer(world.db, ORG);
  await expect(decide(rival, ask_id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const wordless = { ...world.second, lockAccess: { ...world.second.lockAccess, lock: '0' as const } };
  await expect(decide(wordless, ask_id, true)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  expect(await decide(await makeAdmin(world.db, ORG), ask_id, true)).toMatchObject({ state: 'agreed' });
  expect(await world.levelOf(sale)).toBe(3);
});

it('is not offered where the rules know no override', async () => {
  const strict = await world.sell({ policy: { ...late, overrideAllowed: false } });
  expect(await world.inOrg((tx) => overrideOf(tx, world.shop, strict.deviceId))).toBeNull();
});

it('takes two by the database too, and what was decided stays', async () => {
  const ask_id = await askedId();
  const set = (state: string, by: string) =>
    world.inOrg((tx) =>
      tx.query('update override_asks set state = $2, decided_by = $3 where org_id = kist_org() and ask_id = $1', [
        ask_id,
        state,
        by,
      ]),
    );
  await expect(set('agreed', world.shop.userId)).rejects.toThrow('override_asks_second_person');
  const wordless = await makeRetailer(world.db, ORG);
  await world.db.asOwner(`update users set lock_access = lock_access || '{"lock": "0"}' where user_id = $1`, [
    wordless.userId,
  ]);
  await expect(set('agreed', wordless.userId)).rejects.toThrow('may not lock');
  await expect(set('ended', world.second.userId)).rejects.toThrow('override_asks');
  await set('refused', world.second.userId);
  await expect(set('agreed', world.second.userId)).rejects.toThrow('does not follow');
});
