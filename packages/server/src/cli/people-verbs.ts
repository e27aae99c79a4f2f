import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { SIGNUP_STATES } from '@kist/contract/codes';
import { mobileSchema } from '@kist/contract/fields';
import { peopleEndpoints } from '@kist/contract/people';
import * as identity from '#server/identity/identity.ts';
import { LIMITS } from '@kist/contract/limits';
import * as notices from '#server/notices/notices.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Ports } from '#server/platform/ports.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';
import { UsageError } from './command.ts';
import { withLocking } from './with-locking.ts';
import { type Desk, type Given, type Outcome, type Verbs, nounOf, wordsOf } from './verbs.ts';
import { complaint } from './words.ts';

/** What the list needs of a process: a memory of where pages ended, of this run alone. */
const listPorts = () => ({ reports: reports.createPages() }) as Ports;

const WORDS: readonly string[] = [...USER_ACCESS_WORDS, ...LOCK_ACCESS_WORDS, 'add_retailer'];

/** @throws UsageError */
export function mobileOf(text: string | undefined): string {
  const mobile = mobileSchema.safeParse(text);
  if (!mobile.success) throw new UsageError(`${text ?? ''} is not an Indian mobile number of ten digits`);
  return mobile.data;
}

/** Every shop, in order of its making, with the pages of the list behind one another. */
async function everyShop(tx: Tx, orgId: number) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const { list, total } = await reports.shopList(tx, identity.SYSTEM(orgId), {
      page,
      page_size: LIMITS.pageSizeMax,
      state: 'all',
      sort: 'newest',
    });
    all.push(...list);
    if (list.length === 0 || all.length >= total) return all;
  }
}

/** Who signs in under a mobile number, suspended or not. @throws UsageError */
export async function shopWith(tx: Tx, orgId: number, text: string | undefined): Promise<string> {
  const userId = await identity.personOfMobile(tx, identity.SYSTEM(orgId), mobileOf(text));
  if (userId === undefined) throw new UsageError(`no shop signs in with ${text ?? ''}: kist retailer list ${orgId}`);
  return userId;
}

/** @throws UsageError for a pair that is none */
function pairsOf(given: Given): Record<string, string> {
  const pairs = given.texts('set').map((text) => {
    const [, word = '', value = ''] = /^([a-z_]+)=(on|off)$/.exec(text) ?? [];
    if (!WORDS.includes(word)) throw new UsageError(`--set is WORD=on or WORD=off, with one of ${WORDS.join(', ')}`);
    return [word, value === 'on' ? '1' : '0'];
  });
  if (pairs.length === 0) throw new UsageError('--set WORD=on or WORD=off is missing');
  return Object.fromEntries(pairs) as Record<string, string>;
}

const only = (pairs: Record<string, string>, words: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).filter(([word]) => words.includes(word)));

/** @throws UsageError naming the field that is wrong */
function parsedBy<T>(
  schema: {
    safeParse(value: unknown): {
      success: boolean;
      data?: T;
      error?: { issues: { path: PropertyKey[]; message: string }[] };
    };
  },
  value: unknown,
): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data as T;
  throw new UsageError((read.error?.issues ?? []).map((issue) => `- ${complaint(issue)}`).join('\n'));
}

/** One transaction; phones that name a shop hear at once what became of it. */
const changing = <T>(
  desk: Desk,
  orgId: number,
  work: (tx: Tx, contactsChanged: Locking['contactsChanged']) => Promise<T>,
): Promise<T> =>
  withLocking(desk, ({ contactsChanged }) => desk.database.transaction(orgId, (tx) => work(tx, contactsChanged)));

/** So many a transaction: nobody who sells meanwhile waits for all of them. */
async function transfer(desk: Desk, given: Given): Promise<Outcome> {
  const { orgId, words } = given;
  const only = given.texts('customer');
  const asked = {
    reason: wordsOf(given, 'reason'),
    dry_run: given.isSet('dry-run'),
    ...(only.length > 0 && { customer_ids: only }),
  };
  const data = { moved: 0, agreements: 0 };
  for (let left = 1; left > 0;) {
    const part = await changing(desk, orgId, async (tx, contactsChanged) => {
      const from_user_id = await shopWith(tx, orgId, words['FROM']);
      const to_user_id = await shopWith(tx, orgId, words['TO']);
      const body = parsedBy(peopleEndpoints.transferCustomers.body, { ...asked, from_user_id, to_user_id });
      return sales.transferCustomers(tx, identity.SYSTEM(orgId), body, contactsChanged);
    });
    data.moved += part.moved;
    data.agreements += part.agreements;
    left = part.moved > 0 ? part.left : 0;
  }
  const what = `${data.moved} customers, ${data.agreements} agreements`;
  return { data, lines: [asked.dry_run ? `  would move ${what}` : `  moved      ${what}`] };
}

export const retailerVerbs: Verbs = {
  list: {
    says: 'the shops of an organisation, with what their work comes to',
    takes: ['ORG'],
    example: 'kist retailer list 21',
    async run({ database }, { orgId }) {
      const data = await database.with(listPorts()).read(orgId, (tx) => everyShop(tx, orgId));
      const lines = data.map(
        (shop) =>
          `${shop.mobile}  ${shop.user_type.padEnd(12)} ${shop.shop_name.padEnd(28)} ${String(shop.customers).padStart(7)} customers ${String(shop.keys_left).padStart(7)} keys${shop.is_active ? '' : '  suspended'}`,
      );
      return { data, lines: lines.length > 0 ? lines : ['No shop: kist retailer add'] };
    },
  },
  add: {
    says: 'a new retailer, or with --under a mini-retailer of one',
    takes: ['ORG', 'MOBILE'],
    options: {
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
      shop: { type: 'string' },
      upi: { type: 'string' },
      city: { type: 'string' },
      under: { type: 'string' },
    },
    teaches: {
      'first-name': 'of who runs it',
      'last-name': 'of who runs it',
      shop: 'as customers read it',
      upi: 'what it is paid by, name@bank',
      city: 'where it is',
      under: 'mobile number of the retailer above',
    },
    example: 'kist retailer add 21 9000000101 --first-name Asha --shop "Asha Mobiles" --city Nashik',
    async run({ database }, given) {
      const { orgId, words } = given;
      const under = given.text('under');
      const user_id = await database.transaction(orgId, async (tx) => {
        const body = parsedBy(peopleEndpoints.addUser.body, {
          user_type: under === undefined ? 'retailer' : 'miniretailer',
          ...(under !== undefined && { retailer_id: await shopWith(tx, orgId, under) }),
          mobile: words['MOBILE'],
          first_name: given.need('first-name'),
          last_name: given.text('last-name') ?? '',
          shop_name: given.need('shop'),
          upi_id: given.text('upi'),
          address: { city: given.text('city') ?? '' },
        });
        return identity.addPerson(tx, identity.SYSTEM(orgId), body);
      });
      return { data: { user_id, change: 'created' }, lines: [`  created    ${user_id}`] };
    },
  },
  suspend: {
    says: 'a shop and those below it sign in no more; their sessions end now',
    takes: ['ORG', 'MOBILE'],
    options: { reason: { type: 'string' } },
    teaches: { reason: 'stands in the audit' },
    example: 'kist retailer suspend 21 9000000101 --reason "keys were not paid"',
    async run(desk, given) {
      const reason = given.need('reason');
      const { length: suspended } = await changing(desk, given.orgId, async (tx, contactsChanged) => {
        const user_id = await shopWith(tx, given.orgId, given.words['MOBILE']);
        const asked = parsedBy(peopleEndpoints.suspendUser.body, { user_id, reason });
        return sales.suspendShop(tx, identity.SYSTEM(given.orgId), asked, contactsChanged);
      });
      return { data: { suspended }, lines: [`  suspended  ${suspended}`] };
    },
  },
  transfer: {
    says: 'customers pass to another shop with their agreements and phones; money stays in the till that took it',
    takes: ['ORG', 'FROM', 'TO'],
    options: {
      reason: { type: 'string' },
      customer: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean' },
    },
    teaches: {
      reason: 'stands in the audit of each',
      customer: 'id of one of them, said once for each; without it all, drafts among them',
      'dry-run': 'only tells how many',
    },
    example: 'kist retailer transfer 21 9000000101 9000000102 --reason "the shop closes" --dry-run',
    run: transfer,
  },
  activate: {
    says: 'a suspended shop may sign in again, with those that were suspended along with it',
    takes: ['ORG', 'MOBILE'],
    example: 'kist retailer activate 21 9000000101',
    async run(desk, { orgId, words }) {
      const { length: activated } = await changing(desk, orgId, async (tx, contactsChanged) => {
        const user_id = await shopWith(tx, orgId, words['MOBILE']);
        return sales.activateShop(tx, identity.SYSTEM(orgId), { user_id }, contactsChanged);
      });
      return { data: { activated }, lines: [`  activated  ${activated}`] };
    },
  },
};

const accessVerbs: Verbs = {
  show: {
    says: 'what a shop may do',
    takes: ['ORG', 'MOBILE'],
    example: 'kist access show 21 9000000101',
    async run({ database }, { orgId, words }) {
      const data = await database.read(orgId, async (tx) => {
        const who = await shopWith(tx, orgId, words['MOBILE']);
        const row = await identity.person(tx, identity.SYSTEM(orgId), who);
        return { ...row.user_access, ...row.lock_access, add_retailer: row.may_add_retailers ? '1' : '0' };
      });
      return {
        data,
        lines: Object.entries(data).map(([word, value]) => `  ${word.padEnd(16)} ${value === '1' ? 'on' : 'off'}`),
      };
    },
  },
  set: {
    says: 'gives and takes words; what a retailer loses, its mini-retailers lose',
    takes: ['ORG', 'MOBILE'],
    options: { set: { type: 'string', multiple: true } },
    teaches: { set: `WORD=on or WORD=off, once for each: ${WORDS.join(', ')}` },
    example: 'kist access set 21 9000000101 --set unistall=off --set add_retailer=on',
    async run({ database }, given) {
      const { orgId } = given;
      const pairs = pairsOf(given);
      const change = {
        access: only(pairs, USER_ACCESS_WORDS),
        lock_access: only(pairs, LOCK_ACCESS_WORDS),
        ...only(pairs, ['add_retailer']),
      };
      const { changed } = await database.transaction(orgId, async (tx) => {
        const user_id = await shopWith(tx, orgId, given.words['MOBILE']);
        return identity.updatePerson(
          tx,
          identity.SYSTEM(orgId),
          parsedBy(peopleEndpoints.updateUser.body, { user_id, ...change }),
        );
      });
      return { data: { changed }, lines: [changed.length > 0 ? '  changed' : '  unchanged'] };
    },
  },
};

const signupVerbs: Verbs = {
  list: {
    says: 'who asks for an account',
    takes: ['ORG', 'STATE?'],
    example: 'kist signup list 21 open',
    async run({ database }, { orgId, words }) {
      const state = SIGNUP_STATES.find((one) => one === (words['STATE'] ?? 'open'));
      if (!state) throw new UsageError(`STATE is one of ${SIGNUP_STATES.join(', ')}`);
      const data = await database.read(orgId, (tx) => identity.signups(tx, { state }));
      const lines = data.map(
        (one) => `${one.request_id}  ${one.mobile}  ${one.shop_name} (${one.first_name} ${one.last_name}, ${one.city})`,
      );
      return { data, lines: lines.length > 0 ? lines : ['Nobody.'] };
    },
  },
  approve: {
    says: 'makes the retailer that was asked for, and tells them by SMS where to log in',
    takes: ['ORG', 'REQUEST'],
    example: 'kist signup approve 21 01a20931-978b-70d7-8e08-5837e9d508e8',
    async run({ database }, { orgId, words }) {
      const request_id = requestOf(words);
      const user_id = await database.transaction(orgId, async (tx) => {
        const made = await identity.approveSignup(tx, identity.SYSTEM(orgId), { request_id });
        await notices.tellApplicant(tx, request_id);
        return made;
      });
      return { data: { user_id }, lines: [`  created    ${user_id}`] };
    },
  },
  refuse: {
    says: 'refuses it, with a reason that stays here; an SMS tells whom to ask, a number at most one a day',
    takes: ['ORG', 'REQUEST'],
    options: { reason: { type: 'string' } },
    teaches: { reason: 'stands with the request' },
    example: 'kist signup refuse 21 01a20931-978b-70d7-8e08-5837e9d508e8 --reason "no such shop"',
    async run({ database }, given) {
      const refusal = { request_id: requestOf(given.words), reason: wordsOf(given, 'reason') };
      const is_told = await database.transaction(given.orgId, async (tx) => {
        await identity.refuseSignup(tx, identity.SYSTEM(given.orgId), refusal);
        return notices.tellApplicant(tx, refusal.request_id);
      });
      const untold = '  refused; no SMS: this number heard of a refusal less than a day ago';
      return { data: { refused: true, is_told }, lines: [is_told ? '  refused' : untold] };
    },
  },
};

/** @throws UsageError */
function requestOf(words: Given['words']): string {
  const id = words['REQUEST'] ?? '';
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError('REQUEST is an id, as signup list tells it');
  return id;
}

/** Who sells for an organisation, and what each may do. */
export const peopleCommands = {
  ...nounOf('retailer', 'the shops of an organisation', retailerVerbs),
  ...nounOf('access', 'what a shop may do', accessVerbs),
  ...nounOf('signup', 'requests for an account', signupVerbs),
};
