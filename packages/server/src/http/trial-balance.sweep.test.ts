import { describe, expect, test } from 'vitest';
import { businessDate } from '@kist/contract/dates';
import { giveKeys } from '#test/factories.ts';
import { type WholeShop, useWholeShops } from '#test/whole-shop.ts';

const world = useWholeShops();

describe('the trial balance', () => {
  type Rows = { code: string; unit: string; debit: number; credit: number }[];
  const rowsOf = async (shop: WholeShop): Promise<Rows> => {
    const { data } = await world.http.call('trialBalance', { token: shop.token });
    expect([data.is_balanced, data.differences]).toEqual([true, []]);
    return data.rows;
  };
  const row = (rows: Rows, code: string) => rows.find((one) => one.code === code);

  test('of a retailer holds its own and its mini-retailer’s agreements, tills and keys, and nothing of its sibling', async () => {
    const [own, sibling] = [await rowsOf(world.own), await rowsOf(world.sibling)];
    const { own: a, mini, sibling: b } = world;
    expect(row(own, 'sales')).toMatchObject({ debit: 0, credit: a.pricePaise + mini.pricePaise });
    expect(row(sibling, 'sales')).toMatchObject({ debit: 0, credit: b.pricePaise });
    expect(row(own, 'clearing_cash')).toMatchObject({ debit: a.paidPaise + mini.paidPaise });
    expect(row(sibling, 'clearing_cash')).toMatchObject({ debit: b.paidPaise });
    expect(row(own, 'keys_issued')).toMatchObject({ credit: 1007 + 2007 });
    expect(row(sibling, 'keys_issued')).toMatchObject({ credit: 3007 });
    for (const rows of [own, sibling]) {
      expect(row(rows, 'elsewhere')).toBeUndefined();
      for (const unit of new Set(rows.map((one) => one.unit))) {
        const ofUnit = rows.filter((one) => one.unit === unit);
        expect(ofUnit.reduce((sum, one) => sum + one.debit - one.credit, 0)).toBe(0);
      }
    }
  });

  test('does not move when the sibling sells, takes money and gets keys', async () => {
    const before = await rowsOf(world.own);
    const { token, ids, actor } = world.sibling;
    await world.http.call('updateEmiStatus', {
      token,
      body: { instalment_id: ids.instalment_id, amount: 4321, method: 'UPI' },
    });
    await giveKeys(world.db, actor, { lot: 'granted', count: 99 });
    expect(await rowsOf(world.own)).toEqual(before);
    expect(row(await rowsOf(world.sibling), 'clearing_upi')).toMatchObject({ debit: 4321 });
  });

  test('of a day holds what was posted up to it', async () => {
    const on = businessDate(Date.now());
    const today = await world.http.call('trialBalance', { token: world.own.token, query: { on } });
    expect(today.data.rows).toEqual(await rowsOf(world.own));
    const earlier = await world.http.call('trialBalance', { token: world.own.token, query: { on: '2000-01-01' } });
    expect(earlier.data.rows).toEqual([]);
    // What the specification's clients write for the same.
    const until = await world.http.call('trialBalance', { token: world.own.token, query: { to: '2000-01-01' } });
    expect(until.data.rows).toEqual([]);
  });

  test('of one shop is that shop’s: its own for a shop, nobody else’s', async () => {
    const ask = (retailer_id: string, token: string) =>
      world.http.call('trialBalance', { token, query: { retailer_id } });
    const mine = await ask(world.own.actor.userId, world.own.token);
    expect(row(mine.data.rows, 'keys_issued')).toMatchObject({ credit: 1007 });
    expect((await ask(world.sibling.actor.userId, world.own.token)).status).toBe(404);
    expect((await ask('00000000-0000-4000-8000-000000000000', world.own.token)).status).toBe(404);
  });

  test('a difference in the sibling’s books is the sibling’s; the organisation’s check sees all', async () => {
    const { ids, actor } = world.sibling;
    await world.db.plant(['wallets'], 'update wallets set available = available + 5 where user_id = $1', [
      actor.userId,
    ]);
    await world.db.plant(
      ['instalments'],
      'update instalments set paid_principal_paise = paid_principal_paise + 1 where instalment_id = $1',
      [ids.instalment_id],
    );
    const own = await world.http.call('trialBalance', { token: world.own.token });
    expect([own.data.is_balanced, own.data.differences]).toEqual([true, []]);
    const sibling = await world.http.call('trialBalance', { token: world.sibling.token });
    expect(sibling.data.is_balanced).toBe(false);
    // The wallet has two lots; an instalment's paisa is missed wherever it is added up, and is paid before its interest.
    const ofKeys = sibling.data.differences.filter((one) => one.includes(actor.userId));
    expect([ofKeys.length, sibling.data.differences.length - ofKeys.length]).toEqual([2, 5]);
  });
});
