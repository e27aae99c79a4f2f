import { z } from 'zod';
import { NEEDS } from './access.ts';
import { LANGUAGES, PICTURE_KINDS, SHOP_STATES, SHOP_TYPES } from './codes.ts';
import { searchIn, statusIn, userTypeIn } from './customer-filter.ts';
import { addressSchema } from './customers.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, pageSchema } from './envelope.ts';
import {
  allowedIn,
  birthDateSchema,
  emptyIsNone,
  idSchema,
  lineNameSchema,
  lineTextSchema,
  mobileSchema,
  noteSchema,
  optionalPersonNameSchema,
  pagingShape,
  personNameSchema,
} from './fields.ts';
import { withNewShopNames, withPersonNames } from './form-names.ts';
import { LIMITS } from './limits.ts';
import { accessConfigSchema, userAccessSchema } from './organisation.ts';
import { PATHS } from './paths.ts';
import { PINCODE_OR_NONE, UPI_ID } from './patterns.ts';

/** Who runs shops: the retailer above, and the organisation's admin. */
const RUNNERS = ['retailer', 'admin'] as const;
const SHOPS_AND_ADMIN = [...SHOP_TYPES, 'admin'] as const;
const shopTypeIn = userTypeIn.pipe(z.enum(SHOP_TYPES, 'field.choice'));

/** As the sign-in named it. The caller's own is the caller; where somebody is named beside it, it only must not be another's. */
const accountIn = idSchema.optional();

/** Shops of the caller, as many words of the list as a filter needs. */
const listUsersQuery = z.strictObject({
  ...pagingShape,
  search: searchIn.optional(),
  /** Every row is a shop: of any other type there is none. */
  user_type: userTypeIn.optional(),
  /** As the specification numbers them: 1 an active shop, 0 and 2 a suspended one; no shop is anything else. */
  status: statusIn.optional(),
  state: z.enum(SHOP_STATES, 'field.choice').default('all'),
  /** The shops below this one. */
  retailer_id: idSchema.optional(),
  account_id: accountIn,
  sort: z.enum(['newest', 'name'], 'field.choice').default('newest'),
});

/** What a shop's work comes to. Only for who may read customers and money. */
const shopFiguresSchema = z.object({
  customers: z.int(),
  installed: z.int(),
  overdue: z.int(),
  outstanding_paise: z.int(),
  collected_today_paise: z.int(),
  collected_month_paise: z.int(),
  keys_left: z.int(),
});

export const shopRowSchema = z.object({
  user_id: z.uuid(),
  user_type: z.enum(SHOP_TYPES),
  parent_user_id: z.uuid().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  shop_name: z.string(),
  mobile: z.string(),
  city: z.string(),
  is_active: z.boolean(),
  created_at: z.string(),
  ...shopFiguresSchema.shape,
});
export type ShopRow = z.infer<typeof shopRowSchema>;

const personSchema = z.object({
  user_id: z.uuid(),
  user_type: z.string(),
  parent_user_id: z.uuid().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  shop_name: z.string(),
  mobile: z.string(),
  email: z.string().nullable(),
  upi_id: z.string().nullable(),
  birth_on: z.string().nullable(),
  language: z.string(),
  address: addressSchema,
  is_active: z.boolean(),
  suspended_at: z.string().nullable(),
  suspend_reason: z.string().nullable(),
  created_at: z.string(),
  user_access: userAccessSchema,
  lock_access: accessConfigSchema,
  add_retailer: z.enum(['0', '1']),
  /** What the caller may do with this one. */
  may: z.object({ edit: z.boolean(), manage: z.boolean() }),
  has_qr: z.boolean(),
  has_signature: z.boolean(),
});

const retailerProfileSchema = personSchema.extend({
  /** null: the caller may not read customers and money. */
  figures: shopFiguresSchema
    .extend({
      by_status: z.record(z.string(), z.int()),
      keys: z.array(z.object({ plan_type: z.int(), name: z.string(), paid: z.int(), granted: z.int() })),
      mini_retailers: z.int(),
    })
    .nullable(),
});
export type RetailerProfile = z.infer<typeof retailerProfileSchema>;

const personShape = {
  first_name: personNameSchema,
  last_name: optionalPersonNameSchema,
  shop_name: lineNameSchema(),
  email: emptyIsNone(z.email('field.email').max(120)),
  upi_id: emptyIsNone(z.string().regex(UPI_ID, 'field.upi_id')),
  birth_on: emptyIsNone(birthDateSchema),
  language: z.enum(LANGUAGES),
  address: addressSchema,
} as const;
const wordsOf = <const W extends string>(words: readonly W[]) =>
  Object.fromEntries(words.map((word) => [word, allowedIn])) as Record<W, typeof allowedIn>;

/** The words that change; those that are not said stay. */
const accessShape = {
  access: z.strictObject(wordsOf(userAccessSchema.keyof().options)).partial().optional(),
  lock_access: z.strictObject(wordsOf(accessConfigSchema.keyof().options)).partial().optional(),
  /** May make shops beside its own. */
  add_retailer: allowedIn.optional(),
} as const;

/** A shop's status as its list reads it, written: 1 lets it in, 0 and 2 suspend it. */
const shopStatusIn = z
  .union([z.enum(['0', '1', '2']), z.literal([0, 1, 2])], 'field.choice')
  .transform((value) => (String(value) === '1' ? 'active' : 'suspended'));
/** A new shop is active: of another status none can be made. */
const newShopStatusIn = z.literal(['1', 1], 'field.choice');

const reasonIn = noteSchema(LIMITS.reasonLengthMin, LIMITS.noteLength);
const oneUser = z.strictObject({
  user_id: idSchema.optional(),
  retailer_id: idSchema.optional(),
  account_id: accountIn,
});

const listing = {
  auth: SHOPS_AND_ADMIN,
  access: NEEDS.read,
  query: listUsersQuery,
  reply: pageSchema(shopRowSchema),
  errors: ['PAGE_TOO_FAR', 'NOT_FOUND'],
} as const;
const profile = {
  auth: SHOPS_AND_ADMIN,
  access: { none: 'one’s own shop and those below it; figures of customers and money only with `read`' },
  query: oneUser,
  reply: retailerProfileSchema,
  errors: ['NOT_FOUND'],
} as const;
const picture = {
  auth: SHOPS_AND_ADMIN,
  access: { none: 'of one’s own shop, or of one that the caller manages' },
  multipart: true,
  body: z.strictObject({ user_id: idSchema.optional(), account_id: accountIn }),
  reply: z.object({ picture_id: z.uuid() }),
  errors: ['NOT_FOUND', 'TOO_LARGE', 'TOO_MANY_PIXELS', 'FILE_TYPE_UNSUPPORTED', 'FILE_UNREADABLE'],
} as const;

export const peopleEndpoints = {
  listUsers: endpoint({
    ...PATHS.listUsers,
    ...listing,
    summary: 'Shops below the caller, with what their work comes to.',
  }),
  getUsers: endpoint({ ...PATHS.getUsers, ...listing, summary: 'The list of shops under its other path.' }),
  addUser: endpoint({
    ...PATHS.addUser,
    summary:
      'A mini-retailer of the caller’s; with the access `add_retailer`, and for the admin, a retailer too. A shop gives no access word that it has not, but for `bulk_retailer` to its mini-retailer.',
    auth: RUNNERS,
    access: NEEDS.activate,
    idempotent: true,
    body: withNewShopNames(
      z.strictObject({
        user_type: shopTypeIn.default('miniretailer'),
        /** For the admin: whose mini-retailer it is. */
        retailer_id: idSchema.optional(),
        mobile: mobileSchema,
        ...personShape,
        last_name: personShape.last_name.default(''),
        language: personShape.language.default('en'),
        address: personShape.address.prefault({}),
        status: newShopStatusIn.optional(),
        ...accessShape,
      }),
    ),
    reply: z.object({ user_id: z.uuid() }),
    errors: ['NOT_FOUND', 'MOBILE_TAKEN', 'FORBIDDEN'],
  }),
  updateUser: endpoint({
    ...PATHS.updateUser,
    summary:
      'Changes what is said. Oneself: name, shop, address, UPI id, language. One that the caller manages: mobile and access too; a new mobile ends its sessions. Its `status` suspends it (0, 2) or lets it in again (1), as the calls for that do.',
    auth: SHOPS_AND_ADMIN,
    access: { none: 'one’s own profile is free; for others the service asks `active_deactive`' },
    idempotent: true,
    body: withPersonNames(
      z.strictObject({
        user_id: idSchema.optional(),
        account_id: accountIn,
        mobile: mobileSchema.optional(),
        ...z.object(personShape).partial().shape,
        ...accessShape,
        status: shopStatusIn.optional(),
        /** Why it is suspended, for whoever reads its details. */
        reason: reasonIn.optional(),
      }),
    ),
    reply: z.object({ user_id: z.uuid(), changed: z.array(z.string()) }),
    errors: ['NOT_FOUND', 'MOBILE_TAKEN', 'FORBIDDEN', 'STATE_CONFLICT'],
  }),
  suspendUser: endpoint({
    ...PATHS.suspendUser,
    summary:
      'A shop signs in no more, with those below it: sessions and live streams end at once, and its customers are shown whom to turn to instead.',
    auth: RUNNERS,
    access: NEEDS.activate,
    idempotent: true,
    body: z.strictObject({ user_id: idSchema, reason: reasonIn }),
    reply: z.object({ suspended: z.int() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  activateUser: endpoint({
    ...PATHS.activateUser,
    summary: 'A suspended shop may sign in again, with those that were suspended along with it.',
    auth: RUNNERS,
    access: NEEDS.activate,
    idempotent: true,
    body: z.strictObject({ user_id: idSchema }),
    reply: z.object({ activated: z.int() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  readUserById: endpoint({
    ...PATHS.readUserById,
    summary: 'One shop, as its details tell.',
    auth: SHOPS_AND_ADMIN,
    access: { none: 'one’s own shop and those below it' },
    body: oneUser,
    reply: personSchema,
    errors: ['NOT_FOUND'],
  }),
  getUserDetails: endpoint({
    ...PATHS.getUserDetails,
    summary: 'The caller’s own details, or those of a shop below.',
    auth: SHOPS_AND_ADMIN,
    access: { none: 'one’s own shop and those below it' },
    query: oneUser,
    reply: personSchema,
    errors: ['NOT_FOUND'],
  }),
  getRetailerProfile: endpoint({
    ...PATHS.getRetailerProfile,
    ...profile,
    summary: 'A shop whole: details, customers, keys, collections.',
  }),
  getRetailerProfileOfCountry: endpoint({
    ...PATHS.getRetailerProfileOfCountry,
    ...profile,
    summary: 'The profile of a shop under its other path.',
  }),
  uploadRetailerQr: endpoint({
    ...PATHS.uploadRetailerQr,
    ...picture,
    summary: 'The UPI QR that a shop shows to be paid by.',
  }),
  uploadRetailerSignature: endpoint({
    ...PATHS.uploadRetailerSignature,
    ...picture,
    summary: 'The signature of a shop’s owner.',
  }),
  getUserPicture: endpoint({
    ...PATHS.getUserPicture,
    summary: 'A shop’s QR or signature as a data URL.',
    auth: SHOPS_AND_ADMIN,
    access: { none: 'of one’s own shop and those below it' },
    query: z.strictObject({
      user_id: idSchema.optional(),
      account_id: accountIn,
      kind: z.enum(PICTURE_KINDS, 'field.choice'),
    }),
    reply: z.object({ mime: z.string(), data_url: z.string() }),
    errors: ['NOT_FOUND', 'DOCUMENT_DAMAGED'],
  }),
  transferCustomers: endpoint({
    ...PATHS.transferCustomers,
    summary:
      'Customers pass from one shop of the caller’s to another with their agreements and phones: those named, or all, so many a call; with `dry_run` only counted. Money that was taken stays in the till that took it.',
    auth: RUNNERS,
    access: [...NEEDS.activate, ...NEEDS.read],
    idempotent: true,
    bodyBytes: LIMITS.bulkBodyBytes,
    body: z.strictObject({
      from_user_id: idSchema,
      to_user_id: idSchema,
      customer_ids: z.array(idSchema).min(1).max(LIMITS.transferCustomers).optional(),
      reason: reasonIn,
      /** Only tells how many it would be: of all of them, not of one call. */
      dry_run: z.boolean().default(false),
    }),
    reply: z.object({ moved: z.int(), agreements: z.int(), left: z.int() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  signupRequest: endpoint({
    ...PATHS.signupRequest,
    summary:
      'Asks for an account; the organisation’s admin decides. The answer does not tell whether the mobile is anybody’s.',
    auth: 'public',
    access: { none: 'asked before anyone signed in' },
    body: withNewShopNames(
      z.strictObject({
        mobile: mobileSchema,
        first_name: personNameSchema,
        last_name: optionalPersonNameSchema.default(''),
        shop_name: lineNameSchema(),
        email: personShape.email,
        city: lineTextSchema(LIMITS.placeLength).default(''),
        pincode: z.string().regex(PINCODE_OR_NONE, 'field.pincode').default(''),
        note: noteSchema(0, LIMITS.noteLength).default(''),
      }),
    ),
    reply: emptySchema,
    errors: [],
  }),
} as const;
