import { expect, test } from 'vitest';
import { newMobile } from '#test/http.ts';
import { sendForm, useWholeShops } from '#test/whole-shop.ts';

/** Shops as a client writes them that knows the specification's names alone. */
const world = useWholeShops();
const shopOf = async (user_id: string) =>
  (
    await world.db.asOwner<{ first_name: string; shop_name: string; user_type: string }>(
      'select first_name, shop_name, user_type from users where user_id = $1',
      [user_id],
    )
  )[0];

test('a retailer_id names the shop that is changed, and never oneself in its place', async () => {
  const { own, mini, sibling, http } = world;
  const before = await shopOf(own.actor.userId);
  const change = (retailer_id: string) =>
    http.call('updateUser', { token: own.token, rawBody: { retailer_id, firstName: 'Kamala' } });
  expect((await change(mini.actor.userId)).data).toMatchObject({ user_id: mini.actor.userId });
  expect(await shopOf(mini.actor.userId)).toMatchObject({ first_name: 'Kamala' });
  expect((await change(sibling.actor.userId)).code).toBe('NOT_FOUND');
  expect(await shopOf(own.actor.userId)).toEqual(before);
  // Where both stand, the call's own name counts.
  const both = { retailer_id: mini.actor.userId, user_id: own.actor.userId, firstName: before!.first_name };
  expect((await http.call('updateUser', { token: own.token, rawBody: both })).data.user_id).toBe(own.actor.userId);
});

test('a retailer_id names the shop whose picture is asked for', async () => {
  const { own, sibling, http } = world;
  const query = { kind: 'qr', retailer_id: sibling.actor.userId };
  expect((await http.call('getUserPicture', { token: own.token, query: query as never })).code).toBe('NOT_FOUND');
});

test('an account_id is never read over: what is changed, listed or shown is of the shop it names', async () => {
  const { own, mini, sibling, http } = world;
  const before = await shopOf(own.actor.userId);
  const account_id = mini.actor.userId;
  const change = (id: string) =>
    http.call('updateUser', { token: own.token, rawBody: { account_id: id, first_name: 'Sarla' } });
  expect((await change(account_id)).data).toMatchObject({ user_id: account_id });
  expect(await shopOf(account_id)).toMatchObject({ first_name: 'Sarla' });
  expect((await change(sibling.actor.userId)).code).toBe('NOT_FOUND');
  expect(await shopOf(own.actor.userId)).toEqual(before);
  for (const [call, kind] of [
    ['uploadRetailerQr', 'qr'],
    ['uploadRetailerSignature', 'signature'],
  ] as const) {
    const had = await picturesOf(own.actor.userId);
    expect((await sendForm(http, call, own.token, { account_id })).statusCode).toBe(200);
    expect(await picturesOf(own.actor.userId)).toEqual(had);
    const shown = await http.call('getUserPicture', { token: own.token, query: { kind, account_id } });
    expect(shown.data.data_url).toMatch(/^data:image/);
    const others = { kind, account_id: sibling.actor.userId };
    expect((await http.call('getUserPicture', { token: own.token, query: others })).code).toBe('NOT_FOUND');
  }
  const listed = await http.call('getUsers', { token: own.token, query: { account_id } });
  expect(listed.data.total).toBe(0);
});
const picturesOf = (user_id: string) =>
  world.db.asOwner('select kind, picture_id from user_pictures where user_id = $1 order by kind', [user_id]);

test('a shop written in the form’s names is called as its keeper until somebody names it', async () => {
  const { own, http } = world;
  const body = { user_type: 'miniretailer', firstName: 'Farida', lastName: 'Shaikh', email: 'f@example.in' };
  const made = await http.call('addUser', { token: own.token, rawBody: { ...body, mobile: newMobile() } });
  expect(await shopOf(made.data.user_id)).toMatchObject({ first_name: 'Farida', shop_name: 'Farida Shaikh' });
  const named = { ...body, mobile: newMobile(), shop_name: 'New Star' };
  const other = await http.call('addUser', { token: own.token, rawBody: named });
  expect(await shopOf(other.data.user_id)).toMatchObject({ shop_name: 'New Star' });
  // In the contract's own names nothing is left out.
  const bare = { first_name: 'Farida', mobile: newMobile() };
  expect((await http.call('addUser', { token: own.token, rawBody: bare })).errors?.[0]?.path).toBe('shop_name');
});

test('a request for an account in the form’s names is kept, its e-mail address for whoever decides', async () => {
  const mobile = newMobile();
  const asked = await world.http.call('signupRequest', {
    rawBody: { firstName: 'Farida', lastName: 'Shaikh', email: 'f@example.in', mobile, note: 'Near the station' },
  });
  expect(asked.status).toBe(200);
  const kept = await world.db.asOwner('select shop_name, note from signup_requests where mobile like $1', [
    `%${mobile.slice(-10)}`,
  ]);
  expect(kept).toEqual([{ shop_name: 'Farida Shaikh', note: 'Near the station\nf@example.in' }]);
});

test('an account_id is whoever signed in with it, or a shop below; of customers the list of shops has none', async () => {
  const { own, mini, sibling, http } = world;
  const details = async (token: string, query: object) =>
    (await http.call('getUserDetails', { token, query: query as never })) as {
      code?: string;
      data?: { user_id: string };
    };
  const account = own.actor.userId;
  expect((await details(own.token, { account_id: account })).data?.user_id).toBe(account);
  // A mini-retailer's account is its retailer's, whose own details stay the retailer's.
  expect((await details(mini.token, { account_id: account })).data?.user_id).toBe(mini.actor.userId);
  expect((await details(own.token, { account_id: mini.actor.userId })).data?.user_id).toBe(mini.actor.userId);
  expect((await details(own.token, { account_id: sibling.actor.userId })).code).toBe('NOT_FOUND');
  const named = (account_id: string) => details(own.token, { account_id, user_id: mini.actor.userId });
  expect((await named(account)).data?.user_id).toBe(mini.actor.userId);
  expect((await named(sibling.actor.userId)).code).toBe('NOT_FOUND');
  const listed = (user_type: string) =>
    http.call('getUsers', { token: own.token, query: { user_type: user_type as never } });
  expect((await listed('Customer')).data).toMatchObject({ list: [], total: 0, page: 1 });
  expect((await listed('MINIRETAILER')).data.list.length).toBeGreaterThan(0);
});

test('a status narrows the list of shops: 1 are those that work, 0 and 2 the suspended, and no shop is anything else', async () => {
  const { own, http } = world;
  const shop = { first_name: 'Farida', shop_name: 'Closed Mobiles', mobile: newMobile() };
  const { user_id } = (await http.call('addUser', { token: own.token, rawBody: shop })).data;
  await http.call('suspendUser', { token: own.token, body: { user_id, reason: 'closed the shop' } });
  const listed = async (query: object) =>
    (await http.call('getUsers', { token: own.token, query: { page_size: 100, ...query } as never })).data.list.map(
      (row) => [row.user_id, row.is_active] as const,
    );
  const all = await listed({ status: 'all' });
  expect(all).toEqual(await listed({}));
  const suspended = all.filter(([, isActive]) => !isActive);
  expect(suspended.map(([id]) => id)).toContain(user_id);
  for (const status of ['0', '2']) expect(await listed({ status })).toEqual(suspended);
  expect(await listed({ status: '1' })).toEqual(all.filter(([, isActive]) => isActive));
  for (const query of [{ status: '5' }, { status: '0', state: 'active' }]) expect(await listed(query)).toEqual([]);
});

test('a status that is written means what it means when it is read: 0 and 2 suspend a shop, 1 lets it in again', async () => {
  const { own, http } = world;
  const made = { first_name: 'Farida', shop_name: 'Status Mobiles', mobile: newMobile() };
  // A new one is active; of another status none is made.
  const refused = await http.call('addUser', { token: own.token, rawBody: { ...made, status: 0 } });
  expect([refused.status, refused.errors?.[0]?.path]).toEqual([400, 'status']);
  const { user_id } = (await http.call('addUser', { token: own.token, rawBody: { ...made, status: 1 } })).data;
  const write = async (body: object) =>
    (await http.call('updateUser', { token: own.token, rawBody: { user_id, ...body } })).data.changed;
  const standing = async () => {
    const details = await http.call('getUserDetails', { token: own.token, query: { user_id } });
    return [details.data.is_active, details.data.suspend_reason];
  };
  const acts = async () =>
    (
      await world.db.asOwner<{ action: string }>(
        "select action from audit_lines where subject_id = $1 and action in ('user_suspended', 'user_activated') order by seq",
        [user_id],
      )
    ).map(({ action }) => action);
  expect([await write({ status: 1 }), await standing()]).toEqual([[], [true, null]]);
  expect([await write({ status: 0 }), await standing()]).toEqual([['status'], [false, 'Suspended by its status']]);
  expect([await write({ status: '2' }), await standing()]).toEqual([[], [false, 'Suspended by its status']]);
  expect([await write({ status: '1', firstName: 'Fatima' }), await standing()]).toEqual([
    ['first_name', 'status'],
    [true, null],
  ]);
  expect([await write({ status: '2', reason: 'rent unpaid' }), await standing()]).toEqual([
    ['status'],
    [false, 'rent unpaid'],
  ]);
  expect(await acts()).toEqual(['user_suspended', 'user_activated', 'user_suspended']);
  const wrong = await http.call('updateUser', { token: own.token, rawBody: { user_id, status: 5 } });
  expect([wrong.status, wrong.errors?.[0]?.path]).toEqual([400, 'status']);
});

test('who may not suspend a shop cannot by writing its status either', async () => {
  const { own, mini, sibling, http } = world;
  const ofAnother = { user_id: sibling.actor.userId, status: 0 };
  const answers = async (token: string, rawBody: object) => (await http.call('updateUser', { token, rawBody })).code;
  expect(await answers(own.token, ofAnother)).toBe('NOT_FOUND');
  expect(await answers(own.token, { status: 0 })).toBe('FORBIDDEN');
  expect(await answers(mini.token, { status: 0 })).toBe('FORBIDDEN');
  // One's own form sends the status along that it read.
  expect((await http.call('updateUser', { token: mini.token, rawBody: { status: 1 } })).data.changed).toEqual([]);
});

test('below a suspended retailer nobody is let in again, neither by the call for it nor by writing a status; nothing else of the form stays', async () => {
  const { adminToken: token, http } = world;
  const add = async (more: object) =>
    (
      await http.call('addUser', {
        token,
        rawBody: { first_name: 'Farida', shop_name: 'Below Mobiles', mobile: newMobile(), ...more },
      })
    ).data.user_id;
  const above = await add({ user_type: 'retailer' });
  const user_id = await add({ user_type: 'miniretailer', retailer_id: above });
  await http.call('suspendUser', { token, body: { user_id: above, reason: 'rent unpaid' } });
  const row = () =>
    world.db.asOwner('select first_name, is_active, suspend_reason from users where user_id = $1', [user_id]);
  const before = await row();
  expect(before).toEqual([{ first_name: 'Farida', is_active: false, suspend_reason: 'rent unpaid' }]);
  for (const refused of [
    await http.call('activateUser', { token, body: { user_id } }),
    await http.call('updateUser', { token, rawBody: { user_id, status: 1, first_name: 'Fatima' } }),
  ])
    expect([refused.status, refused.code]).toEqual([409, 'STATE_CONFLICT']);
  expect(await row()).toEqual(before);
  // Once the retailer is let in, whoever was suspended with it is too.
  expect((await http.call('activateUser', { token, body: { user_id: above } })).status).toBe(200);
  expect(await row()).toMatchObject([{ is_active: true }]);
});
