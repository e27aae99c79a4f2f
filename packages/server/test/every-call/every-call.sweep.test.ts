import { describe, expect, test } from 'vitest';
import { USER_TYPES, type UserType } from '@kist/contract/codes';
import type { Endpoint } from '@kist/contract/endpoint';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { ErrorCode } from '@kist/contract/errors';
import type { CallName } from '@kist/contract/paths';
import { codesOf } from '#server/http/openapi.ts';
import { newId } from '#server/platform/ids.ts';
import { type CallInput, createSession, emmHeader } from '#test/http.ts';
import { leavesOf, variantsOf } from '#test/samples.ts';
import { type WholeShop, sendForm } from '#test/whole-shop.ts';
import type { Cases, Input, Table } from './case.ts';
import { answerCases } from './answers.ts';
import { catalogueCases } from './catalogue.ts';
import { compensationCases } from './compensations.ts';
import { customerCases } from './customers.ts';
import { governingCases } from './governing.ts';
import { keyCases } from './keys.ts';
import { moneyCases } from './money.ts';
import { organisationLoginCases } from './organisation-login.ts';
import { passkeyCases } from './passkeys.ts';
import { peopleCases } from './people.ts';
import { penaltyCases } from './penalties.ts';
import { phoneCases } from './phones.ts';
import { privacyCases } from './privacy.ts';
import { useShops } from './shops.ts';
import { signInCases } from './sign-in.ts';

/**
 * Every call of the contract against the whole product: what it answers to whoever may ask, to a mistake, to whoever may not, to somebody else's ids, to what
 * does not fit the state of things, and without a session. A call without its cases here fails, and does not compile.
 */
const TABLE: Table = {
  ...signInCases,
  ...organisationLoginCases,
  ...passkeyCases,
  ...peopleCases,
  ...customerCases,
  ...keyCases,
  ...catalogueCases,
  ...moneyCases,
  ...penaltyCases,
  ...compensationCases,
  ...phoneCases,
  ...answerCases,
  ...governingCases,
  ...privacyCases,
};
const shops = useShops();
const calls = (Object.keys(TABLE) as CallName[]).map((name) => {
  const cases = TABLE[name] as unknown as Cases<CallName>;
  return { name, endpoint: ENDPOINTS[name] as Endpoint, ...cases };
});
type Call = (typeof calls)[number];

/** Said before a call is looked at: no such organisation. */
const OF_THE_INSTALLATION: readonly ErrorCode[] = ['ORGANISATION_UNKNOWN'];

interface Reply {
  status: number;
  code: ErrorCode | undefined;
  errors: { path: string }[];
  access: unknown;
  text: string;
}

/** Makes a call, or sends its form. It is never refused with a code that its contract does not name. */
async function ask(call: Call, input: Input<CallName>, token = input.token): Promise<Reply> {
  const reply = await send(call, input, token);
  if (reply.code !== undefined && !OF_THE_INSTALLATION.includes(reply.code))
    expect([...codesOf(call.endpoint)], call.name).toContain(reply.code);
  return reply;
}

async function send({ name, endpoint }: Call, input: Input<CallName>, token: string | undefined): Promise<Reply> {
  if (!endpoint.multipart) {
    const {
      status,
      code,
      errors = [],
      details,
      text,
    } = await shops.http.call(name, {
      ...input,
      ...(token === undefined ? {} : { token }),
    } as CallInput<CallName>);
    return { status, code, errors, access: details?.['access'], text };
  }
  const reply = await sendForm(shops.http, name as 'uploadSignature', token, input.form ?? {}, input.headers);
  const { code, errors = [], details } = JSON.parse(reply.payload) as Partial<Reply> & { details?: { access: string } };
  return { status: reply.statusCode, code, errors, access: details?.access, text: reply.payload };
}

const isPublic = ({ who }: Call): boolean => who === 'everybody';
const mayAsk = ({ who }: Call, type: UserType): boolean => typeof who === 'string' || who.includes(type);
/** The session of the retailer, or of the first who may. */
const tokenFor = (call: Call): string | undefined =>
  isPublic(call) ? undefined : shops.tokens[mayAsk(call, 'retailer') ? 'retailer' : (call.who[0] as UserType)];

/** The same input with one field taken by another value, wherever the call has the field. */
function withField({ endpoint }: Call, input: Input<CallName>, field: string, id: string): Input<CallName> {
  const [first = '', second] = field.split('.');
  const value = field.endsWith('_ids') ? [id] : id;
  if (second !== undefined) {
    const { customer_id: _one, customer_ids: _many, ...rest } = input.body as unknown as Record<string, unknown>;
    return { ...input, body: { ...rest, [first]: { [second]: value } } as never };
  }
  if (endpoint.multipart) return { ...input, form: { ...input.form, [field]: id } };
  const part = (['params', 'query', 'body'] as const).find(
    (one) => endpoint[one] && variantsOf(endpoint[one]).some((s) => leavesOf(s).some(({ path }) => path[0] === field)),
  );
  if (part === undefined) throw new Error(`no ${field}`);
  return { ...input, [part]: { ...(input[part] as object | undefined), [field]: value } };
}

const idOf = (field: string): keyof WholeShop['ids'] =>
  field
    .split('.')
    .at(-1)!
    .replace(/_ids$/, '_id')
    .replace(/^(?:from|to)_user_id$/, 'user_id') as keyof WholeShop['ids'];
const wordsOf = ({ canary, pricePaise }: WholeShop): string[] => [canary, String(pricePaise)];

/** Who asks for what is somebody else's. A retailer sees its mini-retailer's. */
const askers = (call: Call): [UserType, WholeShop[]][] => {
  const { own, mini, sibling, nephew, foreign } = shops;
  const all: [UserType, WholeShop[]][] = [
    ['retailer', [sibling, nephew, foreign]],
    ['miniretailer', [own, sibling, nephew, foreign]],
    ['customer', [mini, sibling, foreign]],
    ['admin', [foreign]],
  ];
  return all.filter(([type]) => mayAsk(call, type));
};

/** Of calls with a key: a field that makes the second request another one. */
const DIFFERING: Partial<Record<CallName, object>> = {
  addUser: { first_name: 'Another' },
  updateUser: { first_name: 'Another' },
  suspendUser: { reason: 'another' },
  activateUser: { user_id: newId() },
  transferCustomers: { reason: 'another' },
  transferKeys: { to_user_id: newId() },
  takeBackKeys: { from_user_id: newId() },
  registerCustomer: { customer: { first_name: 'Somebody', last_name: 'Else', mobile: '9812300001' } },
  createCustomerHdb: { customer: { first_name: 'Somebody', last_name: 'Else', mobile: '9812300001' } },
  deleteDraft: { customer_id: newId() },
  cancelAgreement: { reason: 'another' },
  eraseCustomer: { customer_id: newId() },
  updateCustomerDetails: { reason: 'another' },
  updateEmiDetails: { reason: 'another' },
  updateEmiStatus: { reference: 'another' },
  multipleEmiPaid: { reference: 'another' },
  reversePayment: { reason: 'another' },
  claimPayment: { reference: 'another' },
  answerClaim: { reason: 'Nothing came in' },
  refundDone: { reference: 'another' },
  sendPenalty: { amount: 1 },
  waivePenalty: { reason: 'another' },
  decideWaiver: { is_granted: true },
  sendEmiAlert: { customer_id: newId() },
  sendCommand: { note: 'another' },
  bulkCommand: { dry_run: true },
  decideBatch: { is_approved: true },
  renewNoticeLink: { customer_id: newId() },
  openDispute: { text: 'another' },
  reportTheft: { note: 'another' },
  liftTheft: { reason: 'another' },
  closeDispute: { outcome: 'another' },
  escalateDispute: { text: 'another' },
  decideDispute: { reason: 'another' },
  payCompensation: { reference: 'another' },
  unclaimCustomer: { note: 'another' },
  unclaim: { note: 'another' },
  reportLost: { note: 'another' },
  withdrawLost: { kind: 'lost' },
  setHold: { reason: 'another' },
  liftHold: { reason: 'another' },
  choosePolicy: { preset: 'rbi-2026' },
  changePolicy: { change: { minDwellDays: 9 } },
  addHolidays: { days: ['2098-01-27'] },
  removeHolidays: { days: ['2098-01-27'] },
};

test('every call of the contract stands here', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
});

describe.each(calls)('$name', (call) => {
  const { endpoint, right, wrong, needs, theirs = [], alike = [], chosen = [], conflicts = [], never = {} } = call;
  const rightInput = async () => right(shops);
  const signedIn = !isPublic(call);
  /** What the call has, or none. */
  const sessions = ['session'].filter(() => signedIn);
  const keys = ['key'].filter(() => endpoint.idempotent);

  test('shows every answer, or says why it has none', () => {
    const shown = {
      '403': needs !== undefined || typeof call.who !== 'string',
      '404 or 409': theirs.length > 0 || conflicts.length > 0 || endpoint.method === 'POST',
      '511': !isPublic(call),
    };
    for (const [kind, isShown] of Object.entries(shown))
      expect([kind, (never as Record<string, string | undefined>)[kind] === undefined]).toEqual([kind, isShown]);
  });

  test('has a case for each of its ids', () => {
    const fields = (['params', 'query', 'body'] as const)
      .flatMap((part) => (endpoint[part] ? variantsOf(endpoint[part]) : []))
      .flatMap((schema) =>
        leavesOf(schema).map(({ path }) => path.filter((step) => typeof step === 'string').join('.')),
      )
      .filter((field) => /_ids?$/.test(field) && !/^(plan|product|upi|financer)_id$/.test(field.split('.').at(-1)!))
      .filter((field) => !(field === 'device_id' && endpoint.path.startsWith('/api/auth')));
    expect([...theirs, ...alike, ...chosen].toSorted()).toEqual([...new Set(fields)].toSorted());
  });

  test('200', async () => {
    const input = await rightInput();
    const reply = await ask(call, input, input.token ?? tokenFor(call));
    expect(reply).toMatchObject({ status: 200 });
  });

  test('400 names the field', async () => {
    const reply = await ask(call, wrong.input, tokenFor(call));
    expect([reply.status, reply.code, reply.errors.map(({ path }) => path)]).toEqual([
      400,
      'INVALID_INPUT',
      expect.arrayContaining([wrong.path]),
    ]);
  });

  test.each(USER_TYPES.filter(() => signedIn))('is a call of a %s, or 403', async (type) => {
    const reply = await ask(call, wrong.input, shops.tokens[type]);
    expect([reply.status, reply.code]).toEqual(mayAsk(call, type) ? [400, 'INVALID_INPUT'] : [403, 'FORBIDDEN']);
  });

  test.each([needs].filter((word) => word !== undefined))('403 without %s', async (word) => {
    const reply = await ask(call, await rightInput(), await shops.userWithout(word));
    expect([reply.status, reply.code, reply.access]).toEqual([403, 'FEATURE_NOT_ALLOWED', word]);
  });

  test.each(theirs)('404 with another shop’s %s', async (field) => {
    for (const [type, others] of askers(call))
      for (const other of others) {
        const own = call.rightAs?.[type]?.(shops) ?? (await rightInput());
        const input = withField(call, own, field, other.ids[idOf(field)]);
        const reply = await ask(call, input, shops.tokens[type]);
        expect([type, other.name, reply.status, reply.code]).toEqual([type, other.name, 404, 'NOT_FOUND']);
        expect(wordsOf(other).filter((word) => reply.text.includes(word))).toEqual([]);
      }
  });

  test.each(theirs.filter((field) => field === 'customer_id'))(
    '404 with the %s of one who was deleted',
    async (field) => {
      const reply = await ask(call, withField(call, await rightInput(), field, shops.deleted), tokenFor(call));
      expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test.each(signedIn ? alike : [])('nothing of another shop by its %s', async (field) => {
    for (const [type, others] of askers(call))
      for (const other of others) {
        const input = withField(call, await rightInput(), field, other.ids[idOf(field)]);
        const reply = await ask(call, input, shops.tokens[type]);
        expect([type, other.name, reply.status < 500]).toEqual([type, other.name, true]);
        expect(wordsOf(other).filter((word) => reply.text.includes(word))).toEqual([]);
      }
  });

  test.each(chosen)('404 with the %s that another shop of the organisation chose', async (field) => {
    const { own, sibling } = shops;
    const token = mayAsk(call, 'retailer') ? own.token : tokenFor(call);
    const reply = await ask(call, withField(call, await rightInput(), field, sibling.ids[idOf(field)]), token);
    expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND']);
    expect(wordsOf(sibling).filter((word) => reply.text.includes(word))).toEqual([]);
  });

  test.each(conflicts)('$code', async ({ code, input }) => {
    const given = await input(shops);
    const reply = await ask(call, given, given.token ?? tokenFor(call));
    expect([reply.code, reply.status]).toEqual([code, expect.toSatisfy((status) => status === 404 || status === 409)]);
  });

  test.each(['POST'].filter((method) => method === endpoint.method))('409 when the very %s comes twice', async () => {
    const url = endpoint.path.replace(/:(\w+)/g, (_whole, key: string) => wrong.input.params?.[key] ?? '');
    const headers = { 'x-emm-auth-session': emmHeader(url) };
    const first = await ask(call, { ...wrong.input, headers }, tokenFor(call));
    const second = await ask(call, { ...wrong.input, headers }, tokenFor(call));
    expect([first.status, second.status, second.code]).toEqual([400, 409, 'REPLAYED_REQUEST']);
  });

  test.each(keys)('409 when its %s comes back with something else', async () => {
    const idempotencyKey = newId();
    const [one, other] = [await rightInput(), await rightInput()];
    const changed = { ...other, body: { ...(other.body as object), ...DIFFERING[call.name] } as never };
    await ask(call, { ...one, idempotencyKey }, tokenFor(call));
    const reply = await ask(call, { ...changed, idempotencyKey }, tokenFor(call));
    expect([reply.status, reply.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  test.each(sessions)('511 without a %s, with one that is over, and with one of somebody suspended', async () => {
    const { orgId, userId } = shops.own.actor;
    const over = await createSession(shops.db, { orgId, userId, mobile: '' });
    await shops.http.call('logout', { token: over, body: {} });
    for (const token of [undefined, over, shops.suspended]) {
      const { token: _own, ...input } = await rightInput();
      const reply = await ask(call, input, token);
      expect([reply.status, reply.code]).toEqual([511, 'SESSION_REQUIRED']);
    }
  });
});
