/**
 * Faults of authorisation, each one that somebody could make: what stands there, and what stands there instead. `found` are the tests that must see it:
 * the tables of roles and access words, every id asked for by whoever it does not belong to, and the tests of the rules.
 */
const SWEEPS = [
  'src/http/roles.sweep.test.ts',
  'src/http/access.sweep.test.ts',
  'test/every-call',
  'src/http/ownership.sweep.test.ts',
];
const server = 'packages/server/src/';
const contract = 'packages/contract/src/';

/** @typedef {{ name: string, file: string, from: string, to: string, found?: string[] }} Fault */

/** @type {Fault[]} */
export const authorisationFaults = [
  {
    name: 'a shop is seen by every other shop',
    file: `${server}identity/people-policy.ts`,
    from: 'person.user_id === actor.userId || canManage(actor, person);',
    to: 'person.user_id === actor.userId || isShop(person);',
  },
  {
    name: 'a retailer runs the mini-retailers of another',
    file: `${server}identity/people-policy.ts`,
    from: "return actor.userType === 'retailer' && person.parent_user_id === actor.userId;",
    to: "return actor.userType === 'retailer' && person.parent_user_id !== null;",
  },
  {
    name: 'somebody suspends and gives words to themselves',
    file: `${server}identity/people-policy.ts`,
    from: 'if (!isShop(person) || person.user_id === actor.userId) return false;',
    to: 'if (!isShop(person)) return false;\n  if (person.user_id === actor.userId) return true;',
    found: ['src/identity/people.test.ts'],
  },
  {
    name: 'a retailer makes retailers beside it without the access',
    file: `${server}identity/people-policy.ts`,
    from: "(type === 'miniretailer' || mayAddRetailers)",
    to: "(type === 'miniretailer' || !mayAddRetailers || mayAddRetailers)",
    found: ['src/identity/people.test.ts'],
  },
  {
    name: 'a shop gives words that it has not',
    file: `${server}identity/people-policy.ts`,
    from: "if (actor.userType === 'system' || actor.userType === 'admin') return [];",
    to: "if (actor.userType !== 'customer') return [];",
    found: ['src/identity/people.test.ts'],
  },
  {
    name: 'words that a retailer lost stay below it',
    file: `${server}identity/people.ts`,
    from: "if (row.user_type !== 'retailer') return;",
    to: "if (row.user_type !== 'miniretailer') return;",
    found: ['src/identity/people.test.ts'],
  },
  {
    name: 'a suspended user stays signed in',
    file: `${server}identity/session-store.ts`,
    from: 'where u.is_active`,',
    to: 'where u.is_active is not null`,',
    found: ['src/identity/people.test.ts', 'src/identity/sessions.test.ts'],
  },
  {
    name: 'a suspended retailer’s mini-retailers stay',
    file: `${server}identity/people-store.ts`,
    from: '(user_id = $user_id or parent_user_id = $user_id) and is_active',
    to: 'user_id = $user_id and is_active',
    found: ['src/identity/people.test.ts'],
  },
  {
    name: 'a session that was ended goes on',
    file: `${server}identity/session-store.ts`,
    from: 'const OPEN = `revoked_at is null and expires_at > now()',
    to: 'const OPEN = `expires_at > now()',
  },
  {
    name: 'a session of somebody else can be ended',
    file: `${server}identity/session-store.ts`,
    from: 'update sessions set revoked_at = now() where org_id = $1 and user_id = $user_id and session_id = $session_id and ${OPEN}',
    to: 'update sessions set revoked_at = now() where org_id = $1 and ($user_id is not null) and session_id = $session_id and ${OPEN}',
  },
  {
    name: 'a retailer has the customers of every mini-retailer',
    file: `${server}identity/session-store.ts`,
    from: 'c.org_id = u.org_id and c.parent_user_id = u.user_id) else',
    to: 'c.org_id = u.org_id and c.user_id <> u.user_id) else',
  },
  {
    name: 'a mini-retailer has its retailer’s customers',
    file: `${server}identity/session-store.ts`,
    from: "case when u.user_type = 'retailer' then array(\n        select c.user_id from users c where c.org_id = u.org_id and c.parent_user_id = u.user_id)",
    to: "case when u.user_type in ('retailer', 'miniretailer') then array(\n        select c.user_id from users c where c.org_id = u.org_id and (c.parent_user_id = u.user_id or c.user_id = u.parent_user_id))",
  },
  {
    name: 'a customer sees other customers',
    file: `${server}customers/policy.ts`,
    from: 'return actor.customerIds?.includes(customer.customer_id) ?? false;',
    to: 'return actor.customerIds !== undefined;',
  },
  {
    name: 'a customer sees what was sold to other numbers',
    file: `${server}identity/session-store.ts`,
    from: 'from customer_logins l where l.org_id = u.org_id and l.user_id = u.user_id',
    to: 'from customer_logins l where l.org_id = u.org_id',
    found: ['test/customer-logins.test.ts'],
  },
  {
    name: 'the old number goes on reading after another was written down',
    file: `${server}customers/customers.ts`,
    from: 'if (fields.mobile !== undefined && fields.mobile !== mobile)',
    to: 'if (fields.mobile !== undefined && fields.mobile === mobile)',
    found: ['test/customer-logins.test.ts'],
  },
  {
    name: 'who has a number next reads what was sold to who had it before',
    file: `${server}identity/customer-logins.ts`,
    from: 'if (held.is_active && held.is_quiet && nameOf(held) !== nameOf(told))',
    to: 'if (held.is_active && held.is_quiet && nameOf(held) === nameOf(told))',
    found: ['test/customer-logins.test.ts'],
  },
  {
    name: 'a customer enters a shop by its number',
    file: `${server}identity/customer-logins.ts`,
    from: "if (held.user_type !== 'customer') {",
    to: "if (held.user_type === 'admin') {",
    found: ['test/customer-logins.test.ts'],
  },
  {
    name: 'a mini-retailer lifts holds',
    file: `${contract}devices.ts`,
    from: "auth: ['retailer'],",
    to: "auth: ['retailer', 'miniretailer'],",
    found: ['src/http/roles.sweep.test.ts'],
  },
  {
    name: 'a shop sees the customers of every shop',
    file: `${server}customers/policy.ts`,
    from: 'return actor.visibleOwnerIds.includes(customer.owner_user_id);',
    to: 'return actor.visibleOwnerIds.length > 0;',
  },
  {
    name: 'figures of another shop by its id',
    file: `${server}reports/owners.ts`,
    from: "if (!actor.visibleOwnerIds.includes(retailerId)) throw new KistError('NOT_FOUND');",
    to: "if (actor.visibleOwnerIds.length === 0) throw new KistError('NOT_FOUND');",
  },
  {
    name: 'the list of shops is the whole organisation’s',
    file: `${server}reports/shops.ts`,
    from: 'const below = above?.user_id ?? (isAll ? null : actor.userId);',
    to: 'const below = above?.user_id ?? (isAll || actor.userId ? null : actor.userId);',
  },
  {
    name: 'a bulk order of another shop is told',
    file: `${server}commands/policy.ts`,
    from: "actor.userType === 'system' || actor.visibleOwnerIds.includes(requestedBy);",
    to: 'actor.orgId > 0 || actor.visibleOwnerIds.includes(requestedBy);',
  },
  {
    name: 'the books of the whole organisation for a retailer',
    file: `${server}ledger/policy.ts`,
    from: "if (OF_THE_ORGANISATION.includes(userType)) return 'organisation';",
    to: "if (OF_THE_ORGANISATION.includes(userType) || userType === 'retailer') return 'organisation';",
    found: ['src/http/trial-balance.sweep.test.ts'],
  },
  {
    name: 'a document is opened by whoever knows its id',
    file: `${server}documents/documents.ts`,
    from: '  await customers.authorize(tx, actor, row);\n  return { mime: row.mime,',
    to: '  if (row) void actor;\n  return { mime: row.mime,',
  },
  {
    name: 'a payment of another shop is taken back',
    file: `${server}payments/payments.ts`,
    from: 'await customers.authorize(tx, actor, { customer_id: found.customer_id });\n  const opened',
    to: "await customers.authorize(tx, { ...actor, userType: 'system' }, { customer_id: found.customer_id });\n  const opened",
  },
  {
    name: 'a bulk order reaches the phones of every shop',
    file: `${server}locking/batch-part.ts`,
    from: "actor.userType === 'system' ? null : actor.visibleOwnerIds;",
    to: "actor.userType === 'customer' ? actor.visibleOwnerIds : null;",
    found: ['src/locking/bulk.test.ts', 'test/other-shops.test.ts'],
  },
  {
    name: 'a dispute of another shop is closed',
    file: `${server}locking/disputes.ts`,
    from: "const by = actor.userType === 'admin' ? SYSTEM(actor.orgId) : actor;",
    to: 'const by = SYSTEM(actor.orgId);',
  },
  {
    name: 'any type of user makes any call',
    file: `${server}http/admission.ts`,
    from: "auth === 'session' || (typeof auth !== 'string' && userType !== 'system' && auth.includes(userType));",
    to: "auth === 'session' || (typeof auth !== 'string' && userType !== 'system');",
  },
  {
    name: 'a call is opened to customers in the contract',
    file: `${contract}customers.ts`,
    from: "summary: 'Customers with filters and keyset paging behind page numbers.',\n    auth: ['retailer', 'miniretailer'],",
    to: "summary: 'Customers with filters and keyset paging behind page numbers.',\n    auth: 'session',",
  },
  {
    name: 'an access word is asked of nobody',
    file: `${contract}access.ts`,
    from: "activate: ['active_deactive'],",
    to: 'activate: [],',
  },
  {
    name: 'access words bind retailers alone',
    file: `${contract}access.ts`,
    from: 'if (UNBOUND.includes(userType)) return undefined;',
    to: "if (userType !== 'retailer') return undefined;",
  },
  {
    name: 'one of two words is enough',
    file: `${contract}access.ts`,
    from: "uninstall: ['unistall', 'uninstall'],",
    to: "uninstall: [{ any: ['unistall', 'uninstall'] }],",
  },
];

/** @param {{ found?: string[] }} fault @returns {string[]} the tests that must see it */
export const testsOf = ({ found }) => found ?? SWEEPS;

/** A few of each kind, whose tests take seconds: `npm test` plants these. */
const SHARE = [
  'somebody suspends and gives words to themselves',
  'a suspended user stays signed in',
  'a customer sees what was sold to other numbers',
  'a mini-retailer lifts holds',
];
export const authorisationShare = authorisationFaults.filter(({ name }) => SHARE.includes(name));
