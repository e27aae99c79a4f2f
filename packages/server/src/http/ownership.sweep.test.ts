import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { businessDate } from '@kist/contract/dates';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import { createSession, emmHeader, newMobile } from '#test/http.ts';
import { type Optionals, leavesOf, sampleOf, variantsOf, withAt } from '#test/samples.ts';
import { type WholeShop, ORG, passkeyOf, sendForm, useWholeShops } from '#test/whole-shop.ts';

const world = useWholeShops();
const calls = Object.entries(ENDPOINTS) as [CallName, Endpoint][];

type Part = 'params' | 'query' | 'body';
interface Place {
  name: CallName;
  part: Part;
  path: (string | number)[];
  schema: z.ZodType;
  /** The parameter's name: `customer_id` for each of `customer_ids` too. */
  id: string;
}

const idOf = (path: readonly (string | number)[]): string => {
  const name = String(path.findLast((step) => typeof step === 'string')).replace(/_ids$/, '_id');
  // Two shops of one call.
  return /^(?:from|to)_user_id$/.test(name) ? 'user_id' : name;
};
/** Calls that make a payment under an id of the caller's choice; `every-call.sweep.test.ts` tries one that another shop has chosen. */
const PAYING: readonly CallName[] = ['updateEmiStatus', 'multipleEmiPaid', 'claimPayment'];
/** Ids that name nothing of a shop's: what it is paid by, plans, which products are, who lends, are the organisation's, a device of sign-in is the browser's own word. */
const isOwned = ({ id, name, part }: Place): boolean =>
  id.endsWith('_id') &&
  id !== 'plan_id' &&
  id !== 'product_id' &&
  id !== 'upi_id' &&
  id !== 'financer_id' &&
  !(id === 'payment_id' && PAYING.includes(name)) &&
  !(id === 'device_id' && part === 'body' && ENDPOINTS[name].path.startsWith('/api/auth'));

/** Every place in every call where an id of something that belongs to somebody stands. */
const places: Place[] = calls.flatMap(([name, endpoint]) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    (endpoint[part] ? variantsOf(endpoint[part]) : [])
      .flatMap((schema) => leavesOf(schema).map(({ path }): Place => ({ name, part, path, schema, id: idOf(path) })))
      .filter(
        (place) =>
          isOwned(place) && (typeof place.path.at(-1) === 'number' || !String(place.path.at(-1)).endsWith('_ids')),
      ),
  ),
);

const knownOf = (shop: WholeShop): Record<string, unknown> => ({
  ...shop.ids,
  from_user_id: shop.ids.user_id,
  to_user_id: shop.ids.user_id,
  plan_id: 1,
  amount: 1,
  paid_at: new Date().toISOString(),
  until_on: businessDate(Date.now()),
  cash_price: 1_000_000,
  down_payment: 0,
  method: 'FLAT',
  command: 'lock',
  draft: false,
  // Of a draft alone: a sale that names a lender is another call.
  financer_id: undefined,
  // Whoever refuses a claim says why.
  is_received: true,
  // A new one each time: codes for one mobile are 30 s apart.
  mobile: newMobile(),
});

interface Answer {
  status: number;
  code: string | undefined;
  errors: { path: string }[] | undefined;
  text: string;
}

/**
 * A filter that finds nothing hides what a call without it shows, and a call without it may refuse before it looks: each place is tried with what it needs
 * alone, and with everything it takes.
 */
const fillings: [title: string, optionalsOf: (place: Place) => Optionals][] = [
  ['bare', ({ path }) => ({ to: path })],
  ['full', () => 'all'],
];
const probes = places.flatMap((place) =>
  fillings.map(([title, optionalsOf]) => ({
    title: `${place.name} ${place.path.join('.')} ${title}`,
    place,
    optionals: optionalsOf(place),
  })),
);

/** Makes the call with the caller's own ids everywhere but in one place. */
async function ask(
  token: string,
  caller: WholeShop,
  place: Place,
  id: string,
  optionals: Optionals = 'all',
): Promise<Answer> {
  const endpoint: Endpoint = ENDPOINTS[place.name];
  const known = knownOf(caller);
  const input = (part: Part): unknown => {
    if (part === place.part) return withAt(sampleOf(place.schema, known, optionals), place.path, id);
    const others = optionals === 'all' ? optionals : { to: [] };
    return endpoint[part] ? sampleOf(variantsOf(endpoint[part])[0], known, others) : undefined;
  };
  if (endpoint.multipart) {
    const { statusCode, payload } = await sendForm(
      world.http,
      place.name as 'uploadSignature',
      token,
      input('body') as Record<string, string>,
    );
    return answerOf(statusCode, payload);
  }
  const params = (input('params') ?? {}) as Record<string, string>;
  const query = Object.entries((input('query') ?? {}) as Record<string, string | number | undefined>).flatMap(
    ([key, value]): [string, string][] => (value === undefined ? [] : [[key, String(value)]]),
  );
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, key: string) => encodeURIComponent(params[key] ?? ''));
  const url = query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
  const body = input('body');
  const { statusCode, payload } = await world.http.app.fastify.inject({
    method: endpoint.method,
    url,
    headers: {
      'x-emm-auth-session': emmHeader(url),
      authorization: `bearer ${token}`,
      'idempotency-key': newId(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return answerOf(statusCode, payload);
}

function answerOf(status: number, text: string): Answer {
  const { code, errors } = JSON.parse(text) as { code?: string; errors?: { path: string }[] };
  return { status, code, errors, text };
}

/** Without what differs from answer to answer anyway: the id that was asked for, moments, fresh ids. */
const comparable = ({ text }: Answer): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>');

/** Calls that ask for somebody: nobody below sees who is above. */
const OF_PEOPLE: readonly CallName[] = [
  'updateUser',
  'suspendUser',
  'activateUser',
  'readUserById',
  'getUserDetails',
  'getRetailerProfile',
  'getRetailerProfileOfCountry',
  'uploadRetailerQr',
  'uploadRetailerSignature',
  'getUserPicture',
  'transferCustomers',
];
/** A mini-retailer sells in its retailer's account: under that name it finds itself, and what it sold itself. */
const isAbove = (caller: WholeShop, other: WholeShop, { id, name }: Place): boolean =>
  caller === world.mini &&
  other === world.own &&
  (id === 'account_id' || (id === 'user_id' && !OF_PEOPLE.includes(name)));

/** @returns the words and amounts of this shop that stand in an answer. */
const canariesIn = (text: string, { canary, pricePaise, paidPaise, ids }: WholeShop, asked?: string): string[] =>
  [canary, String(pricePaise), `:${paidPaise},`, ...Object.values(ids)].filter(
    (word) => word !== asked && text.includes(word),
  );

/** Who asks, and whose things are none of theirs. */
const askers = [
  ['a retailer', () => world.own.token, () => world.own, () => [world.sibling, world.nephew, world.foreign]],
  [
    'a mini-retailer',
    () => world.mini.token,
    () => world.mini,
    () => [world.own, world.sibling, world.nephew, world.foreign],
  ],
  ['a customer', () => world.customerToken, () => world.own, () => [world.mini, world.sibling, world.foreign]],
  [
    'a retailer of another organisation',
    () => world.foreign.token,
    () => world.foreign,
    () => [world.own, world.mini, world.sibling],
  ],
  // Sees every shop of the organisation, and nothing of a shop's customers.
  ['an admin', () => world.adminToken, () => world.own, () => [world.foreign]],
] as const;

test('the places with an id of somebody’s are found', () => {
  const found = new Set(places.map(({ id }) => id));
  for (const id of Object.keys(world.own.ids)) expect([...found]).toContain(id);
  expect(places.length).toBeGreaterThan(20);
});

describe.each(askers)('%s, asking for what is somebody else’s,', (_who, token, caller, others) => {
  test.each(probes)(
    '$title: gets the answer of what does not exist, and no word of it',
    async ({ place, optionals }) => {
      const nobody = await ask(token(), caller(), place, newId(), optionals);
      for (const other of others()) {
        const id = other.ids[place.id as keyof WholeShop['ids']] ?? other.ids.customer_id;
        const asOwn = () => ask(token(), caller(), place, caller().actor.userId, optionals);
        const isAccount = isAbove(caller(), other, place);
        // What is done once is done before the answers are compared.
        if (isAccount) await asOwn();
        const answer = await ask(token(), caller(), place, id, optionals);
        const expected = isAccount ? await asOwn() : nobody;
        expect([other.name, answer.status, comparable(answer)]).toEqual([
          other.name,
          expected.status,
          comparable(expected),
        ]);
        expect([other.name, canariesIn(answer.text, other, id)]).toEqual([other.name, []]);
      }
    },
  );
});

describe('what was deleted is not found:', () => {
  const deleted = { customer_id: '', session_id: '' };
  beforeAll(async () => {
    deleted.session_id = await anotherSession();
    const { token } = world.own;
    await world.http.call('logoutMySession', { token, body: { session_id: deleted.session_id } });
    const draft = { draft: true, plan_id: 1, customer: { first_name: 'Zq', mobile: '9812399999' } } as const;
    deleted.customer_id = (await world.http.call('registerCustomer', { token, body: draft })).data.customer_id;
    await world.http.call('deleteDraft', { token, body: { customer_id: deleted.customer_id } });
  });

  test.each(probes.filter(({ place: { id } }) => id in deleted))('$title', async ({ place, optionals }) => {
    for (const [who, token, caller] of askers) {
      const nobody = await ask(token(), caller(), place, newId(), optionals);
      const gone = await ask(token(), caller(), place, deleted[place.id as keyof typeof deleted], optionals);
      expect([who, gone.status, comparable(gone)]).toEqual([who, nobody.status, comparable(nobody)]);
    }
  });
});

describe('what can be no id is not found, and in a list of ids refused by its place:', () => {
  test.each(places.map((place) => [`${place.name} ${place.path.join('.')}`, place] as const))(
    '%s',
    async (_title, place) => {
      const token = await createSession(world.db, { orgId: ORG, userId: world.own.actor.userId, mobile: '' });
      for (const malformed of ['abc', '1', `${newId()}0`]) {
        const answer = await ask(token, world.own, place, malformed);
        if (answer.code === 'FORBIDDEN') continue;
        const isOfList = place.path.some((step) => typeof step === 'number');
        if (!isOfList) {
          expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
          if (place.part === 'params') expect(answer.text).toBe((await ask(token, world.own, place, newId())).text);
        } else {
          expect(answer).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
          expect(answer.errors?.map(({ path }) => path)).toContain(place.path.join('.'));
        }
      }
    },
  );
});

describe('lists, sums and searches', () => {
  const reads = calls.filter(([, { method, params, query, path }]) => {
    const needed = query
      ? Object.entries(sampleOf(query, {}) as object).some(([key]) => /^(customer|document)_id$/.test(key))
      : false;
    return method === 'GET' && !params && !needed && !path.startsWith('/api/organizations');
  });

  test.each(reads)('%s shows nothing of others', async (name, endpoint) => {
    for (const [, token, , others] of askers) {
      const mine = await world.http.call(name, { token: token(), query: pageOf(endpoint, 100) as never });
      for (const other of others()) {
        expect([name, other.name, canariesIn(mine.text, other)]).toEqual([name, other.name, []]);
        if (!hasQuery(endpoint, 'search')) continue;
        const searched = await world.http.call(name, { token: token(), query: { search: other.canary } as never });
        expect(canariesIn(searched.text, other)).toEqual([]);
      }
    }
  });

  test('a retailer sees its mini-retailer’s customers, not its till', async () => {
    const { data } = await world.http.call('listCustomers', { token: world.own.token, query: { page_size: 100 } });
    const names = data.list.map((row) => row.first_name);
    expect(names).toEqual(expect.arrayContaining([world.own.canary, world.mini.canary]));
    expect(names.some((name) => name.includes(world.sibling.canary))).toBe(false);
  });
});

const hasQuery = ({ query }: Endpoint, name: string): boolean =>
  query !== undefined && leavesOf(query).some(({ path }) => path[0] === name);
const pageOf = (endpoint: Endpoint, size: number) => (hasQuery(endpoint, 'page_size') ? { page_size: size } : {});

/** One that nobody has ended yet. */
async function anotherSession(): Promise<string> {
  const { orgId, userId } = world.own.actor;
  await createSession(world.db, { orgId, userId, mobile: '' });
  const [row] = await world.db.asOwner<{ id: string }>(
    'select session_id as id from sessions where user_id = $1 order by created_at desc limit 1',
    [userId],
  );
  return row!.id;
}

/** What a call ends, so that the next needs another. */
const FRESH: Partial<Record<string, () => Promise<string>>> = {
  session_id: anotherSession,
  passkey_id: () => passkeyOf(world.db, world.own.actor),
};

// Last: what is asked here is done.
describe('a retailer, asking for its own,', () => {
  test.each(probes)('$title: is not told that it does not exist', async ({ place, optionals }) => {
    const id = await (FRESH[place.id]?.() ?? world.own.ids[place.id as keyof WholeShop['ids']]);
    expect(id).toBeDefined();
    const answer = await ask(
      await createSession(world.db, { orgId: ORG, userId: world.own.actor.userId, mobile: '' }),
      world.own,
      place,
      id,
      optionals,
    );
    expect(answer.status).toBeLessThan(500);
    expect(answer.code).not.toBe('NOT_FOUND');
    expect(answer.code).not.toBe('INVALID_INPUT');
  });
});
