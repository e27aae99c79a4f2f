import { addDays, isoDate } from '@kist/contract/dates';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { lockTimeline } from './locking.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const DUE = isoDate('2026-03-10');
const grant = ({ customerId }: Sale, untilOn = addDays(DUE, 5), actor = world.shop) =>
  world.inOrg((tx) =>
    world.locking.hold(tx, actor, { customerId, kind: 'medical', untilOn, note: 'in hospital until Saturday' }),
  );
const lift = (holdId: string, actor = world.shop) =>
  world.inOrg((tx) => world.locking.liftHold(tx, actor, { holdId, note: 'paid again' }));
const holdsOf = async ({ agreement }: Sale) =>
  (await world.db.read(ORG, (tx) => lockTimeline(tx, agreement.agreement_id)))!.holds;
const actionsOf = ({ agreement }: Sale) =>
  world.db.asOwner<{ action: string }>(
    `select action from audit_lines where subject_kind = 'agreement' and subject_id = $1 and action like 'hold%' order by seq`,
    [agreement.agreement_id],
  );

it('nothing rises while a hold stands, by server, lease or person; lifted, the ladder goes on by its rules', async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  const { hold_id } = await grant(sale, addDays(DUE, 60));
  const firstByLease = async () => (await world.leaseOf(sale)).ladder[0]!.at.slice(0, 10);
  expect(await firstByLease()).toBe(addDays(DUE, 61));
  expect(await holdsOf(sale)).toEqual([
    { hold_id, kind: 'medical', until_on: addDays(DUE, 60), is_organisations: false },
  ]);
  for (const dpd of [1, 2, 3, 4]) await world.day(addDays(DUE, dpd));
  expect(await world.levelOf(sale)).toBe(0);
  const byHand = await world.inOrg((tx) =>
    world.locking.requestLock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }),
  );
  expect('refused' in byHand && byHand.refused.failing.map(({ rule }) => rule)).toContain('HOLD_ACTIVE');
  await lift(hold_id);
  expect(await holdsOf(sale)).toEqual([]);
  expect(await firstByLease()).toBe(addDays(DUE, 4));
  await world.day(addDays(DUE, 5));
  expect(await world.levelOf(sale)).toBe(1);
  expect(await actionsOf(sale)).toEqual([{ action: 'hold_recorded' }, { action: 'hold_lifted' }]);
});

it('frees nothing: what holds the phone stays, and a payment opens it as ever', async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  for (const dpd of [1, 2]) await world.day(addDays(DUE, dpd));
  await grant(sale);
  expect(await world.levelOf(sale)).toBe(2);
  await world.pay(sale, 1);
  expect(await world.levelOf(sale)).toBe(0);
});

it('is granted for 90 days at most, and not for a day that is over', async () => {
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  const wrong = { code: 'INVALID_INPUT', options: { fields: [{ path: 'until_on', key: 'field.hold_until' }] } };
  await expect(grant(sale, isoDate('2026-03-07'))).rejects.toMatchObject(wrong);
  await expect(grant(sale, addDays(isoDate('2026-03-08'), 91))).rejects.toMatchObject(wrong);
  await grant(sale, addDays(isoDate('2026-03-08'), 90));
});

it('is lifted once, by the shop that answers for it, and only where a person granted it', async () => {
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  const { hold_id } = await grant(sale);
  await expect(lift(hold_id, { ...world.shop, userType: 'miniretailer' })).rejects.toThrow('FORBIDDEN');
  await expect(lift(hold_id, { ...world.shop, visibleOwnerIds: [] })).rejects.toThrow('NOT_FOUND');
  await lift(hold_id);
  await expect(lift(hold_id)).rejects.toThrow('STATE_CONFLICT');
  const { hold_id: manual } = await world.inOrg((tx) =>
    world.locking.hold(tx, world.shop, {
      customerId: sale.customerId,
      kind: 'manual',
      untilOn: addDays(DUE, 1),
      note: '',
    }),
  );
  await expect(lift(manual)).rejects.toThrow('STATE_CONFLICT');
});

it('said again by the same person it is the hold of before, also by two at once; in other words, by another or once lifted it is a new one', async () => {
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  const [{ hold_id }, at_once] = await Promise.all([grant(sale), grant(sale)]);
  expect(at_once).toEqual({ hold_id });
  expect(await grant(sale)).toEqual({ hold_id });
  expect(await holdsOf(sale)).toHaveLength(1);
  expect(await actionsOf(sale)).toEqual([{ action: 'hold_recorded' }]);
  await grant(sale, addDays(DUE, 6));
  await grant(sale, addDays(DUE, 5), SYSTEM(ORG));
  expect(await holdsOf(sale)).toHaveLength(3);
  await lift(hold_id);
  expect(await grant(sale)).not.toEqual({ hold_id });
  expect(await holdsOf(sale)).toHaveLength(3);
});

it('what was written of a hold stays: the database refuses another day and a second end', async () => {
  const sale = await world.sell();
  const { hold_id } = await grant(sale);
  const change = (text: string) => world.db.asOwner(`update holds set ${text} where hold_id = $1`, [hold_id]);
  await expect(change(`until_on = until_on - 30`)).rejects.toThrow('facts stay');
  await lift(hold_id);
  await expect(change(`lifted_note = 'x'`)).rejects.toThrow('lifted once');
});

it('one that the organisation granted is no shop’s to end, and says so', async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  const { hold_id } = await grant(sale, addDays(DUE, 5), SYSTEM(ORG));
  expect(await holdsOf(sale)).toMatchObject([{ hold_id, is_organisations: true }]);
  await expect(lift(hold_id)).rejects.toMatchObject({ code: 'HOLD_OF_ORGANISATION' });
  expect(await holdsOf(sale)).toHaveLength(1);
  expect(await lift(hold_id, SYSTEM(ORG))).toEqual({ hold_id });
});

it('is told only while the agreement runs: once all is paid, no time is spoken of that has not passed yet', async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  await grant(sale, addDays(DUE, 5));
  expect(await holdsOf(sale)).toHaveLength(1);
  for (let no = 1; no <= 6; no += 1) await world.pay(sale, no);
  expect(await holdsOf(sale)).toEqual([]);
});
