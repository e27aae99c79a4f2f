// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { endSession, keepSession, loseSession } from '#web/state/session.ts';
import { learnShopTime } from '#web/state/shop-clock.ts';
import { listPlace, type Place } from './place.ts';

const place: Place<string> = {
  key: 'all',
  data: ['Meena Pawar'],
  total: 1,
  page: 1,
  scrollPosition: 300,
  isTable: false,
  cache: undefined,
  at: 1_000,
};
const signIn = () =>
  keepSession(
    {
      token: 'T',
      account_id: 'a',
      user_id: 'sunita',
      user_type: 'retailer',
      org_id: 20,
      first_name: 'Sunita',
      shop_name: 'Sunita Mobile',
      mpin_set: true,
      seal_key: 'A'.repeat(43),
    },
    '+919000000001',
  );

it.each([
  ['a log-out', endSession],
  ['a session that the server ended', () => loseSession('T')],
])('after %s the next user of the phone sees nothing of the list that was left', (_name, end) => {
  const { keepPlace, placeOf } = listPlace<string>('listCustomers');
  signIn();
  keepPlace(place);
  expect(placeOf('all', 2_000)).toMatchObject({ data: ['Meena Pawar'], scrollPosition: 300 });
  end();
  expect(placeOf('all', 2_000)).toBeUndefined();
});

it('when a demo’s clock leaps a list that was left is not shown as it was on the day before', () => {
  const { keepPlace, placeOf } = listPlace<string>('listCustomers');
  const nowMs = Date.now();
  learnShopTime(new Date(nowMs).toISOString());
  keepPlace(place);
  learnShopTime(new Date(nowMs + 10_000).toISOString());
  expect(placeOf('all', 2_000)).toMatchObject({ data: ['Meena Pawar'] });
  learnShopTime(new Date(nowMs + 24 * 3_600_000).toISOString());
  expect(placeOf('all', 2_000)).toBeUndefined();
});
